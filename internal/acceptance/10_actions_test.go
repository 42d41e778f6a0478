// SPDX-License-Identifier: MPL-2.0

package acceptance

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/compare"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acceptance/harness"
)

// A restart applies what waits for the next power cycle. A key is pressed.
func TestAccActions_restart(t *testing.T) {
	a := harness.Begin(t)
	const id = "virtual_machine_id=${cloudserver_vm.web.id}"
	same := statecheck.CompareValue(compare.ValuesSame())
	a.Run(
		harness.Proves("7.6", resource.TestStep{
			Config:            machine(`cores = 2`),
			ConfigStateChecks: []statecheck.StateCheck{same.AddStateValue(web, at("id"))},
		}),
		harness.Proves("3.11", resource.TestStep{
			Config: machine(`cores = 1`), ConfigPlanChecks: planned(plancheck.ResourceActionUpdate),
		}),
		harness.Proves("3.8 3.9 3.11", resource.TestStep{
			PreConfig: func() {
				a.Invoke("vm_power", "state=restart", "shutdown_timeout=20s", id)
				a.Invoke("vm_signal", "signal=sendkey", "key=ctrl-alt-delete", id)
			},
			Config: machine(`cores = 1`, `power_on = true`),
			ConfigStateChecks: []statecheck.StateCheck{
				value(web, knownvalue.Bool(true), "power_on"), same.AddStateValue(web, at("id")),
			},
		}),
	)
}

// Another image is installed by an action, which needs no change of the configuration.
func TestAccActions_reimage(t *testing.T) {
	a := harness.Begin(t, harness.Distribution)
	same := statecheck.CompareValue(compare.ValuesSame())
	a.Run(
		harness.Proves("7.7", resource.TestStep{
			Config: machine(),
			ConfigStateChecks: []statecheck.StateCheck{
				same.AddStateValue(web, at("id")), value(web, knownvalue.Null(), "last_imaged_with"),
			},
		}),
		harness.Proves("3.10", resource.TestStep{
			PreConfig: func() {
				a.Invoke("vm_reimage", "virtual_machine_id=${cloudserver_vm.web.id}", "allow_stopping=true", "shutdown_timeout=20s",
					"distribution="+a.Choice(harness.Distribution), "ssh_public_key="+publicKey)
			},
			Config: machine(),
			ConfigStateChecks: []statecheck.StateCheck{
				value(web, knownvalue.StringExact(a.Choice(harness.Distribution)), "last_imaged_with"),
				same.AddStateValue(web, at("id")),
			},
		}),
	)
}

const publicKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBDEcVOF9T6JTvtpHHEpzVeRKPicDToJM8d3QYI9jjrM demo@example"

// A query finds groups, machines, schedules and reverse names.
func TestAccLists(t *testing.T) {
	a := harness.Begin(t)
	mine := `name_pattern = "` + a.Name("web") + `"`
	machineIn := a.Choice(harness.Group) + "/" + a.Name("web")
	a.Run(
		harness.Proves("5.4", resource.TestStep{Config: machine() + `
resource "cloudserver_rdns" "web" {
  address  = cloudserver_vm.web.ipv4_address
  hostname = "list.example.com"
}
resource "cloudserver_backup_schedule" "nightly" {
  virtual_machine_id = cloudserver_vm.web.id
  disc_id            = cloudserver_vm.web.disc_ids["vda"]
  start_at           = "2040-01-01 04:00:00 UTC"
  interval_seconds   = 86400
}
`}),
		harness.Proves("3.3 5.1", a.Query(
			harness.List{Type: "cloudserver_group", Finds: a.Choice(harness.Group)},
			harness.List{Type: "cloudserver_vm", Config: mine, Finds: machineIn},
			harness.List{Type: "cloudserver_backup_schedule", Config: mine, Finds: machineIn + "/vda, every 86400 seconds"},
			harness.List{Type: "cloudserver_rdns", Config: mine},
		)),
	)
}
