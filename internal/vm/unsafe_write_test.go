package vm_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestWriteReachesOnlyItsOwnMachine has another machine whose name is the ID of
// ours. Where the name wins, nothing is written; where the ID wins, the path leads
// to ours.
func TestWriteReachesOnlyItsOwnMachine(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		config given // nil: destroy
		says   string
	}{
		"destroy": {nil, "Cannot delete"},
		"rename":  {given{"name": "web2"}, "Cannot rename"},
		"resize":  {given{"cores": 4, leave: true}, "Cannot stop"},
		"grow":    {given{"disc": discs("vda:30000")}, "Cannot grow"},
		"purge":   {given{"disc": discs("vda:25600")}, "Cannot purge"},
	} {
		for _, idsWin := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/the ID wins %t", name, idsWin), func(t *testing.T) {
				inWorld(t, emulator.Options{IDsWin: idsWin}, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
					ctx := t.Context()
					was := given{"cores": 2, leave: true}
					if name == "purge" {
						was = given{"disc": discs("vda:25600", "vdb:5000")}
					}
					o := d.MustApply(ctx, vmType, nil, configured(was))
					id := only(t, e).ID
					other := e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: fmt.Sprint(id), PowerOn: true, Discs: []emulator.Disc{{Label: "vda"}}})
					before := e.Machines()
					d = e.NewDriver(t, nil)
					e.ResetJournal()
					config := object(nil)
					if test.config != nil {
						config = configured(was, test.config)
					}
					kept, diags := d.Apply(ctx, vmType, d.Plan(ctx, vmType, d.MustRefresh(ctx, o), config))
					if idsWin {
						isOther := func(m emulator.Machine) bool { return m.ID != other }
						is := slices.DeleteFunc(e.Machines(), isOther)
						if diff := cmp.Diff(slices.DeleteFunc(before, isOther), is); diff != "" || acctest.HasErrors(diags) {
							t.Errorf("%s\n-before +after\n%s", acctest.DiagText(diags), diff)
						}
						return
					}
					acctest.ExpectError(t, acctest.Errors(diags), test.says, fmt.Sprintf("%q", fmt.Sprint(id)))
					expectSent(t, e, "")
					if diff := cmp.Diff(before, e.Machines()); diff != "" || kept == nil {
						t.Errorf("-before +after\n%s", diff)
					}
				})
			})
		}
	}
}

// TestWriteReachesOnlyItsOwnDisc has another disc whose label is the ID of ours.
func TestWriteReachesOnlyItsOwnDisc(t *testing.T) {
	t.Parallel()
	for name, config := range map[string]object{
		"grow":   configured(given{"disc": discs("vda:25600", "vdb:6000")}),
		"rename": configured(given{"disc": discs("vda:25600", "vdc:5000")}),
		"purge":  configured(given{"disc": discs("vda:25600")}),
	} {
		for _, idsWin := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/the ID wins %t", name, idsWin), func(t *testing.T) {
				inWorld(t, emulator.Options{IDsWin: idsWin}, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
					ctx := t.Context()
					o := d.MustApply(ctx, vmType, nil, configured(given{"disc": discs("vda:25600", "vdb:5000")}))
					is := only(t, e)
					e.AddDisc(is.ID, emulator.Disc{Label: fmt.Sprint(is.Discs[1].ID), Size: 77})
					before := only(t, e)
					e.ResetJournal()
					_, diags := d.Apply(ctx, vmType, d.Plan(ctx, vmType, d.MustRefresh(ctx, o), config))
					acctest.ExpectError(t, acctest.Errors(diags), fmt.Sprintf("Disc %d cannot be distinguished from disc", is.Discs[1].ID), "give that disc another label first")
					expectSent(t, e, "")
					if diff := cmp.Diff(before, only(t, e)); diff != "" {
						t.Errorf("-before +after\n%s", diff)
					}
				})
			})
		}
	}
}

// TestImportedMachineNamedByDigits can be managed: only new names are refused.
func TestImportedMachineNamedByDigits(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		id := e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "2024", Discs: []emulator.Disc{{Label: "7", Size: 25600}}})
		o := imported(t, d, fmt.Sprint(id))
		config := configured(given{"name": "2024", "keymap": "de", "disc": discs("7:25600")})
		o = d.MustApply(ctx, vmType, o, config)
		expectSent(t, e, "PUT keymap=de")
		d.ExpectPlan(ctx, o, config, noop)
	})
}
