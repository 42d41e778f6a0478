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

const (
	data    = "disc {\n    label = \"data\"\n    size  = 5120\n  }"
	grown   = "disc {\n    label = \"data\"\n    size  = 10240\n  }"
	renamed = "disc {\n    label = \"ledger\"\n    size  = 10240\n  }"
)

// A disc is added, grown and renamed, and stays the same disc.
func TestAccDiscs_grown(t *testing.T) {
	a := harness.Begin(t)
	same := statecheck.CompareValue(compare.ValuesSame())
	a.Run(
		harness.Proves("7.6", resource.TestStep{Config: machine()}),
		harness.Proves("4.3", resource.TestStep{
			Config:           machine(data),
			ConfigPlanChecks: planned(plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{
				value(web, knownvalue.MapSizeExact(2), "disc_ids"), same.AddStateValue(web, at("disc_ids", "data")),
			},
		}),
		harness.Proves("4.4", resource.TestStep{
			Config: machine(grown),
			ConfigStateChecks: []statecheck.StateCheck{
				value(web, knownvalue.Int64Exact(10240), "disc", 1, "size"), same.AddStateValue(web, at("disc_ids", "data")),
			},
		}),
		harness.Proves("4.4", resource.TestStep{
			Config:            machine(renamed),
			ConfigPlanChecks:  planned(plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{same.AddStateValue(web, at("disc_ids", "ledger"))},
		}),
	)
}

// A disc whose block is removed is purged, and the one after it is kept. A disc is never made smaller.
func TestAccDiscs_removed(t *testing.T) {
	a := harness.Begin(t)
	const logs = "disc {\n    label = \"logs\"\n    size  = 5120\n  }"
	same := statecheck.CompareValue(compare.ValuesSame())
	a.Run(
		harness.Proves("7.1 8.2", resource.TestStep{
			Config:            machine(grown, logs),
			ConfigStateChecks: []statecheck.StateCheck{same.AddStateValue(web, at("disc_ids", "logs"))},
		}),
		harness.Proves("4.4", resource.TestStep{Config: machine(data, logs), ExpectError: says(`"data"`)}),
		harness.Proves("4.5", resource.TestStep{
			Config:           machine(logs),
			ConfigPlanChecks: planned(plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{
				value(web, knownvalue.MapSizeExact(2), "disc_ids"), same.AddStateValue(web, at("disc_ids", "logs")),
			},
		}),
	)
}

// A disc moves to another machine with its data: an action, and two blocks that follow it.
func TestAccDiscs_moved(t *testing.T) {
	a := harness.Begin(t)
	const other = `
resource "cloudserver_vm" "other" {
  name      = "${local.prefix}-other"
  zone_name = cloudserver_vm.web.zone_name

  disc {
    label = "vda"
    size  = 25600
  }
`
	same := statecheck.CompareValue(compare.ValuesSame())
	a.Run(
		harness.Proves("7.1", resource.TestStep{
			Config:            machine(data) + other + "}\n",
			ConfigStateChecks: []statecheck.StateCheck{same.AddStateValue(web, at("disc_ids", "data"))},
		}),
		harness.Proves("4.4", resource.TestStep{
			PreConfig: func() {
				a.Invoke("disc_move", "virtual_machine_id=${cloudserver_vm.web.id}", "disc_id=${cloudserver_vm.web.disc_ids.data}",
					"to=${cloudserver_vm.other.id}", "allow_stopping=true", "shutdown_timeout=20s")
			},
			Config:            machine() + other + "  " + data + "\n}\n",
			ConfigStateChecks: []statecheck.StateCheck{same.AddStateValue("cloudserver_vm.other", at("disc_ids", "data"))},
		}),
	)
}
