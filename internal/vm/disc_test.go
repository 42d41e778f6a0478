// SPDX-License-Identifier: MPL-2.0

package vm_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestDiscRequests compares what is sent for changes of the configured discs. TestDiscDecisions has what each change
// means. All machines are off, so that there is no warning about the next power cycle.
func TestDiscRequests(t *testing.T) {
	t.Parallel()
	const gone = "DELETE disc?purge=true"
	for name, test := range map[string]struct {
		from, to []string // label:size:grade
		sent     string
		says     string // the only warning; "": none
	}{
		"a disc is inserted with a grade":            {from: of("a:100"), to: of("a:100", "c:300:ssd"), sent: "POST disc label=c size=300 storage_grade=ssd"},
		"a disc goes from the middle":                {from: of("a:100", "b:200", "c:300"), to: of("a:100", "c:300"), sent: gone, says: `"b" (ID `},
		"the rest is reordered":                      {from: of("a:100", "b:200", "c:300"), to: of("a:100", "c:300", "b:200")},
		"a disc grows among others that come and go": {from: of("a:100", "b:200", "c:300"), to: of("a:150", "x:150", "y:180", "c:400"), sent: "PUT disc size=150; PUT disc size=400; " + gone + "; POST disc label=x size=150; POST disc label=y size=180", says: `"b" (ID `},
		"the boot disc is renamed and grows":         {from: of("a:100"), to: of("x:150"), sent: "PUT disc label=x; PUT disc size=150"},
		"a smaller disc is no rename":                {from: of("a:100", "b:200"), to: of("a:100", "x:150"), sent: gone + "; POST disc label=x size=150", says: `"b" (ID `},
		"one of eight makes room":                    {from: of("a:190", "b:190", "c:190", "d:190", "e:190", "f:190", "g:190", "h:190"), to: of("a:190", "x:180", "b:190", "c:190", "d:190", "e:190", "f:190", "g:190"), sent: gone + "; POST disc label=x size=180", says: `"h" (ID `},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			o := d.MustApply(t.Context(), vmType, nil, configured(off, given{"disc": discs(test.from...)}))
			config := configured(off, given{"disc": discs(test.to...)})
			plan := d.ExpectPlan(t.Context(), o, config, update)
			if text := acctest.DiagText(plan.Diagnostics); (text == "") != (test.says == "") || !strings.Contains(text, test.says) {
				t.Errorf("the plan says\n%s", text)
			}
			applyCleanly(t, d, e, o, config, test.sent)
		})
	}
}

func of(texts ...string) []string { return texts }

// TestDiscOrderOfTheService: it is not drift.
func TestDiscOrderOfTheService(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		o := d.MustApply(t.Context(), vmType, nil, twoDiscs)
		changeMachine(t, e, func(m *emulator.Machine) { slices.Reverse(m.Discs) })
		applyCleanly(t, d, e, o, twoDiscs, "")
	})
}

// TestDiscWithoutAnID: a disc of the state that has no ID, and that the machine does not show, is a difference.
func TestDiscWithoutAnID(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		o := d.MustApply(t.Context(), vmType, nil, twoDiscs)
		changeMachine(t, e, func(m *emulator.Machine) { m.Discs = m.Discs[:1] })
		applyCleanly(t, d, e, editState(t, o, "disc.1.id", nil), twoDiscs, "POST disc label=data size=5000 storage_grade=sata")
	})
}

// TestLostDiscsOfARefresh: a refresh that misses a boot disc and another one promises an empty disc for the other alone.
func TestLostDiscsOfARefresh(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		o := d.MustApply(t.Context(), vmType, nil, configured(off, given{"disc": discs("a:100", "b:200", "c:300")}))
		changeMachine(t, e, func(m *emulator.Machine) { m.Discs = m.Discs[2:] })
		_, diags := d.Refresh(t.Context(), o)
		expectSays(t, diags, `A disc of virtual machine "web1" is gone: "a"`, "It was the boot disc: the plan is an error", `A disc of virtual machine "web1" is gone: "b"`, "the apply adds an empty disc")
	})
}

