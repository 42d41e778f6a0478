// SPDX-License-Identifier: MPL-2.0

package backup_test

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

const scheduleType = "cloudserver_backup_schedule"

type object = map[string]any

func TestMain(m *testing.M) { acctest.Main(m) }

// world is a machine with a disc, in simulated time.
type world struct {
	*testing.T
	d             *acctest.Driver
	e             *acctest.Emulator
	machine, disc string
	config        object // of a schedule
}

func inWorld(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := &world{T: t}
		w.d, w.e = acctest.Drive(t, emulator.Options{Latency: time.Millisecond}, nil)
		w.e.AddMachine("demo", emulator.DefaultGroup, emulator.Machine{Name: "web1", Discs: []emulator.Disc{{Label: "vda", Size: 25600}}})
		m := w.e.Machines()[0]
		w.machine, w.disc = text(m.ID), text(m.Discs[0].ID)
		w.config = object{"virtual_machine_id": w.machine, "disc_id": w.disc, "start_at": "2000-01-31 04:00:00", "interval_seconds": 604800, "capacity": 2}
		w.e.ResetJournal()
		test(t, w)
	})
}

func text(id int64) string { return strconv.FormatInt(id, 10) }

// machineNow returns the current machine at the service.
func (w *world) machineNow() emulator.Machine { return w.e.Machines()[0] }

// schedules returns the schedules of the disc at the service.
func (w *world) schedules() []emulator.BackupSchedule {
	if b := w.machineNow().Discs[0].Backups; b != nil {
		return b.Schedules
	}
	return nil
}

// path is that of the disc, with the elements after it.
func (w *world) path(rest string) string {
	return "/accounts/demo/groups/" + text(w.machineNow().GroupID) + "/virtual_machines/" + w.machine + "/discs/" + w.disc + rest
}

// fault makes requests with a method and a path ending fail.
func (w *world) fault(method, suffix string, f emulator.Fault) {
	f.Match = func(r emulator.Request) bool { return r.Method == method && strings.HasSuffix(r.Path, suffix) }
	w.e.Inject(f)
}

// hideEmptyLists makes the service report null for a disc without schedules.
func (w *world) hideEmptyLists() {
	w.e.Inject(emulator.Fault{Rewrite: func(status int, header http.Header, body []byte) (int, http.Header, []byte) {
		return status, header, bytes.ReplaceAll(body, []byte(`"backup_schedules":[]`), []byte(`"backup_schedules":null`))
	}})
}

// lost carries out the request and loses its answer.
func lost() emulator.Fault { return emulator.Fault{AfterEffect: true, Status: http.StatusBadGateway} }

// expectPhrase expects phrases in the text of diagnostics.
func expectPhrase(t *testing.T, diags []*tfprotov6.Diagnostic, phrases ...string) {
	t.Helper()
	for _, phrase := range phrases {
		if text := acctest.DiagText(diags); !strings.Contains(text, phrase) {
			t.Errorf("want %q in\n%s", phrase, text)
		}
	}
}
