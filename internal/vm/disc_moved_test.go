package vm_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// addSecondMachine adds somebody else's machine, to which discs can be moved.
func addSecondMachine(e *acctest.Emulator) int64 {
	return e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "other", Discs: []emulator.Disc{{Label: "vda", Size: 25600, StorageGrade: "sata"}}})
}

// TestMovedDisc: if a disc was moved to another machine, before the plan or after it, no empty disc is added for it,
// and removing its block purges nothing. After that its label can be used again.
func TestMovedDisc(t *testing.T) {
	t.Parallel()
	for _, late := range []bool{false, true} {
		inBubbleNamed(t, fmt.Sprintf("after the plan %t", late), func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			o := d.MustApply(ctx, vmType, nil, twoDiscs)
			id := parsed(o.Get("id"))
			is, _ := e.Machine(id)
			plan, other := d.Plan(ctx, vmType, o, configured(off)), addSecondMachine(e)
			if err := e.MoveDisc(id, "data", other); err != nil {
				t.Fatal(err)
			}
			e.ResetJournal()
			if !late {
				for range 2 {
					o = d.MustRefresh(ctx, o)
					acctest.ExpectError(t, d.Plan(ctx, vmType, o, twoDiscs).Diagnostics, "error at disc.1.label:", `Disc "data" is on another machine`, fmt.Sprintf("virtual machine %d", other))
					acctest.ExpectError(t, d.Plan(ctx, vmType, o, configured(off, given{"disc": discs("vda:25600", "renamed:5000:sata")})).Diagnostics, `Disc "data" is on another machine`)
				}
				plan = d.Plan(ctx, vmType, o, configured(off))
				expectSays(t, plan.Warnings(), "Discs of the machine leave the state", `: "data" (ID `, "Nothing is sent")
				if text := acctest.DiagText(plan.Diagnostics); strings.Contains(text, "purged") {
					t.Error(text)
				}
			}
			o = mustApply(t, d, plan)
			expectSent(t, e, "")
			d.ExpectPlan(ctx, o, configured(off), noop)
			if moved, _ := e.Machine(other); len(moved.Discs) != 2 || moved.Discs[1].ID != is.Discs[1].ID {
				t.Errorf("the other machine has %+v", moved.Discs)
			}
			if got := privateState(t, d.MustRefresh(ctx, o)); strings.Contains(got, "machine") {
				t.Errorf("the private state has %s", got)
			}
			e.ResetJournal()
			o = d.MustApply(ctx, vmType, o, twoDiscs)
			expectSent(t, e, "POST disc label=data size=5000 storage_grade=sata")
			if o.Get("disc.1.id") == idOf(is.Discs[1].ID) {
				t.Error("it is the moved one")
			}
		})
	}
}

// TestMovedDiscComesBack: it is still the disc in the state, whatever happened to its label.
func TestMovedDiscComesBack(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, twoDiscs)
		id, other, disc := parsed(o.Get("id")), addSecondMachine(e), o.Get("disc.1.id")
		if err := e.MoveDisc(id, "data", other); err != nil {
			t.Fatal(err)
		}
		o = d.MustRefresh(ctx, o)
		d.MustApply(ctx, vmType, nil, configured(off, given{"name": "web3"})) // of no interest
		if err := e.MoveDisc(other, "data", id); err != nil {
			t.Fatal(err)
		}
		o = d.MustRefresh(ctx, o)
		d.ExpectPlan(ctx, o, twoDiscs, noop)
		if o.Get("disc.1.id") != disc || strings.Contains(privateState(t, o), "machine") {
			t.Errorf("disc %v, private state %s", o.Get("disc.1.id"), privateState(t, o))
		}
	})
}

// TestMovedDiscThatIsPurged: it leaves the state, and an empty disc takes its place.
func TestMovedDiscThatIsPurged(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, twoDiscs)
		other := addSecondMachine(e)
		if err := e.MoveDisc(parsed(o.Get("id")), "data", other); err != nil {
			t.Fatal(err)
		}
		o = d.MustRefresh(ctx, o)
		e.RemoveDisc(other, "data")
		o, diags := d.Refresh(ctx, o)
		expectSays(t, diags, `"web1": "data" (ID`)
		d.ExpectPlan(ctx, o, twoDiscs, update)
	})
}