// TestOnlyDiscIsGone: the boot disc is not replaced by an empty one, as the refresh says.
func TestOnlyDiscIsGone(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, configured())
		changeMachine(t, e, func(m *emulator.Machine) { m.Discs = nil })
		plan := d.Plan(ctx, vmType, d.MustRefresh(ctx, o), configured())
		expectSays(t, plan.Errors(), "error at disc: Cannot change the boot disc", "has no disc any more", "terraform destroy -refresh=false -target=ADDRESS")
		d.ExpectPlan(ctx, o, configured(given{"keymap": "de"}), update, "disc") // with ignore_changes, there is no block
	})
}

// twoDiscs returns a machine with a boot disc and a data disc.
var twoDiscs = configured(off, given{"disc": discs("vda:25600", "data:5000:sata")})

// changeAndRefresh changes a machine's discs outside Terraform. It returns the refreshed object, and the warnings of the
// refresh.
func changeAndRefresh(
	t *testing.T, d *acctest.Driver, e *acctest.Emulator, config object, change func(id int64) error,
) (*acctest.Object, string) {
	t.Helper()
	o := d.MustApply(t.Context(), vmType, nil, config)
	if err := change(onlyMachine(t, e).ID); err != nil {
		t.Fatal(err)
	}
	o, diags := d.Refresh(t.Context(), o)
	if acctest.HasErrors(diags) {
		t.Fatal(acctest.DiagText(diags))
	}
	e.ResetJournal()
	return o, acctest.DiagText(diags)
}

// TestDiscRenamedElsewhere: a disc is identified by its ID. The state keeps the configured labels, and nothing is sent
// because of a label that somebody else changed, even if another disc has it. A block that follows keeps the disc.
func TestDiscRenamedElsewhere(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		o, _ := changeAndRefresh(t, d, e, twoDiscs, func(id int64) error {
			return e.Change(id, func(m *emulator.Machine) {
				m.Discs[1].Label = "theirs"
				m.Discs = append(m.Discs, emulator.Disc{Label: "data", Size: 77})
			})
		})
		expectState(t, o, given{"disc.1.label": "data"})
		was := onlyMachine(t, e).Discs
		o = applyCleanly(t, d, e, o, twoDiscs, "")
		changeMachine(t, e, func(m *emulator.Machine) { m.Discs = m.Discs[:2] })
		applyCleanly(t, d, e, o, configured(off, given{"disc": discs("vda:25600", "theirs:7000")}), "PUT disc label=theirs; PUT disc size=7000")
		if is := onlyMachine(t, e).Discs; is[1].ID != was[1].ID {
			t.Errorf("another disc: %v", is)
		}
	})
}

// TestDiscLabelsThatTheServiceNormalises: the state keeps the configured labels.
func TestDiscLabelsThatTheServiceNormalises(t *testing.T) {
	label := regexp.MustCompile(`"label":"[^"]*"`)
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		e.Inject(emulator.Fault{Rewrite: func(status int, header http.Header, body []byte) (int, http.Header, []byte) {
			return status, header, label.ReplaceAllFunc(body, bytes.ToLower)
		}})
		blocks := func(texts ...string) object { return configured(off, given{"disc": discs(texts...)}) }
		o := applyCleanly(t, d, e, nil, blocks("Boot:25600", "Data:5000"), "create discs=Boot:25600,Data:5000 autoreboot_on=false power_on=false")
		expectState(t, o, given{"disc.1.label": "Data"})
		o = applyCleanly(t, d, e, o, blocks("Boot:25600", "Data:6000", "More:100"), "PUT disc size=6000; POST disc label=More size=100")
		o = applyCleanly(t, d, e, o, blocks("Boot:25600", "Old:6000", "More:100"), "PUT disc label=Old")
		applyCleanly(t, d, e, mustImport(t, d, o.Get("id").(string)), blocks("Boot:25600", "Old:6000", "More:100"), "") // recorded at most
	})
}

