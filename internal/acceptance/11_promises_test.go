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

// The machine of somebody else is not touched: a creation under its name fails, and it stays as it is.
func TestAccPromise_anothers(t *testing.T) {
	a := harness.Begin(t)
	const theirs = `
resource "cloudserver_vm" "theirs" {
  name      = "${local.prefix}-web"
  zone_name = local.zone
  memory    = 2048

  disc {
    label = "vda"
    size  = 25600
  }
}
`
	same := statecheck.CompareValue(compare.ValuesSame())
	a.Run(
		harness.Proves("7.1", resource.TestStep{
			Config: theirs, ConfigStateChecks: []statecheck.StateCheck{same.AddStateValue("cloudserver_vm.theirs", at("id"))},
		}),
		harness.Proves("3.7", resource.TestStep{Config: theirs + machine(), ExpectError: says("Cannot create virtual machine")}),
		harness.Proves("3.7", resource.TestStep{
			Config: theirs,
			ConfigStateChecks: []statecheck.StateCheck{
				same.AddStateValue("cloudserver_vm.theirs", at("id")),
				value("cloudserver_vm.theirs", knownvalue.Int64Exact(2048), "memory"),
			},
		}),
	)
}

// What happens elsewhere replaces no machine, and purges no disc: another name is set back, and a disc stays.
func TestAccPromise_elsewhere(t *testing.T) {
	a := harness.Begin(t)
	same := statecheck.CompareValue(compare.ValuesSame())
	a.Run(
		harness.Proves("7.1", resource.TestStep{
			Config: machine(), ConfigStateChecks: []statecheck.StateCheck{same.AddStateValue(web, at("id"))},
		}),
		harness.Proves("4.3 3.5", resource.TestStep{
			PreConfig: func() {
				a.Somebody().AddsDisc(web, "theirs", 5120)
				a.Somebody().Renames(web, "gone")
			},
			Config:           machine(),
			ConfigPlanChecks: planned(plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{
				value(web, knownvalue.StringExact(a.Name("web")), "name"), same.AddStateValue(web, at("id")),
			},
		}),
		harness.Proves("4.2", resource.TestStep{
			Config: machine() + `
data "cloudserver_vm" "web" {
  id = cloudserver_vm.web.id
}
`,
			ConfigStateChecks: []statecheck.StateCheck{value("data.cloudserver_vm.web", knownvalue.ListSizeExact(2), "discs")},
		}),
	)
}

// A machine that is gone is created again, and a plan says so.
func TestAccPromise_gone(t *testing.T) {
	a := harness.Begin(t)
	other := statecheck.CompareValue(compare.ValuesDiffer())
	a.Run(
		harness.Proves("7.1", resource.TestStep{
			Config: machine(), ConfigStateChecks: []statecheck.StateCheck{other.AddStateValue(web, at("id"))},
		}),
		harness.Proves("1.7 3.6", resource.TestStep{
			PreConfig:         func() { a.Somebody().Purges(web) },
			Config:            machine(),
			ConfigPlanChecks:  planned(plancheck.ResourceActionCreate),
			ConfigStateChecks: []statecheck.StateCheck{other.AddStateValue(web, at("id"))},
		}),
	)
}
