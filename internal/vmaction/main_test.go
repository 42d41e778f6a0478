// SPDX-License-Identifier: MPL-2.0

package vmaction_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

const (
	power    = "cloudserver_vm_power"
	signal   = "cloudserver_vm_signal"
	reimage  = "cloudserver_vm_reimage"
	undelete = "cloudserver_vm_undelete"
	purge    = "cloudserver_vm_purge"
)

func TestMain(m *testing.M) { acctest.Main(m) }

// onMachine runs a test in a bubble, with a machine that takes half a minute to
// boot and ten seconds to shut down. It has a name and a disc in any case.
func onMachine(
	t *testing.T, machine emulator.Machine, test func(t *testing.T, d *acctest.Driver, e *acctest.Emulator, id int64),
) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		d, e := acctest.Drive(t, emulator.Options{BootTime: 30 * time.Second, ShutdownTime: 10 * time.Second, CopyTime: 10 * time.Minute}, nil)
		if machine.Name == "" {
			machine.Name = "web1"
		}
		if machine.Discs == nil {
			machine.Discs = []emulator.Disc{{Label: "vda", Size: 25600}}
		}
		id := e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, machine)
		test(t, d, e, id)
	})
}

// order is the configuration of an action on a machine.
func order(id int64, more map[string]any) map[string]any {
	config := map[string]any{"virtual_machine_id": strconv.FormatInt(id, 10)}
	for name, value := range more {
		config[name] = value
	}
	return config
}

func text(id int64) string { return strconv.FormatInt(id, 10) }

// expectSent compares the requests that may have changed something, each as its method, the end of its path and its
// body, and clears the journal.
func expectSent(t *testing.T, e *acctest.Emulator, id string, want ...string) {
	t.Helper()
	var sent []string
	for _, request := range e.Journal() {
		if request.Method != http.MethodGet {
			_, rest, _ := strings.Cut(request.Path, "/virtual_machines/"+id)
			sent = append(sent, strings.TrimSpace(fmt.Sprintf("%s %s%s %s", request.Method, rest, request.Query, request.Body)))
		}
	}
	if got, want := strings.Join(sent, "\n"), strings.Join(want, "\n"); got != want {
		t.Errorf("sent\n%s\nwant\n%s", got, want)
	}
	e.ResetJournal()
}