// TestGradeChangedElsewhere: a grade changed by staff, a migration or a restore plans nothing, neither during it nor
// afterwards. The disc's current grade can be recorded, and no other.
func TestGradeChangedElsewhere(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		during, target string // the grades that the service reports
		is             string // the grade that can be recorded, after a colon
	}{
		"by staff":    {during: "archive", is: ":archive"},
		"a migration": {during: "sata", target: "ssd", is: ":ssd"},
		"a restore":   {during: "iceberg", target: "sata", is: ":sata"},
	} {
		inWorldNamed(t, name, emulator.Options{}, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			graded := func(grade string) object {
				return configured(off, given{"disc": discs("vda:25600", "data:5000"+grade)})
			}
			o, said := changeAndRefresh(t, d, e, twoDiscs, func(id int64) error {
				return e.Change(id, func(m *emulator.Machine) {
					data := &m.Discs[1]
					if data.StorageGrade, data.NewStorageGrade = test.during, test.target; test.target != "" {
						data.CopyBegan, data.CopyEnds = time.Now(), time.Now().Add(time.Hour)
					}
				})
			})
			if said != "" {
				t.Errorf("the refresh says\n%s", said)
			}
			expectState(t, o, given{"disc.1.storage_grade": "sata"})
			d.ExpectPlan(ctx, o, twoDiscs, noop)
			if test.is != ":sata" {
				d.ExpectPlan(ctx, o, graded(test.is), update)
			}
			time.Sleep(2 * time.Hour)
			o = applyCleanly(t, d, e, o, twoDiscs, "")
			o = applyCleanly(t, d, e, o, graded(""), "")
			o = applyCleanly(t, d, e, o, graded(test.is), "")
			expectState(t, o, given{"disc.1.storage_grade": test.is[1:]})
			acctest.ExpectError(t, d.Plan(ctx, vmType, o, graded(":iceberg")).Diagnostics, "error at disc.1.storage_grade", "Cannot change the storage grade")
		})
	}
}

// TestDiscIDs: disc_ids has the planned labels as its keys from the first plan on, and the IDs of discs that stay are
// known in every plan.
func TestDiscIDs(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		expect := func(plan *acctest.PlanResult, want object) {
			t.Helper()
			if diff := cmp.Diff(any(want), plan.Get("disc_ids")); diff != "" {
				t.Errorf("disc_ids (-want +got)\n%s", diff)
			}
		}
		config := func(labels ...string) object { return configured(off, given{"disc": discs(labels...)}) }

		first := d.Plan(ctx, vmType, nil, config("vda:25600", "b:100"))
		expect(first, object{"vda": acctest.Unknown, "b": acctest.Unknown})
		o := mustApplyWith(t, d, first, config("vda:25600", "b:100"))
		vda, b := o.Get("disc.0.id"), o.Get("disc.1.id")

		expect(d.ExpectPlan(ctx, o, config("vda:25600", "b:100", "c:100"), update), object{"vda": vda, "b": b, "c": acctest.Unknown})
		expect(d.ExpectPlan(ctx, o, config("vda:25600"), update), object{"vda": vda})
		expect(d.ExpectPlan(ctx, o, config("vda:25600", "B2:100"), update), object{"vda": vda, "B2": b})
		unknown := d.ExpectPlan(ctx, o, configured(off, given{"disc": objects{{"label": "vda", "size": 25600}, {"label": acctest.Unknown, "size": 100}}}), update)
		if got := unknown.Get("disc_ids"); got != acctest.Unknown {
			t.Errorf("with an unknown label disc_ids is planned as %v", got)
		}

		e.AddDisc(onlyMachine(t, e).ID, emulator.Disc{Label: "theirs", Size: 100})
		o, _ = d.Refresh(ctx, o)
		ids, _ := o.Get("disc_ids").(object)
		if keys := slices.Sorted(maps.Keys(ids)); !slices.Equal(keys, []string{"b", "vda"}) {
			t.Errorf("a disc that no configuration manages is in disc_ids: %v", keys)
		}
		d.ExpectPlan(ctx, o, config("vda:25600", "b:100"), noop)
	})
}

