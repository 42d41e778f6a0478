package provider_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// The core works with the oldest and the newest CLI at hand: a machine is
// planned, made, left alone, imported and destroyed. What only newer ones know
// is driven in process by the tests of each component.
func TestLifeOnEachCLI(t *testing.T) {
	acctest.EachCLI(t, func(t *testing.T) {
		e := acctest.StartEmulator(t, emulator.Options{})
		config := e.ProviderBlock() + `
data "cloudserver_definitions" "all" {}

resource "cloudserver_vm" "web" {
  name  = "web1"
  cores = 2
  disc {
    label = "vda"
    size  = 25600
  }
  reimage {
    distribution  = data.cloudserver_definitions.all.distributions[0]
    root_password = "marker-1-marker"
  }
}`
		resource.Test(t, resource.TestCase{
			IsUnitTest:               true,
			ProtoV6ProviderFactories: acctest.ProtoV6ProviderFactories(),
			CheckDestroy:             acctest.CheckDestroyed(e),
			Steps: []resource.TestStep{
				{
					Config: config,
					ConfigPlanChecks: resource.ConfigPlanChecks{
						PreApply:             []plancheck.PlanCheck{plancheck.ExpectResourceAction("cloudserver_vm.web", plancheck.ResourceActionCreate)},
						PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
					},
				},
				{
					ResourceName: "cloudserver_vm.web", ImportState: true, ImportStateId: "demo/default/web1",
					ImportStateVerify: true, ImportStateVerifyIgnore: []string{"reimage.%", "reimage.distribution"},
				},
			},
		})
	})
}
