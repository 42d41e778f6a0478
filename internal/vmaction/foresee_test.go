package vmaction_test

import (
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestActionsAreForeseen: what would refuse an action is said at plan: as an error where
// nothing in the same run can change it, and as a warning otherwise. Nothing is said of
// what fits or is not known, and nothing is asked without plan checks.
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
		"undelete, not deleted":    {undelete, off, nil, warning, "is not soft-deleted"},
		"undelete":                 {undelete, deleted, nil, "", ""},
		"purge, not deleted":       {purge, off, config{"name": "off"}, warning, "is not soft-deleted"},
		"purge, of another name":   {purge, deleted, config{"name": "web1"}, warning, "is named deleted, not web1"},
		"purge":                    {purge, deleted, config{"name": "deleted"}, "", ""},
		"start, deleted":           {power, deleted, config{"state": "start"}, warning, "is soft-deleted"},
		"start, missing":           {power, 4711, config{"state": "start"}, never, "check virtual_machine_id"},
		"start":                    {power, off, config{"state": "start"}, "", ""},
		"restart, off":             {power, off, config{"state": "restart"}, warning, "so there is nothing to restart"},
		"signal, off":              {signal, off, config{"signal": "reset"}, warning, "only for a machine that is on"},
		"reimage, on":              {reimage, on, config{"distribution": "noble", "ssh_public_key": "ssh-ed25519 AAAA"}, warning, "Set allow_stopping = true"},
		"reimage, on, allowed":     {reimage, on, config{"distribution": "noble", "ssh_public_key": "ssh-ed25519 AAAA", "allow_stopping": true}, "", ""},
		"move, on":                 {discMove, on, config{"disc_id": disc(on, 1), "to": text(empty)}, warning, "Set allow_stopping = true"},
		"move, to one that is on":  {discMove, off, config{"disc_id": disc(off, 1), "to": text(on)}, warning, "has a disc \"data\" already"},
		"move, the boot disc":      {discMove, off, config{"disc_id": disc(off, 0), "to": text(empty)}, never, "is the boot disc of virtual machine"},
		"move, from elsewhere":     {discMove, on, config{"disc_id": disc(off, 1), "to": text(empty)}, warning, "is on virtual machine"},
		"move, no such disc":       {discMove, off, config{"disc_id": "4711", "to": text(empty)}, never, "check virtual_machine_id, disc_id and to"},
		"move, nowhere":            {discMove, off, config{"disc_id": disc(off, 1), "to": "4711"}, never, "check virtual_machine_id, disc_id and to"},
		"move":                     {discMove, off, config{"disc_id": disc(off, 1), "to": text(empty)}, "", ""},
		"move, moved already":      {discMove, on, config{"disc_id": disc(off, 1), "to": text(off)}, "", ""},
		"move, unknown":            {discMove, on, config{"disc_id": acctest.Unknown, "to": text(empty)}, "", ""},
		"move, nowhere known":      {discMove, on, config{"disc_id": disc(on, 1), "to": acctest.Unknown}, "", ""},
		"backup of the wrong disc": {discBackup, on, config{"disc_id": disc(off, 1)}, warning, "is on virtual machine"},
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
