package stories

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/compare"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
)

const team = "cloudserver_group.team"

func group(name string) string {
	return fmt.Sprintf("resource \"cloudserver_group\" \"team\" {\n  name = %q\n}\n", name)
}

// TestAccGroup_life renames a group, imports it, and finds it with the data sources.
func TestAccGroup_life(t *testing.T) {
	before, after := unique("group"), unique("group")
	same := statecheck.CompareValue(compare.ValuesSame())
	id := func() []statecheck.StateCheck {
		return []statecheck.StateCheck{same.AddStateValue(team, tfjsonpath.New("id"))}
	}
	read := group(after) + `
data "cloudserver_group" "by_name" { name = cloudserver_group.team.name }
data "cloudserver_group" "by_id" { id = cloudserver_group.team.id }
data "cloudserver_groups" "all" { depends_on = [cloudserver_group.team] }
output "listed" { value = contains(data.cloudserver_groups.all.groups[*].name, cloudserver_group.team.name) }
`
	story(
		t,
		resource.TestStep{Config: group(before), ConfigStateChecks: id(), Check: hasAt(team, "name", before, "account", account)},
		expect(resource.TestStep{Config: read, ConfigStateChecks: id(), Check: resource.ComposeAggregateTestCheckFunc(
			hasAt(team, "name", after),
			resource.TestCheckResourceAttrPair("data.cloudserver_group.by_name", "id", team, "id"),
			hasAt("data.cloudserver_group.by_id", "name", after),
			resource.TestCheckOutput("listed", "true"),
		)}, team, plancheck.ResourceActionUpdate),
		resource.TestStep{ResourceName: team, ImportState: true, ImportStateVerify: true},
		resource.TestStep{ResourceName: team, ImportState: true, ImportStateVerify: true, ImportStateId: account + "/" + after},
	)
}