// TestDiscsExchangedBetweenMachines: two machines have discs with the same label. Neither machine adopts the other's
// data.
func TestDiscsExchangedBetweenMachines(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		configs := []object{twoDiscs, configured(twoDiscs, given{"name": "web2"})}
		var machines []*acctest.Object
		for _, config := range configs {
			machines = append(machines, d.MustApply(ctx, vmType, nil, config))
		}
		first, second := parsed(machines[0].Get("id")), parsed(machines[1].Get("id"))
		aside := addSecondMachine(e)
		for _, move := range [][2]int64{{first, aside}, {second, first}, {aside, second}} {
			if err := e.MoveDisc(move[0], "data", move[1]); err != nil {
				t.Fatal(err)
			}
		}
		e.ResetJournal()
		for i, config := range configs {
			o, _ := d.Refresh(ctx, machines[i])
			plan := d.Plan(ctx, vmType, o, config)
			// The warning does not promise what the plan refuses.
			said := plan.Diagnostics
			expectSays(t, said, "No block adopts it while the state has another disc of its label, which is on another machine: \"data\".")
			if text := acctest.DiagText(said); strings.Contains(text, "adopts it, and the plan says so") {
				t.Error(text)
			}
			acctest.ExpectError(t, plan.Errors(), "error at disc.1.label:", `Disc "data" is on another machine`, "another one",
				"(ID "+machines[1-i].Get("disc.1.id").(string)+")")
			if got, want := o.Get("disc.1.id"), machines[i].Get("disc.1.id"); got != want {
				t.Errorf("the state has disc %v, not %v", got, want)
			}
		}
		expectSent(t, e, "")
		// After both machines have dropped the discs, each is adopted by a block of the other machine.
		for i, config := range configs {
			machines[i] = d.MustApply(ctx, vmType, d.MustRefresh(ctx, machines[i]), configured(config, given{"disc": discs("vda:25600")}))
		}
		one := machines[0].Get("id")
		o := d.MustApply(ctx, vmType, d.MustRefresh(ctx, machines[0]), configs[0])
		is, _ := e.Machine(parsed(one))
		if o.Get("disc.1.id") != idOf(is.Discs[1].ID) {
			t.Errorf("adopted %v, and the machine has %d", o.Get("disc.1.id"), is.Discs[1].ID)
		}
		expectSent(t, e, "")
	})
}

// TestDiscOnItsWayBack: a disc that is still in the state of another machine is not purged, in whatever order Terraform
// plans the machines, protected or not.
func TestDiscOnItsWayBack(t *testing.T) {
	t.Parallel()
	for _, protection := range []bool{false, true} {
		for _, last := range []bool{false, true} {
			inBubbleNamed(t, fmt.Sprintf("protected %t, the other is planned last %t", protection, last), func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
				ctx := t.Context()
				first := d.MustApply(ctx, vmType, nil, twoDiscs)
				bare := configured(off, given{"name": "web2", "deletion_protection": protection})
				second := d.MustApply(ctx, vmType, nil, bare)
				if err := e.MoveDisc(parsed(first.Get("id")), "data", parsed(second.Get("id"))); err != nil {
					t.Fatal(err)
				}
				second = d.MustApply(ctx, vmType, d.MustRefresh(ctx, second), configured(bare, given{"disc": discs("vda:25600", "data:5000")}))
				run := e.NewDriver(t, nil).OneRun()
				var diags []*tfprotov6.Diagnostic
				plan := func() {
					diags = append(diags, run.Plan(ctx, vmType, run.MustRefresh(ctx, second), bare).Diagnostics...)
				}
				read := func() {
					diags = append(diags, run.Plan(ctx, vmType, run.MustRefresh(ctx, first), twoDiscs).Diagnostics...)
				}
				if last {
					plan()
					read()
				} else {
					read()
					plan()
				}
				text := acctest.DiagText(acctest.Errors(diags))
				for _, want := range []string{`Cannot purge disc "data" of virtual machine "web2"`, `from virtual machine "web1"`, "on its way back"} {
					if !strings.Contains(text, want) {
						t.Errorf("want %q in\n%s", want, text)
					}
				}
				if protection != strings.Contains(text, "deletion_protection is true") {
					t.Errorf("protected %t:\n%s", protection, text)
				}
				// After the other machine has dropped it, only the protection prevents the destroy.
				first = d.MustApply(ctx, vmType, d.MustRefresh(ctx, first), configured(off))
				second = d.MustApply(ctx, vmType, second, configured(bare, given{"deletion_protection": false, "disc": discs("vda:25600", "data:5000")}))
				later := e.NewDriver(t, nil).OneRun()
				later.MustRefresh(ctx, first)
				if plan := later.Plan(ctx, vmType, second, configured(bare, given{"deletion_protection": false})); plan.Action != update {
					t.Error(acctest.DiagText(plan.Diagnostics))
				}
			})
		}
	}
}