// TestUnmanagedDisc: it is left alone and reported by every refresh, and adopted by a block with its label.
func TestUnmanagedDisc(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		var added int64
		o, said := changeAndRefresh(t, d, e, twoDiscs, func(id int64) error {
			added = e.AddDisc(id, emulator.Disc{Label: "theirs", Size: 5000, StorageGrade: "ssd"})
			return nil
		})
		if !strings.Contains(said, `Unmanaged discs: "theirs"`) {
			t.Errorf("the refresh says\n%s", said)
		}
		expectSays(t, d.Plan(ctx, vmType, o, nil).Diagnostics, `Unmanaged discs of virtual machine "web1" will be destroyed: "theirs"`)
		d.ExpectPlan(ctx, o, twoDiscs, noop)
		config := configured(off, given{"disc": discs("vda:25600", "data:5000:sata", "theirs:6000")})
		expectSays(t, d.ExpectPlan(ctx, o, config, update).Diagnostics, "are managed from now on")
		o = applyCleanly(t, d, e, o, config, "PUT disc size=6000")
		expectState(t, o, given{"disc.2.id": idOf(added), "disc.2.storage_grade": "ssd"})
		applyCleanly(t, d, e, o, twoDiscs, "DELETE disc?purge=true") // from now on it is managed
	})
}

// TestDiscThatTheMachineLacks: it stays in the state, unless it is known to be gone or on another machine.
func TestDiscThatTheMachineLacks(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		answer emulator.Fault // of the disc
		body   string         // with the ID of the disc, and then that of the machine
		stays  bool
		says   string
	}{
		"its own answer says it is there": {body: `{"id":%s,"label":"data","size":5000,"virtual_machine_id":%s}`, stays: true},
		"no answer":                       {answer: emulator.Fault{Status: http.StatusForbidden}, stays: true},
		"gone":                            {answer: emulator.Fault{Status: http.StatusNotFound}, says: "It was purged outside of Terraform"},
		"on another machine":              {body: `{"id":%s,"virtual_machine_id":4711,"name":%q}`, says: "It was moved to virtual machine 4711, with its data."},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			o := d.MustApply(ctx, vmType, nil, twoDiscs)
			disc := textOf(o.Get("disc.1.id"))
			if test.body != "" {
				test.answer = emulator.Fault{Status: http.StatusOK, Body: fmt.Sprintf(test.body, disc, textOf(o.Get("id")))}
			}
			test.answer.Match = func(r emulator.Request) bool { return r.Path == "/discs/"+disc }
			e.Inject(test.answer)
			e.Inject(emulator.Fault{
				Match: func(r emulator.Request) bool { return strings.HasPrefix(r.Path, "/virtual_machines/") },
				Rewrite: func(status int, header http.Header, body []byte) (int, http.Header, []byte) {
					var shown map[string]any
					if err := json.Unmarshal(body, &shown); err != nil {
						t.Error(err)
					}
					all, _ := shown["discs"].([]any)
					shown["discs"] = all[:1]
					changed, err := json.Marshal(shown)
					if err != nil {
						t.Error(err)
					}
					return status, header, changed
				},
			})
			read, diags := d.Refresh(ctx, o)
			if stays := read.Get("disc.1.id") == disc; stays != test.stays {
				t.Errorf("stays %t", stays)
			}
			if test.says == "" && len(diags) > 0 {
				t.Error(acctest.DiagText(diags))
			}
			if test.says != "" {
				expectSays(t, diags, `warning at disc: A disc of virtual machine "web1" is gone: "data"`, test.says, "the apply adds an empty disc")
			}
		})
	}
}

