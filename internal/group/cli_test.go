package group_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/compare"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestMachineInAGroup: the machine follows its group through creation with a
// name that is not known at plan, and through a rename, which moves nothing.
func TestMachineInAGroup(t *testing.T) {
	e := acctest.StartEmulator(t, emulator.Options{})
	config := func(name string) string {
		return e.ProviderBlock() + fmt.Sprintf(`
			resource "terraform_data" "seed" {}

			resource "cloudserver_group" "team" {
				name = %s
			}

			resource "cloudserver_vm" "web" {
				group = cloudserver_group.team.name
				name  = "web1"
				disc {
					label = "vda"
					size  = 25600
				}
			}

			data "cloudserver_group" "team" { id = cloudserver_group.team.id }
			data "cloudserver_groups" "all" { depends_on = [cloudserver_group.team] }
		`, name)
	}
	same := statecheck.CompareValue(compare.ValuesSame())
	id := func() statecheck.StateCheck { return same.AddStateValue("cloudserver_vm.web", tfjsonpath.New("id")) }
	acctest.UnitTest(t, resource.TestCase{
		CheckDestroy: acctest.CheckDestroyed(e),
		Steps: []resource.TestStep{
			{
				Config:            config(`"team-${substr(terraform_data.seed.id, 0, 8)}"`),
				ConfigStateChecks: []statecheck.StateCheck{id()},
				Check: resource.ComposeAggregateTestCheckFunc(
					resource.TestCheckResourceAttrPair("cloudserver_vm.web", "group_id", "cloudserver_group.team", "id"),
					resource.TestCheckResourceAttr("data.cloudserver_groups.all", "groups.#", "3"),
				),
			},
			{
				PreConfig:         e.ResetJournal,
				Config:            config(`"renamed"`),
				ConfigStateChecks: []statecheck.StateCheck{id()},
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
					plancheck.ExpectResourceAction("cloudserver_group.team", plancheck.ResourceActionUpdate),
					plancheck.ExpectResourceAction("cloudserver_vm.web", plancheck.ResourceActionUpdate),
				}},
				Check: resource.ComposeAggregateTestCheckFunc(
					resource.TestCheckResourceAttrPair("cloudserver_vm.web", "group_id", "cloudserver_group.team", "id"),
					resource.TestCheckResourceAttr("cloudserver_vm.web", "hostname", "web1.renamed.demo."+emulator.ClusterDomain),
					resource.TestCheckResourceAttr("data.cloudserver_group.team", "name", "renamed"),
				),
			},
			{
				ResourceName:      "cloudserver_group.team",
				ImportState:       true,
				ImportStateId:     "demo/renamed",
				ImportStateVerify: true,
			},
		},
	})
	if groups := groupNames(t, e); fmt.Sprint(groups) != "[default private]" {
		t.Errorf("groups left: %v", groups)
	}
}

func groupNames(t *testing.T, e *acctest.Emulator) []any {
	t.Helper()
	o, diags := e.NewDriver(t, nil).ReadData(t.Context(), "cloudserver_groups", nil)
	if acctest.HasErrors(diags) {
		t.Fatal(acctest.DiagText(diags))
	}
	var names []any
	for i := 0; ; i++ {
		name, ok := o.Get(fmt.Sprintf("groups.%d.name", i)).(string)
		if !ok {
			return names
		}
		names = append(names, name)
	}
}
