package stories

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

)

func TestAccBackupSchedule_life(t *testing.T) {
	const address = "cloudserver_backup_schedule.weekly"
	config := machine(unique("web"), boot()) + `
resource "cloudserver_backup_schedule" "weekly" {
  virtual_machine_id = cloudserver_vm.web.id
  disc_id            = cloudserver_vm.web.disc[0].id
  start_at           = "2040-01-01 04:00:00 UTC"
  interval_seconds   = 604800
  capacity           = 2
}
data "cloudserver_backups" "web" {
  virtual_machine_id = cloudserver_vm.web.id
  disc_id            = cloudserver_vm.web.disc[0].id
}
`
	story(
		t,
		resource.TestStep{Config: config, Check: resource.ComposeAggregateTestCheckFunc(
			resource.TestCheckResourceAttrPair(address, "disc_id", web, "disc.0.id"),
			hasAt(address, "interval_seconds", "604800", "capacity", "2"),
			hasAt("data.cloudserver_backups.web", "backups.#", "0"),
		)},
		expect(resource.TestStep{
			Config: replaced(config, "604800", "86400"),
			Check:  hasAt(address, "interval_seconds", "86400"),
		}, address, plancheck.ResourceActionReplace),
		resource.TestStep{ResourceName: address, ImportState: true, ImportStateVerify: true, ImportStateIdFunc: func(state *terraform.State) (string, error) {
			s := state.RootModule().Resources[address].Primary.Attributes
			return s["virtual_machine_id"] + "/" + s["disc_id"] + "/" + s["id"], nil
		}},
	)
}
