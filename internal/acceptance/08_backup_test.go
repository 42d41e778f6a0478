// SPDX-License-Identifier: MPL-2.0

package acceptance

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/compare"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acceptance/harness"
)

// A disc has a backup schedule. Another interval needs another schedule.
func TestAccBackup_schedule(t *testing.T) {
	a := harness.Begin(t)
	config := func(interval string) string {
		return machine(data) + `
resource "cloudserver_backup_schedule" "nightly" {
  virtual_machine_id = cloudserver_vm.web.id
  disc_id            = cloudserver_vm.web.disc_ids["data"]
  start_at           = "2040-01-01 04:00:00 UTC"
  interval_seconds   = ` + interval + `
  capacity           = 2
}
`
	}
	other := statecheck.CompareValue(compare.ValuesDiffer())
	a.Run(
		harness.Proves("4.7", resource.TestStep{
			Config: config("604800"),
			ConfigStateChecks: []statecheck.StateCheck{
				value(nightly, knownvalue.Int64Exact(604800), "interval_seconds"), other.AddStateValue(nightly, at("id")),
			},
		}),
		harness.Proves("4.7", resource.TestStep{
			Config:            config("86400"),
			ConfigPlanChecks:  plans(nightly, plancheck.ResourceActionReplace),
			ConfigStateChecks: []statecheck.StateCheck{other.AddStateValue(nightly, at("id"))},
		}),
		harness.Proves("4.2", a.ImportByIdentity(nightly, "id", "disc_id")),
	)
}

// A change triggers an action, which makes a backup first. Where the CLI has no actions, the command invoke runs it. The backup
// is listed and restored.
func TestAccBackup_restored(t *testing.T) {
	a := harness.Begin(t)
	const backups = `
data "cloudserver_backups" "data" {
  virtual_machine_id = cloudserver_vm.web.id
  disc_id            = cloudserver_vm.web.disc_ids["data"]
}

output "backup" {
  value = join("", data.cloudserver_backups.data.backups[*].id)
}
`
	disc := []string{"virtual_machine_id=${cloudserver_vm.web.id}", "disc_id=${cloudserver_vm.web.disc_ids.data}"}
	change := resource.TestStep{Config: machine(`autoreboot_on = false`, data)}
	if a.HasActions() {
		change.Config = machine(`autoreboot_on = false`, `
  lifecycle {
    action_trigger {
      events  = [before_update]
      actions = [action.cloudserver_disc_backup.data]
    }
  }`, data) + strings.ReplaceAll(`
action "cloudserver_disc_backup" "data" {
  config {
    virtual_machine_id = caller.id
    disc_id            = caller.disc_ids["data"]
  }
}
`, "caller", a.Caller())
	} else {
		change.PreConfig = func() { a.Invoke("disc_backup", disc...) }
	}
	same := statecheck.CompareValue(compare.ValuesSame())
	a.Run(
		harness.Proves("4.3", resource.TestStep{
			Config:            machine(data),
			ConfigStateChecks: []statecheck.StateCheck{same.AddStateValue(web, at("disc_ids", "data"))},
		}),
		harness.Proves("4.8", change),
		harness.Proves("4.8", resource.TestStep{
			Config: machine(`autoreboot_on = false`, data) + backups,
			ConfigStateChecks: []statecheck.StateCheck{
				value("data.cloudserver_backups.data", knownvalue.ListSizeExact(1), "backups"),
				value("data.cloudserver_backups.data", knownvalue.Bool(true), "backups", 0, "manual"),
				value("data.cloudserver_backups.data", knownvalue.Bool(true), "backups", 0, "stored"),
			},
		}),
		harness.Proves("4.8", resource.TestStep{
			PreConfig:         func() { a.Invoke("disc_restore", append(disc, "backup_id="+a.Output("backup"), "confirm=true")...) },
			Config:            machine(`autoreboot_on = false`, data),
			ConfigStateChecks: []statecheck.StateCheck{same.AddStateValue(web, at("disc_ids", "data"))},
		}),
	)
}
