package vm_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// twoDiscs is a machine with a boot disc and data.
var twoDiscs = configured(off, given{"disc": discs("vda:25600", "data:5000:sata")})

// elsewhereThen changes a machine's discs elsewhere, and returns the
// refreshed object and the warnings of the refresh.
func elsewhereThen(t *testing.T, d *acctest.Driver, e *acctest.Emulator, config object, change func(id int64) error) (*acctest.Object, string) {
	t.Helper()
	o := d.MustApply(t.Context(), vmType, nil, config)
	if err := change(only(t, e).ID); err != nil {
		t.Fatal(err)
	}
	o, diags := d.Refresh(t.Context(), o)
	if acctest.HasErrors(diags) {
		t.Fatal(acctest.DiagText(diags))
	}
	e.ResetJournal()
	return o, acctest.DiagText(diags)
}

// TestDiscIsTheOneWithItsID: a disc in the state is that disc whatever its label
// reads, so it is never purged for a label.
func TestDiscIsTheOneWithItsID(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		config object
		change func(e *acctest.Emulator, id int64) error
		plan   acctest.Action
		sent   string
		says   string
	}{
		"renamed elsewhere": {
			twoDiscs, func(e *acctest.Emulator, id int64) error { return e.RenameDisc(id, "data", "theirs") }, update, "PUT disc label=data", "",
		},
		"renamed and grown elsewhere": {
			configured(off, given{"disc": discs("vda:25600", "data:6000")}),
			func(e *acctest.Emulator, id int64) error {
				return e.Change(id, func(m *emulator.Machine) { m.Discs[1].Label, m.Discs[1].Size = "theirs", 6000 })
			}, update, "PUT disc label=data", "",
		},
		"renamed elsewhere, and another disc has its label": {
			twoDiscs, func(e *acctest.Emulator, id int64) error {
				err := e.RenameDisc(id, "data", "theirs")
				e.AddDisc(id, emulator.Disc{Label: "data", Size: 77})
				return err
			}, update, "", "",
		},
		"another case": {
			twoDiscs, func(e *acctest.Emulator, id int64) error { return e.RenameDisc(id, "data", "DATA") }, noop, "", "",
		},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			was := twoDiscs
			o, _ := elsewhereThen(t, d, e, was, func(id int64) error { return test.change(e, id) })
			ids := []int64{only(t, e).Discs[0].ID, only(t, e).Discs[1].ID}
			plan := d.Plan(ctx, vmType, o, test.config)
			if plan.Action != test.plan {
				t.Fatalf("plan: %s\n%s", plan.Action, acctest.DiagText(plan.Diagnostics))
			}
			o, diags := d.Apply(ctx, vmType, plan)
			if test.sent != "" || test.plan == noop {
				if acctest.HasErrors(diags) {
					t.Fatal(acctest.DiagText(diags))
				}
				expectSent(t, e, test.sent)
				d.ExpectPlan(ctx, o, test.config, noop)
			} else if got := sent(e); !acctest.HasErrors(diags) || strings.Contains(got, "DELETE") || strings.Contains(got, "POST") {
				t.Errorf("sent %s\n%s", got, acctest.DiagText(diags))
			}
			for i, id := range ids {
				if is := only(t, e).Discs[i].ID; is != id {
					t.Errorf("disc %d is another one: %d, was %d", i, is, id)
				}
			}
		})
	}
}

