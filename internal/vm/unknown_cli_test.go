package vm_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	core "github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestUnknownThroughTheCLI has discs, sizes, images and addresses that are known
// only after another resource is applied, at creation and at a change.
func TestUnknownThroughTheCLI(t *testing.T) {
	e := acctest.StartEmulator(t, emulator.Options{})
	step := func(discs string, action plancheck.ResourceActionType, want string) resource.TestStep {
		return resource.TestStep{
			PreConfig: e.ResetJournal,
			Config: e.ProviderBlock() + fmt.Sprintf(`
resource "terraform_data" "discs" { input = %s }
resource "terraform_data" "image" { input = { distribution = "bookworm", key = "ssh-ed25519 A", address = "192.0.2.77", cores = 1 } }
resource "cloudserver_vm" "web" {
  name  = "web1"
  group = "private"
  cores = terraform_data.image.output.cores
  dynamic "disc" {
    for_each = terraform_data.discs.output
    content {
      label = disc.value.label
      size  = disc.value.size
    }
  }
  reimage {
    distribution   = terraform_data.image.output.distribution
    root_password  = "test-only"
    ssh_public_key = terraform_data.image.output.key
    on_change      = "reimage"
  }
  ips { ipv4 = terraform_data.image.output.address }
}
`, discs),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction("cloudserver_vm.web", action)}},
			Check:            func(*core.State) error { expectSent(t, e, want); return nil },
		}
	}
	acctest.UnitTest(t, resource.TestCase{CheckDestroy: acctest.CheckDestroyed(e), Steps: []resource.TestStep{
		step(`[{ label = "vda", size = 25600 }]`, plancheck.ResourceActionCreate,
			"create in demo/private ipv4=192.0.2.77 "+imaged+" ssh_public_key=ssh-ed25519 A cores=1"),
		step(`[{ label = "vda", size = 51200 }, { label = "vdb", size = 5000 }]`, plancheck.ResourceActionUpdate,
			"PUT disc size=51200; POST disc label=vdb size=5000"),
	}})
}