// TestExchangedDisc restores a disc beside Terraform: another disc has its label now. The plan adopts that one, the boot
// disc too, with one warning. Until then, a destroy names it.
func TestExchangedDisc(t *testing.T) {
	t.Parallel()
	for label, size := range map[string]int64{"vda": 25600, "data": 5000} {
		inBubbleNamed(t, label, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			o := d.MustApply(ctx, vmType, nil, twoDiscs)
			var old int64
			changeMachine(t, e, func(m *emulator.Machine) {
				i := slices.IndexFunc(m.Discs, func(is emulator.Disc) bool { return is.Label == label })
				old = m.Discs[i].ID
				m.Discs = slices.Delete(m.Discs, i, i+1)
			})
			id := idOf(e.AddDisc(onlyMachine(t, e).ID, emulator.Disc{Label: label, Size: size, StorageGrade: "sata"}))
			summary := fmt.Sprintf("Disc %q of virtual machine \"web1\" is another one now", label)

			gone := d.Plan(ctx, vmType, d.MustRefresh(ctx, o), nil)
			expectSays(t, gone.Diagnostics, fmt.Sprintf("Unmanaged discs of virtual machine \"web1\" will be destroyed: %q", label))

			plan := d.RefreshAndPlan(ctx, o, twoDiscs)
			if warnings := plan.Warnings(); len(warnings) != 1 || plan.Action != update {
				t.Errorf("%s, with the warnings\n%s", plan.Action, acctest.DiagText(warnings))
			}
			expectSays(t, plan.Diagnostics, summary, "It was purged outside of Terraform", "ID "+idOf(old))
			e.ResetJournal()
			applied, diags := d.Apply(ctx, vmType, plan)
			if acctest.HasErrors(diags) {
				t.Fatal(acctest.DiagText(diags))
			}
			expectSent(t, e, "")
			if got := applied.Get(fmt.Sprintf("disc_ids.%s", label)); got != id {
				t.Errorf("the state has disc %v, want %v", got, id)
			}
			d.ExpectPlan(ctx, applied, twoDiscs, noop)
		})
	}
}

// TestDiscsWithExchangedLabels: somebody has renamed a disc, and given its label to another one.
func TestDiscsWithExchangedLabels(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, twoDiscs)
		changeMachine(t, e, func(m *emulator.Machine) { m.Discs[1].Label = "old" })
		other := e.AddDisc(onlyMachine(t, e).ID, emulator.Disc{Label: "data", Size: 5000, StorageGrade: "sata"})
		plan := d.RefreshAndPlan(ctx, o, twoDiscs)
		expectSays(t, plan.Diagnostics, `Disc "data" of virtual machine "web1" has another label now`, `"old"`, idOf(other), "terraform state rm")
		if plan.Action != noop {
			t.Errorf("the plan is to %s", plan.Action)
		}
	})
}

// TestGrownDisc: a disc that somebody has grown is no error, and one that the configuration shrinks is.
func TestGrownDisc(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, twoDiscs)
		changeMachine(t, e, func(m *emulator.Machine) { m.Discs[1].Size = 9000 })
		o = d.MustRefresh(ctx, o)
		plan := d.ExpectPlan(ctx, o, twoDiscs, update)
		expectSays(t, plan.Warnings(), `Disc "data" of virtual machine "web1" was grown`, "size = 9000")
		e.ResetJournal()
		applied := d.MustApply(ctx, vmType, o, twoDiscs)
		expectSent(t, e, "")
		d.ExpectPlan(ctx, applied, twoDiscs, update) // until the configuration follows
		smaller := configured(given{"disc": discs("vda:25600", "data:4000")})
		expectSays(t, d.Plan(ctx, vmType, o, smaller).Errors(), `Cannot shrink disc "data"`)
		d.ExpectPlan(ctx, applied, configured(given{"disc": discs("vda:25600", "data:9000")}), noop)

		changeMachine(t, e, func(m *emulator.Machine) { m.Discs[1].Size = 12000 })
		again := d.ExpectPlan(ctx, d.MustRefresh(ctx, o), twoDiscs, update)
		expectSays(t, again.Warnings(), `Disc "data" of virtual machine "web1" was grown`, "size = 12000")
	})
}
