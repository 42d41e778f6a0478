package vm_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestWriteReachesOnlyItsOwn: another machine's name is the ID of ours, or another disc's label is the ID of one of
// ours. If names win, nothing is written. If machine IDs win, the path leads to our machine.
func TestWriteReachesOnlyItsOwn(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		to   given  // nil: destroy
		says string // "" where the name or label of a disc is in the way
	}{
		"destroy": {nil, "Cannot delete"},
		"rename":  {given{"name": "web2"}, "Cannot update"},
		"resize":  {given{"cores": 4}, "Cannot update"},
		"grow":    {given{"disc": discs("vda:30000", "vdb:5000")}, "Cannot update"},
		"purge":   {given{"disc": discs("vda:25600")}, "Cannot update"},

		"grow, a disc":   {given{"disc": discs("vda:25600", "vdb:6000")}, ""},
		"rename, a disc": {given{"disc": discs("vda:25600", "vdc:5000")}, ""},
		"purge, a disc":  {given{"disc": discs("vda:25600")}, ""},
	} {
		for _, idsWin := range []bool{false, true} {
			inWorldNamed(t, fmt.Sprintf("%s/the ID wins %t", name, idsWin), emulator.Options{IDsWin: idsWin}, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
				ctx := t.Context()
				was := given{"cores": 2, leave: true, "disc": discs("vda:25600", "vdb:5000")}
				o := d.MustApply(ctx, vmType, nil, configured(was))
				own, other := onlyMachine(t, e), int64(0)
				says := []string{test.says, fmt.Sprintf("%q", idOf(own.ID))}
				if test.says == "" {
					says = []string{fmt.Sprintf("Disc %d cannot be distinguished from disc", own.Discs[1].ID), "Give that disc another label first"}
					e.AddDisc(own.ID, emulator.Disc{Label: idOf(own.Discs[1].ID), Size: 77})
				} else {
					other = e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: idOf(own.ID), PowerOn: true, Discs: []emulator.Disc{{Label: "vda"}}})
				}
				before := e.Machines()
				theirs, _ := e.Machine(other)
				d = e.NewDriver(t, nil)
				e.ResetJournal()
				config := object(nil)
				if test.to != nil {
					config = configured(was, test.to)
				}
				o, diags := d.Apply(ctx, vmType, d.Plan(ctx, vmType, d.MustRefresh(ctx, o), config))
				if idsWin && other != 0 {
					if now, _ := e.Machine(other); !cmp.Equal(theirs, now) || acctest.HasErrors(diags) {
						t.Errorf("%s\n-before +after\n%s", acctest.DiagText(diags), cmp.Diff(theirs, now))
					}
					return
				}
				acctest.ExpectError(t, acctest.Errors(diags), says...)
				expectSent(t, e, "")
				if diff := cmp.Diff(before, e.Machines()); diff != "" || o == nil {
					t.Errorf("-before +after\n%s", diff)
				}
			})
		}
	}
}

// TestImportedMachineNamedByDigits: the machine can be managed, because only new names are refused.
func TestImportedMachineNamedByDigits(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		id := e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "2024", Discs: []emulator.Disc{{Label: "7", Size: 25600}}})
		applyCleanly(t, d, e, mustImport(t, d, idOf(id)), configured(given{"name": "2024", "keymap": "de", "disc": discs("7:25600")}), "PUT keymap=de")
	})
}

// TestLostDeleteReachesOnlyItsOwn: after a lost answer to a delete, the path may lead to a machine whose name is the ID.
func TestLostDeleteReachesOnlyItsOwn(t *testing.T) {
	inWorld(t, emulator.Options{IDsWin: true}, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		o := d.MustApply(t.Context(), vmType, nil, configured(nil))
		own := onlyMachine(t, e)
		other := e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: idOf(own.ID)})
		e.Inject(loseAnswer(refuse("DELETE", "", "", 1)))
		e.ResetJournal()
		d.MustApply(t.Context(), vmType, o, nil)
		if m, ok := e.Machine(other); !ok || m.Deleted {
			t.Error("the machine that is named like the ID was destroyed")
		}
		acctest.ExpectCalls(t, e, "DELETE /accounts/demo/groups/1002/virtual_machines/"+idOf(own.ID)+"?purge=true")
	})
}