// TestEmptyDiscBesideAMovedOne: the block that is meant to adopt a moved disc has another label, so it would add an empty
// disc. That is refused in whatever order Terraform plans the machines, until the other machine has dropped the disc.
func TestEmptyDiscBesideAMovedOne(t *testing.T) {
	t.Parallel()
	for _, last := range []bool{false, true} {
		inBubbleNamed(t, fmt.Sprintf("the other is planned last %t", last), func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			first := d.MustApply(ctx, vmType, nil, twoDiscs)
			bare := configured(off, given{"name": "web2"})
			second := d.MustApply(ctx, vmType, nil, bare)
			if err := e.MoveDisc(parsed(first.Get("id")), "data", parsed(second.Get("id"))); err != nil {
				t.Fatal(err)
			}
			errorsOf := func(config object) string {
				run := e.NewDriver(t, nil).OneRun()
				var diags []*tfprotov6.Diagnostic
				plan := func() {
					diags = append(diags, run.Plan(ctx, vmType, run.MustRefresh(ctx, second), config).Diagnostics...)
				}
				if last {
					plan()
				}
				diags = append(diags, run.Plan(ctx, vmType, run.MustRefresh(ctx, first), configured(off)).Diagnostics...)
				if !last {
					plan()
				}
				return acctest.DiagText(acctest.Errors(diags))
			}
			another := configured(bare, given{"disc": discs("vda:25600", "files:5000")})
			text := errorsOf(another)
			for _, want := range []string{`error at disc: Cannot add an empty disc to virtual machine "web2"`, `Disc "data" (ID `, `from virtual machine "web1"`, `the label "data"`} {
				if !strings.Contains(text, want) {
					t.Errorf("want %q in\n%s", want, text)
				}
			}
			for name, config := range map[string]object{
				"no other disc":  configured(bare, given{"cores": 2}),
				"the same label": configured(bare, given{"disc": discs("vda:25600", "data:5000")}),
				"both":           configured(bare, given{"disc": discs("vda:25600", "data:5000", "files:5000")}),
			} {
				if text := errorsOf(config); text != "" {
					t.Errorf("%s: %s", name, text)
				}
			}
			first = d.MustApply(ctx, vmType, d.MustRefresh(ctx, first), configured(off))
			if text := errorsOf(another); text != "" {
				t.Errorf("after the other machine has dropped the disc: %s", text)
			}
		})
	}
}