// TestSeveralLabelsChangedElsewhere: each disc stays the one with its id, with
// the labels of before, with ignore_changes, and with the new labels.
func TestSeveralLabelsChangedElsewhere(t *testing.T) {
	t.Parallel()
	before := discs("vda:25600", "data:5000", "logs:6000")
	renamed := func(m *emulator.Machine) { m.Discs[1].Label, m.Discs[2].Label = "theirs", "others" }
	exchanged := func(m *emulator.Machine) { m.Discs[1].Label, m.Discs[2].Label = "logs", "data" }
	for name, test := range map[string]struct {
		change func(m *emulator.Machine)
		after  objects
		ignore []string
		sent   string // besides the new name
	}{
		"renamed back":            {renamed, before, nil, "; PUT disc label=data; PUT disc label=logs"},
		"exchanged back":          {exchanged, before, nil, "; PUT disc label=logs-%d; PUT disc label=logs; PUT disc label=data"},
		"ignored":                 {renamed, before, []string{"disc"}, ""},
		"exchange ignored":        {exchanged, before, []string{"disc"}, ""},
		"labels ignored":          {renamed, before, []string{"disc.1.label", "disc.2.label"}, ""},
		"exchanged, both ignored": {exchanged, before, []string{"disc.1.label", "disc.2.label"}, ""},
		"followed":                {renamed, discs("vda:25600", "theirs:5000", "others:6000"), nil, ""},
		"followed in their order": {renamed, discs("vda:25600", "others:6000", "theirs:5000"), nil, ""},
		"exchange followed":       {exchanged, discs("vda:25600", "logs:5000", "data:6000"), nil, ""},
		"followed, and a new disc with the label of before": {
			renamed, discs("vda:25600", "theirs:5000", "others:6000", "data:7000"), nil, "; POST disc label=data size=7000",
		},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			o, _ := elsewhereThen(t, d, e, configured(off, given{"disc": before}), func(id int64) error { return e.Change(id, test.change) })
			data, logs := only(t, e).Discs[1].ID, only(t, e).Discs[2].ID
			config := configured(off, given{"name": "web2", "disc": test.after})
			ignore := acctest.IgnoreChanges(test.ignore...)
			o, diags := d.Apply(ctx, vmType, d.Plan(ctx, vmType, o, config, ignore))
			if acctest.HasErrors(diags) {
				t.Fatal(acctest.DiagText(diags))
			}
			if strings.Contains(test.sent, "%") {
				test.sent = fmt.Sprintf(test.sent, data)
			}
			expectSent(t, e, "PUT name=web2"+test.sent)
			d.ExpectPlan(ctx, o, config, noop, ignore)
			if is := only(t, e).Discs; is[1].ID != data || is[2].ID != logs {
				t.Errorf("other discs: %v", is)
			}
		})
	}
}

// TestDiscLabelsThatTheServiceNormalises are the configured ones.
func TestDiscLabelsThatTheServiceNormalises(t *testing.T) {
	inWorld(t, emulator.Options{LowerCaseLabels: true}, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		config := configured(off, given{"disc": discs("Boot:25600", "Data:5000")})
		o := d.MustApply(ctx, vmType, nil, config)
		expectState(t, o, given{"disc.1.label": "Data"})
		d.ExpectPlan(ctx, o, config, noop)
		e.ResetJournal()
		config = configured(off, given{"disc": discs("Boot:25600", "Data:6000", "More:100")})
		o = d.MustApply(ctx, vmType, d.MustRefresh(ctx, o), config)
		expectSent(t, e, "PUT disc size=6000; POST disc label=More size=100")
		d.ExpectPlan(ctx, o, config, noop)
		o = d.MustApply(ctx, vmType, o, configured(off, given{"disc": discs("Boot:25600", "Old:6000", "More:100")}))
		expectSent(t, e, "PUT disc label=Old")
		d.ExpectPlan(ctx, o, configured(off, given{"disc": discs("Boot:25600", "Old:6000", "More:100")}), noop)
		imported, diags := d.Import(ctx, vmType, o.Get("id").(string))
		if len(diags) > 0 {
			t.Fatal(acctest.DiagText(diags))
		}
		e.ResetJournal()
		d.MustApply(ctx, vmType, imported, configured(off, given{"disc": discs("Boot:25600", "Old:6000", "More:100")}))
		expectSent(t, e, "") // recorded at most
	})
}

