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

// image returns a block with a distribution, which is a local value, and further lines.
func image(distribution, lines string) string {
	return "reimage {\n    distribution  = local." + distribution + "\n    root_password = local.root_password\n    " + lines + "\n  }"
}

// Another image is installed in place, where on_change says so. The machine keeps its ID and its addresses, and is on.
func TestAccImage_inPlace(t *testing.T) {
	a := harness.Begin(t, harness.Distribution, harness.OtherDistribution)
	same, address := statecheck.CompareValue(compare.ValuesSame()), statecheck.CompareValue(compare.ValuesSame())
	a.Run(
		harness.Proves("7.1 8.3", resource.TestStep{
			Config: machine(image("distribution", `on_change = "reimage"`)),
			ConfigStateChecks: []statecheck.StateCheck{
				same.AddStateValue(web, at("id")), address.AddStateValue(web, at("ipv4_address")),
			},
		}),
		harness.Proves("3.10", resource.TestStep{
			Config:           machine(image("other_distribution", `on_change = "reimage"`), `power_on = true`),
			ConfigPlanChecks: planned(plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{
				value(web, knownvalue.StringExact(a.Choice(harness.OtherDistribution)), "last_imaged_with"),
				value(web, knownvalue.Bool(true), "power_on"),
				value(web, knownvalue.Bool(true), "autoreboot_on"),
				same.AddStateValue(web, at("id")), address.AddStateValue(web, at("ipv4_address")),
			},
		}),
	)
}

// Otherwise another revision of the image replaces the machine. The new one has the same name.
func TestAccImage_replaces(t *testing.T) {
	a := harness.Begin(t, harness.Distribution)
	other := statecheck.CompareValue(compare.ValuesDiffer())
	a.Run(
		harness.Proves("7.1", resource.TestStep{
			Config:            machine(image("distribution", `revision = "1"`)),
			ConfigStateChecks: []statecheck.StateCheck{other.AddStateValue(web, at("id"))},
		}),
		harness.Proves("3.6 3.7", resource.TestStep{
			Config:            machine(image("distribution", `revision = "2"`)),
			ConfigPlanChecks:  planned(plancheck.ResourceActionDestroyBeforeCreate),
			ConfigStateChecks: []statecheck.StateCheck{other.AddStateValue(web, at("id"))},
		}),
	)
}
