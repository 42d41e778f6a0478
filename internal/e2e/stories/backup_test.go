package stories

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
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

// TestVariantsBackups takes, schedules and restores backups.
func TestVariantsBackups(t *testing.T) {
	eachVariant(t, func(t *testing.T, d *acctest.Driver, _ *acctest.Emulator) {
		ctx := t.Context()
		m := &life{t: t, d: d, typeName: "cloudserver_vm"}
		m.apply(small(prefix + "web"))
		disc := object{"virtual_machine_id": m.o.Get("id"), "disc_id": m.o.Get("disc.0.id")}
		schedule := with(disc, object{"start_at": "2040-01-01 04:00:00", "interval_seconds": 604800})
		s := &life{t: t, d: d, typeName: "cloudserver_backup_schedule"}
		s.apply(schedule)
		first := s.o.Get("id")
		s.apply(with(schedule, object{"capacity": 3}), "capacity", 3)
		if s.o.Get("id") == first {
			t.Error("the schedule was not replaced")
		}
		found := d.MustImport(ctx, s.typeName, fmt.Sprintf("%v/%v/%v", disc["virtual_machine_id"], disc["disc_id"], s.o.Get("id")))
		d.ExpectPlan(ctx, found, with(schedule, object{"capacity": 3}), acctest.ActionNoOp)
		d.MustInvoke(ctx, "cloudserver_disc_backup", disc)
		backups := d.MustReadData(ctx, "cloudserver_backups", disc)
		if backups.Get("backups.0.stored") != true {
			t.Errorf("not stored: %v", backups)
		}
		d.MustInvoke(ctx, "cloudserver_disc_restore", with(disc, object{"backup_id": backups.Get("backups.0.id"), "confirm": true}))
		s.apply(nil)
		m.apply(nil)
	})
}
