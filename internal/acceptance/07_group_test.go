// SPDX-License-Identifier: MPL-2.0

package acceptance

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/compare"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acceptance/harness"
)

// A group is created with its machines, and renamed in place: they stay in it. It is imported in three ways.
func TestAccGroup_life(t *testing.T) {
	a := harness.Begin(t)
	config := `
resource "cloudserver_group" "team" {
  name = "${local.prefix}-team"
}
` + machine(`group = cloudserver_group.team.name`)
	same, kept := statecheck.CompareValue(compare.ValuesSame()), statecheck.CompareValue(compare.ValuesSame())
	a.Run(
		harness.Proves("5.3", resource.TestStep{
			Config:            config,
			ConfigStateChecks: []statecheck.StateCheck{same.AddStateValue(team, at("id")), kept.AddStateValue(web, at("id"))},
		}),
		harness.Proves("5.3 8.1", resource.TestStep{
			Config:           strings.Replace(config, "-team", "-crew", 1),
			ConfigPlanChecks: plans(team, plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{
				same.AddStateValue(team, at("id")), kept.AddStateValue(web, at("id")),
				statecheck.CompareValuePairs(web, at("group"), team, at("name"), compare.ValuesSame()),
			},
		}),
		harness.Proves("5.2", resource.TestStep{ResourceName: team, ImportState: true, ImportStateVerify: true}),
		harness.Proves("5.2", resource.TestStep{
			ResourceName: team, ImportState: true, ImportStateVerify: true,
			ImportStateId: a.Choice(harness.Account) + "/" + a.Name("crew"),
		}),
		harness.Proves("5.2", a.ImportByIdentity(team, "id")),
	)
}