// TestBlockThatMovesToAnotherMachine: the disc does not move with the block. One disc is purged, and the other is
// empty. The later one of the two plans warns of that.
func TestBlockThatMovesToAnotherMachine(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		had := d.MustApply(ctx, vmType, nil, twoDiscs)
		bare := configured(off, given{"name": "web2"})
		gets := d.MustApply(ctx, vmType, nil, bare)
		with := configured(bare, given{"disc": discs("vda:25600", "data:5000:sata")})
		const warned = "warning at disc: A disc is purged, and another machine gets an empty one of the same label"
		for name, other := range map[string]struct {
			o      *acctest.Object
			config object
			warns  bool
		}{
			"to a machine":     {o: gets, config: with, warns: true},
			"to a new machine": {config: configured(with, given{"name": "web3"}), warns: true},
			"another label": {
				o:      gets,
				config: configured(bare, given{"disc": discs("vda:25600", "more:5000:sata")}),
			},
		} {
			for _, purgeFirst := range []bool{true, false} {
				run := e.NewDriver(t, nil).OneRun()
				purge := func() string { return acctest.DiagText(run.Plan(ctx, vmType, had, configured(off)).Diagnostics) }
				add := func() string { return acctest.DiagText(run.Plan(ctx, vmType, other.o, other.config).Diagnostics) }
				first, second := purge, add
				if !purgeFirst {
					first, second = add, purge
				}
				if text := first(); strings.Contains(text, warned) {
					t.Errorf("%s: the first says %s", name, text)
				}
				if text := second(); strings.Contains(text, warned) != other.warns || other.warns && !strings.Contains(text, `Disc "data" of virtual machine "web1" is purged`) {
					t.Errorf("%s: the second says %s", name, text)
				}
			}
		}
	})
}

// TestDiscThatTheMachineLacks: it stays in the state, unless it is known to be gone or on another machine.
func TestDiscThatTheMachineLacks(t *testing.T) {
	t.Parallel()
	get := func(path string) func(emulator.Request) bool {
		return func(r emulator.Request) bool { return r.Method == http.MethodGet && strings.Contains(r.Path, path) }
	}
	for name, test := range map[string]struct {
		machine string // in the disc's answer, "" for none; "404" for no disc, "hidden" for no account either
		stays   bool
		says    string
	}{
		"its own answer says it is there": {machine: "own", stays: true},
		"its answer does not say where":   {stays: true, says: "The machine of a disc is not known"},
		"gone":                            {machine: "404", says: `"web1": "data" (ID`},
		"out of sight": {
			machine: "hidden",
			stays:   true,
			says:    "error: Cannot read the discs of virtual machine",
		},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			o := d.MustApply(ctx, vmType, nil, twoDiscs)
			id, disc := o.Get("id").(string), o.Get("disc.1.id").(string)
			answer := fmt.Sprintf(`{"id":%s,"name":"web1","hostname":%q,"group_id":%s,"power_on":false,"autoreboot_on":false,"discs":[{"id":%s,"label":"vda","size":25600,"storage_grade":"sata"}]}`,
				id, o.Get("hostname"), o.Get("group_id"), o.Get("disc.0.id"))
			e.Inject(emulator.Fault{Match: get("/virtual_machines/" + id), Status: http.StatusOK, Body: answer})
			switch test.machine {
			case "own":
				e.Inject(emulator.Fault{Match: get("/discs/" + disc), Status: http.StatusOK, Body: fmt.Sprintf(`{"id":%s,"label":"data","size":5000,"virtual_machine_id":%s}`, disc, id)})
			case "":
				e.Inject(emulator.Fault{Match: get("/discs/" + disc), Status: http.StatusOK, Body: fmt.Sprintf(`{"id":%s,"label":"data","size":5000}`, disc)})
			case "hidden":
				e.Inject(emulator.Fault{Match: get("/accounts"), Status: http.StatusNotFound})
				fallthrough
			default:
				e.Inject(emulator.Fault{Match: get("/discs/" + disc), Status: http.StatusNotFound})
			}
			read, diags := d.Refresh(ctx, o)
			if stays := read.Get("disc.1.id") == disc; stays != test.stays {
				t.Errorf("stays %t", stays)
			}
			if text := acctest.DiagText(diags); !strings.Contains(text, test.says) || (text == "") != (test.says == "") {
				t.Errorf("want %q, got\n%s", test.says, text)
			}
		})
	}
}