// TestForeignDiscsThatDifferInCase: a block adopts the one with its very label.
func TestForeignDiscsThatDifferInCase(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		for range 8 { // the choice must not depend on the order of a map
			o, _ := elsewhereThen(t, d, e, twoDiscs, func(id int64) error {
				for _, label := range []string{"THEIRS", "theirs", "Theirs"} {
					e.AddDisc(id, emulator.Disc{Label: label, Size: 5000})
				}
				return nil
			})
			theirs := only(t, e).Discs[3].ID
			config := configured(off, given{"disc": discs("vda:25600", "data:5000:sata", "theirs:5000")})
			if got := d.Plan(t.Context(), vmType, o, config).Get("disc.2.id"); got != idOf(theirs) {
				t.Fatalf("adopts disc %v, want %d", got, theirs)
			}
			d.MustApply(t.Context(), vmType, o, nil)
		}
	})
}

// TestForeignDisc is left alone, reported once, and adopted by a block of its label.
func TestForeignDisc(t *testing.T) {
	t.Parallel()
	theirs := emulator.Disc{Label: "theirs", Size: 5000, StorageGrade: "ssd"}
	for name, test := range map[string]struct {
		block string // "" for none
		plan  acctest.Action
		sent  string
		says  string
	}{
		"no block":      {"", noop, "", ""},
		"adopted":       {"theirs:5000", update, "", "is managed from now on"},
		"its grade":     {"theirs:5000:ssd", update, "", "is managed from now on"},
		"grown":         {"theirs:6000", update, "PUT disc size=6000", "is managed from now on"},
		"another case":  {"THEIRS:5000", update, "", "is managed from now on"},
		"smaller":       {"theirs:4000", refused, "", `error at disc.2.size: Cannot shrink disc "theirs"`},
		"another grade": {"theirs:5000:archive", refused, "", `error at disc.2.storage_grade: Cannot change the storage grade of disc "theirs"`},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			var added int64
			o, said := elsewhereThen(t, d, e, twoDiscs, func(id int64) error { added = e.AddDisc(id, theirs); return nil })
			if !strings.Contains(said, `The machine has a disc "theirs" that no configuration manages`) {
				t.Errorf("the refresh says\n%s", said)
			}
			if _, diags := d.Refresh(ctx, o); len(diags) > 0 {
				t.Errorf("said twice:\n%s", acctest.DiagText(diags))
			}
			blocks := []string{"vda:25600", "data:5000:sata"}
			if test.block != "" {
				blocks = append(blocks, test.block)
			}
			config := configured(off, given{"disc": discs(blocks...)})
			plan := d.ExpectPlan(ctx, o, config, test.plan)
			if text := acctest.DiagText(plan.Diagnostics); !strings.Contains(text, test.says) || (text == "") != (test.says == "") {
				t.Errorf("the plan says\n%s", text)
			}
			if test.plan != update {
				return
			}
			o, diags := d.Apply(ctx, vmType, plan)
			if acctest.HasErrors(diags) {
				t.Fatal(acctest.DiagText(diags))
			}
			expectSent(t, e, test.sent)
			expectState(t, o, given{"disc.2.id": idOf(added), "disc.2.storage_grade": "ssd"})
			d.ExpectPlan(ctx, o, config, noop)
			// From now on it is one of ours.
			o = d.MustApply(ctx, vmType, d.MustRefresh(ctx, o), twoDiscs)
			expectSent(t, e, "DELETE disc?purge=true")
			d.ExpectPlan(ctx, o, twoDiscs, noop)
		})
	}
}

// TestForeignDiscInPlaceOfAnother: a block of its label, where that of another disc
// was, may adopt the one or rename the other, and to guess could lose data.
func TestForeignDiscInPlaceOfAnother(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		o, _ := elsewhereThen(t, d, e, twoDiscs, func(id int64) error {
			e.AddDisc(id, emulator.Disc{Label: "theirs", Size: 5000, StorageGrade: "sata"})
			return nil
		})
		plan := d.Plan(t.Context(), vmType, o, configured(off, given{"disc": discs("vda:25600", "theirs:5000")}))
		acctest.ExpectError(t, plan.Diagnostics, "error at disc.1.label:", `Disc "theirs" cannot be distinguished from disc "data"`, "first add a block for it below the others")
	})
}

