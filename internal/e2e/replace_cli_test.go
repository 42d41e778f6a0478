package e2e_test

import (
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// mustRun is run that fails the test on an error.
func (w *workspace) mustRun(arguments ...string) string {
	w.t.Helper()
	output, err := w.run(arguments...)
	if err != nil {
		w.t.Fatalf("%v: %v\n%s", arguments, err, output)
	}
	return output
}

// TestTaintedScheduleIsReplacedFirst: with create_before_destroy, the process that applies sees an equal schedule, and
// cannot know that it is the one to be destroyed.
func TestTaintedScheduleIsReplacedFirst(t *testing.T) {
	t.Parallel()
	service := acctest.StartEmulator(t, emulator.Options{})
	w := newWorkspace(t, service)
	service.AddMachine("demo", emulator.DefaultGroup, emulator.Machine{Name: "db1", Discs: []emulator.Disc{{Label: "vda", Size: 25600}}})
	w.write("main.tf", requirement+service.ProviderBlock()+`
resource "cloudserver_backup_schedule" "weekly" {
  virtual_machine_id = "1004"
  disc_id            = "1005"
  start_at           = "2027-01-03 04:00:00"
  interval_seconds   = 604800

  lifecycle {
    create_before_destroy = true
  }
}
`)
	w.mustRun("apply", "-auto-approve")
	before := w.tracked()
	for _, replace := range [][]string{{"taint", "cloudserver_backup_schedule.weekly"}, nil} {
		arguments := []string{"apply", "-auto-approve"}
		if replace != nil {
			w.mustRun(replace...)
		} else {
			arguments = append(arguments, "-replace=cloudserver_backup_schedule.weekly")
		}
		if output := w.mustRun(arguments...); !strings.Contains(output, "1 added, 0 changed, 1 destroyed") {
			t.Error(output)
		}
		schedules := service.Machines()[0].Discs[0].Backups.Schedules
		if after := w.tracked(); len(schedules) != 1 || strings.Join(after, " ") != strings.Join(before, " ") {
			t.Errorf("the state has %v, the service %+v", after, schedules)
		}
	}
	if output := w.mustRun("plan"); !strings.Contains(output, "No changes.") {
		t.Error(output)
	}
}
