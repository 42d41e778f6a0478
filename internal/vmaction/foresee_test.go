package vmaction_test

import (
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestActionsAreForeseen: a plan reports what would make an action fail: as an error if nothing in the same run can
// change it, and otherwise as a warning. It does not report values that are valid or unknown, and without plan_checks
// it sends no requests.
func TestActionsAreForeseen(t *testing.T) {
	t.Parallel()
	discs := func() []emulator.Disc {
		return []emulator.Disc{{Label: "vda", Size: 25600, StorageGrade: "sata"}, {Label: "data", Size: 1000, StorageGrade: "sata"}}
	}
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	on := e.AddMachine("demo", "default", emulator.Machine{Name: "on", PowerOn: true, Discs: discs()})
	off := e.AddMachine("demo", "default", emulator.Machine{Name: "off", Discs: discs()})
	empty := e.AddMachine("demo", "default", emulator.Machine{Name: "empty", Discs: discs()[:1]})
	deleted := e.AddMachine("demo", "default", emulator.Machine{Name: "deleted", Discs: discs()[:1]})
	e.SoftDelete(deleted)
	const backup = 6000
	if err := e.Change(on, func(m *emulator.Machine) {
		m.Discs[1].Backups = &emulator.Backups{Taken: []emulator.Backup{{ID: backup, Label: "data", Size: 1000, Grade: "sata"}}}
	}); err != nil {
		t.Fatal(err)
	}
	disc := func(machine int64, index int) string {
		m, _ := e.Machine(machine)
		return text(m.Discs[index].ID)
	}
	const warning, never = "warning at virtual_machine_id: The action cannot be invoked as things are\n", "error: Cannot "
	for name, test := range map[string]struct {
		action  string
		machine int64
		config  config
		head    string // "": nothing is said
		says    string
	}{
		"undelete, not deleted":    {action: undelete, machine: off, head: warning, says: "is not soft-deleted"},
		"undelete":                 {action: undelete, machine: deleted},
		"purge, not deleted":       {action: purge, machine: off, config: config{"name": "off"}, head: warning, says: "is not soft-deleted"},
		"purge, of another name":   {action: purge, machine: deleted, config: config{"name": "web1"}, head: warning, says: "is named deleted, not web1"},
		"purge":                    {action: purge, machine: deleted, config: config{"name": "deleted"}},
		"start, deleted":           {action: power, machine: deleted, config: config{"state": "start"}, head: warning, says: "is soft-deleted"},
		"start, missing":           {action: power, machine: 4711, config: config{"state": "start"}, head: "error at virtual_machine_id: Cannot", says: "check virtual_machine_id"},
		"start":                    {action: power, machine: off, config: config{"state": "start"}},
		"restart, off":             {action: power, machine: off, config: config{"state": "restart"}, head: warning, says: "so there is nothing to restart"},
		"signal, off":              {action: signal, machine: off, config: config{"signal": "reset"}, head: warning, says: "only for a machine that is on"},
		"reimage, on":              {action: reimage, machine: on, config: config{"distribution": "noble", "ssh_public_key": "ssh-ed25519 AAAA"}, head: warning, says: "Set allow_stopping = true"},
		"reimage, on, allowed":     {action: reimage, machine: on, config: config{"distribution": "noble", "ssh_public_key": "ssh-ed25519 AAAA", "allow_stopping": true}},
		"move, on":                 {action: discMove, machine: on, config: config{"disc_id": disc(on, 1), "to": text(empty)}, head: warning, says: "Set allow_stopping = true"},
		"move, to one that is on":  {action: discMove, machine: off, config: config{"disc_id": disc(off, 1), "to": text(on)}, head: warning, says: "has a disc \"data\" already"},
		"move, the boot disc":      {action: discMove, machine: off, config: config{"disc_id": disc(off, 0), "to": text(empty)}, head: never, says: "is the boot disc of virtual machine"},
		"move, from elsewhere":     {action: discMove, machine: on, config: config{"disc_id": disc(off, 1), "to": text(empty)}, head: warning, says: "is on virtual machine"},
		"move, no such disc":       {action: discMove, machine: off, config: config{"disc_id": "4711", "to": text(empty)}, head: "error at disc_id: Cannot", says: "No such disc is visible to these credentials: check disc_id."},
		"move, nowhere":            {action: discMove, machine: off, config: config{"disc_id": disc(off, 1), "to": "4711"}, head: "error at to: Cannot", says: "No such machine is visible to these credentials: check to."},
		"move":                     {action: discMove, machine: off, config: config{"disc_id": disc(off, 1), "to": text(empty)}},
		"move, moved already":      {action: discMove, machine: on, config: config{"disc_id": disc(off, 1), "to": text(off)}},
		"move, unknown":            {action: discMove, machine: on, config: config{"disc_id": acctest.Unknown, "to": text(empty)}},
		"move, nowhere known":      {action: discMove, machine: on, config: config{"disc_id": disc(on, 1), "to": acctest.Unknown}},
		"backup of the wrong disc": {action: discBackup, machine: on, config: config{"disc_id": disc(off, 1)}, head: warning, says: "is on virtual machine"},
		"restore":                  {action: discRestore, machine: on, config: config{"disc_id": disc(on, 1), "backup_id": text(backup), "confirm": true}},
		"restore, no such backup":  {action: discRestore, machine: on, config: config{"disc_id": disc(on, 1), "backup_id": "4711", "confirm": true}, head: "error at backup_id: Cannot restore disc", says: "has no backup 4711. The data source cloudserver_backups"},
		"restore, of another disc": {action: discRestore, machine: on, config: config{"disc_id": disc(on, 0), "backup_id": text(backup), "confirm": true}, head: "error at backup_id: Cannot restore disc", says: "has no backup"},
		"restore, unknown":         {action: discRestore, machine: on, config: config{"disc_id": disc(on, 1), "backup_id": acctest.Unknown, "confirm": true}},
	} {
		t.Run(name, func(t *testing.T) {
			got := acctest.DiagText(d.PlanAction(t.Context(), test.action, order(test.machine, test.config)))
			if !strings.HasPrefix(got, test.head) || !strings.Contains(got, test.says) || test.head == "" && got != "" {
				t.Errorf("want %s%s, got\n%s", test.head, test.says, got)
			}
			if strings.HasPrefix(test.head, "warning") && !strings.Contains(got, "Unless another change of this run comes before it") {
				t.Errorf("got\n%s", got)
			}
			unchecked := e.NewDriver(t, config{"plan_checks": false})
			e.ResetJournal()
			if got := acctest.DiagText(unchecked.PlanAction(t.Context(), test.action, order(test.machine, test.config))); got != "" || len(e.AllCalls()) > 0 {
				t.Errorf("unchecked: %s %v", got, e.AllCalls())
			}
		})
	}
	acctest.ExpectCalls(t, e)
}