// TestReleasedDiscs: after an import, discs without a block are left alone, and
// stay so.
func TestReleasedDiscs(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		made := d.MustApply(ctx, vmType, nil, twoDiscs)
		o, _ := d.Import(ctx, vmType, made.Get("id").(string))
		e.ResetJournal()
		for range 3 {
			o = d.MustApply(ctx, vmType, d.MustRefresh(ctx, o), configured(off))
		}
		expectSent(t, e, "")
		if is := only(t, e); len(is.Discs) != 2 {
			t.Errorf("discs: %+v", is.Discs)
		}
		d.MustApply(ctx, vmType, o, twoDiscs) // taken back
		expectSent(t, e, "")
	})
}

// TestMovedDisc: no blank disc takes the place of one that was moved to another
// machine, and removing its block purges nothing.
func TestMovedDisc(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, twoDiscs)
		is := only(t, e)
		other := e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "web2"})
		if err := e.MoveDisc(is.ID, "data", other); err != nil {
			t.Fatal(err)
		}
		e.ResetJournal()
		o = d.MustRefresh(ctx, o)
		for range 2 {
			acctest.ExpectError(t, d.Plan(ctx, vmType, o, twoDiscs).Diagnostics, "error at disc.1.label:", `Disc "data" is on another machine`, fmt.Sprintf("virtual machine %d", other))
			o = d.MustRefresh(ctx, o)
		}
		o = d.MustApply(ctx, vmType, o, configured(off))
		expectSent(t, e, "")
		d.ExpectPlan(ctx, o, configured(off), noop)
		if moved, _ := e.Machine(other); len(moved.Discs) != 1 || moved.Discs[0].ID != is.Discs[1].ID {
			t.Errorf("the other machine has %+v", moved.Discs)
		}
	})
}

// TestMovedDiscBetweenPlanAndApply: a purge is not sent for a disc that is no
// longer on the machine.
func TestMovedDiscBetweenPlanAndApply(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, twoDiscs)
		other := e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "web2"})
		plan := d.Plan(ctx, vmType, o, configured(off))
		is, _ := e.Machine(other - 3)
		for _, m := range e.Machines() {
			if m.Name == "web1" {
				is = m
			}
		}
		if err := e.MoveDisc(is.ID, "data", other); err != nil {
			t.Fatal(err)
		}
		e.ResetJournal()
		o, diags := d.Apply(ctx, vmType, plan)
		if acctest.HasErrors(diags) {
			t.Fatal(acctest.DiagText(diags))
		}
		expectSent(t, e, "")
		d.ExpectPlan(ctx, o, configured(off), noop)
	})
}

// TestGradeChangedElsewhere plans nothing: by staff, in a migration, or in a
// restore, and after each; one warning shows the real grade.
func TestGradeChangedElsewhere(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(e *acctest.Emulator, id int64) error
		said   string // of the refresh
	}{
		"by staff":    {func(e *acctest.Emulator, id int64) error { return e.RegradeDisc(id, "data", "archive") }, `the grade "archive" instead of "sata"`},
		"a migration": {func(e *acctest.Emulator, id int64) error { return e.MigrateDisc(id, "data", "ssd") }, `the grade "ssd" instead of "sata"`},
		"a restore":   {func(e *acctest.Emulator, id int64) error { return e.RestoreDisc(id, "data") }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, emulator.Options{CopyTime: time.Hour}, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
				ctx := t.Context()
				o, said := elsewhereThen(t, d, e, twoDiscs, func(id int64) error { return test.change(e, id) })
				if !strings.Contains(said, test.said) || (said == "") != (test.said == "") {
					t.Errorf("the refresh says\n%s", said)
				}
				expectState(t, o, given{"disc.1.storage_grade": "sata"})
				d.ExpectPlan(ctx, o, twoDiscs, noop)
				time.Sleep(2 * time.Hour)
				o, diags := d.Refresh(ctx, o)
				if len(diags) > 0 {
					t.Errorf("said twice:\n%s", acctest.DiagText(diags))
				}
				d.ExpectPlan(ctx, o, twoDiscs, noop)
				d.ExpectPlan(ctx, o, configured(off, given{"disc": discs("vda:25600", "data:5000")}), noop)
				if test.said == "" {
					return
				}
				reported := only(t, e).Discs[1].StorageGrade
				config := configured(off, given{"disc": discs("vda:25600", "data:5000:"+reported)})
				o = d.MustApply(ctx, vmType, o, config) // recorded
				expectSent(t, e, "")
				expectState(t, o, given{"disc.1.storage_grade": reported})
				d.ExpectPlan(ctx, o, config, noop)
				acctest.ExpectError(t, d.Plan(ctx, vmType, o, twoDiscs).Diagnostics, "error at disc.1.storage_grade", "Cannot change the storage grade")
			})
		})
	}
}

// TestForeignDiscsCount: the service has room for eight discs, whoever manages them.
func TestForeignDiscsCount(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		seven := []string{"vda:25600", "b:100", "c:100", "d:100", "e:100", "f:100", "g:100"}
		o, _ := elsewhereThen(t, d, e, configured(off, given{"disc": discs(seven...)}), func(id int64) error {
			e.AddDisc(id, emulator.Disc{Label: "theirs", Size: 77})
			return nil
		})
		eight := configured(off, given{"disc": discs(append(slices.Clone(seven), "h:100")...)})
		acctest.ExpectError(t, d.Plan(ctx, vmType, o, eight).Diagnostics, "error at disc.7:", `Cannot add disc "h"`, `at most 8 discs`, `"theirs"`)
		d.ExpectPlan(ctx, o, configured(off, given{"disc": discs(append(slices.Clone(seven), "theirs:77")...)}), update)    // adopted
		d.MustApply(ctx, vmType, o, configured(off, given{"disc": discs(append(slices.Clone(seven[:6]), "h:100:ssd")...)})) // one for another
		expectSent(t, e, "DELETE disc?purge=true; POST disc label=h size=100 storage_grade=ssd")
	})
}

// TestDiscLabelsExchangedThenAFailure fails between the renames that exchange
// labels back: whichever it is, the next apply finishes, and no disc is lost.
func TestDiscLabelsExchangedThenAFailure(t *testing.T) {
	t.Parallel()
	for after := range 3 {
		inBubbleNamed(t, fmt.Sprintf("after %d renames", after), func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			config := configured(off, given{"disc": discs("vda:25600", "one:200", "two:200")})
			o, _ := elsewhereThen(t, d, e, config, func(id int64) error {
				return e.Change(id, func(m *emulator.Machine) { m.Discs[1].Label, m.Discs[2].Label = "two", "one" })
			})
			was := only(t, e)
			plan := d.ExpectPlan(ctx, o, config, update)
			fault := refuse("PUT", "", `"label"`, 1)
			fault.Skip = after
			e.Inject(fault)
			failed, diags := d.Apply(ctx, vmType, plan)
			acctest.ExpectError(t, acctest.Errors(diags), "Cannot rename disc", "not today")
			if refreshed := d.MustRefresh(ctx, failed); !refreshed.State.Equal(failed.State) {
				t.Error("the state after the failure is not what the machine is")
			}
			o = d.MustApply(ctx, vmType, d.MustRefresh(ctx, failed), config)
			d.ExpectPlan(ctx, o, config, noop)
			is := only(t, e)
			for i, label := range []string{"vda", "one", "two"} {
				if is.Discs[i].ID != was.Discs[i].ID || is.Discs[i].Label != label {
					t.Errorf("disc %d is %+v, was %+v", i, is.Discs[i], was.Discs[i])
				}
			}
		})
	}
}
