package vm_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestSwitchedOffWhileItStarts: a colleague switches a machine off for good while an update waits for it to come on.
// The wait ends, the power is left alone, and nothing is owed.
func TestSwitchedOffWhileItStarts(t *testing.T) {
	inWorld(t, emulator.Options{BootTime: time.Minute}, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, configured(given{"cores": 2, leave: true}))
		plan := d.Plan(ctx, vmType, o, configured(given{"cores": 4, leave: true}))
		e.ResetJournal()
		began := time.Now()
		time.AfterFunc(30*time.Second, func() {
			changeMachine(t, e, func(m *emulator.Machine) { m.PowerOn, m.AutorebootOn = false, false })
		})
		now, diags := d.Apply(ctx, vmType, plan)
		acctest.ExpectError(t, acctest.Errors(diags), "Cannot set the power of", "omebody switched the machine off")
		expectSent(t, e, "PUT autoreboot_on=false; signal powerdown; PUT cores=4; PUT autoreboot_on=true power_on=true")
		if took := time.Since(began); took > time.Minute {
			t.Errorf("the wait took %s", took)
		}
		expectState(t, now, given{"power_on": false, "autoreboot_on": false, "cores": int64(4)})
		d.ExpectPlan(ctx, d.MustRefresh(ctx, now), configured(given{"cores": 4, leave: true}), noop)
	})
}

// TestSwitchedOffWhileItIsRestored: an update fails, and a colleague switches the machine off for good while its power is
// restored. The power is left alone, and nothing is owed.
func TestSwitchedOffWhileItIsRestored(t *testing.T) {
	inWorld(t, emulator.Options{BootTime: time.Minute}, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, configured(given{"cores": 2, leave: true}))
		plan := d.Plan(ctx, vmType, o, configured(given{"cores": 4, leave: true}))
		e.Inject(refuse("PUT", "", `"cores"`, 1))
		e.ResetJournal()
		time.AfterFunc(30*time.Second, func() {
			changeMachine(t, e, func(m *emulator.Machine) { m.PowerOn, m.AutorebootOn = false, false })
		})
		now, diags := d.Apply(ctx, vmType, plan)
		expectSays(t, diags, "error: Cannot update", "The power of the machine is left alone", "somebody switched it off")
		expectSent(t, e, "PUT autoreboot_on=false; signal powerdown; PUT cores=4; PUT autoreboot_on=true power_on=true")
		expectPower(t, e, false, false)
		expectState(t, now, given{"power_on": false, "autoreboot_on": false, "cores": int64(2)})
		if strings.Contains(acctest.DiagText(diags), "Cannot restore") || strings.Contains(privateState(t, now), "owed") {
			t.Errorf("owed: %s\n%s", now.Private, acctest.DiagText(diags))
		}
		d.ExpectPlan(ctx, d.MustRefresh(ctx, now), configured(given{"cores": 2, leave: true}), noop)
	})
}

// TestOffForAMoment: a machine was off when the plan was made, and the service has started it since. An update of
// autoreboot_on alone, whose plan shows no change of power_on, does not stop it.
func TestOffForAMoment(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, configured())
		o = editState(t, o, "power_on", false) // as the refresh of the plan saw it
		plan := d.Plan(ctx, vmType, o, configured(given{"autoreboot_on": false}))
		e.ResetJournal()
		_, diags := d.Apply(ctx, vmType, plan)
		acctest.ExpectError(t, acctest.Errors(diags), "error at power_on", "it is on now")
		expectSent(t, e, "")
		if !onlyMachine(t, e).PowerOn {
			t.Error("it is off")
		}
	})
}

// TestChangedElsewhereIsNotOverwritten: what an update is about to overwrite is what its plan saw, or it is an error
// with both values. The planned value is nothing to do.
func TestChangedElsewhereIsNotOverwritten(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		was, to   given
		elsewhere func(*emulator.Machine)
		says      []string // nil: no error
		sent      string
	}{
		"a name": {
			to: given{"name": "web2"}, elsewhere: func(m *emulator.Machine) { m.Name = "theirs" },
			says: []string{"error at name", `"web1"`, `"theirs"`, `"web2"`},
		},
		"the planned name": {to: given{"name": "web2"}, elsewhere: func(m *emulator.Machine) { m.Name = "web2" }},
		"cores": {
			was: with(off, "cores", 1), to: with(off, "cores", 4), elsewhere: func(m *emulator.Machine) { m.Cores = 2 },
			says: []string{"error at cores", "was 1", "is 2 now", "to 4"},
		},
		"the planned cores": {was: with(off, "cores", 1), to: with(off, "cores", 4), elsewhere: func(m *emulator.Machine) { m.Cores = 4 }},
		"a profile, upgraded by the service": {
			was: with(off, "hardware_profile", "virtio2011"), to: with(off, "hardware_profile", "compatibility2013"),
			elsewhere: func(m *emulator.Machine) { m.HardwareProfile = "virtio2013" }, sent: "PUT hardware_profile=compatibility2013",
		},
		"a label": {
			was: given{"disc": discs("vda:25600", "vdb:1024")}, to: given{"disc": discs("vda:25600", "data:1024")},
			elsewhere: func(m *emulator.Machine) { m.Discs[1].Label = "theirs" }, says: []string{"error at disc.1.label", `"vdb"`, `"theirs"`, `"data"`},
		},
		"the planned label": {
			was: given{"disc": discs("vda:25600", "vdb:1024")}, to: given{"disc": discs("vda:25600", "data:1024")},
			elsewhere: func(m *emulator.Machine) { m.Discs[1].Label = "data" },
		},
		"a size": {
			was: given{"disc": discs("vda:25600", "vdb:1024")}, to: given{"disc": discs("vda:25600", "vdb:4096")},
			elsewhere: func(m *emulator.Machine) { m.Discs[1].Size = 2048 }, says: []string{"error at disc.1.size", "was 1024", "is 2048 now", "to 4096"},
		},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			o := d.MustRefresh(ctx, d.MustApply(ctx, vmType, nil, configured(test.was)))
			plan := d.Plan(ctx, vmType, o, configured(test.to))
			changeMachine(t, e, test.elsewhere)
			e.ResetJournal()
			_, diags := d.Apply(ctx, vmType, plan)
			if test.says == nil && acctest.HasErrors(diags) {
				t.Error(acctest.DiagText(diags))
			} else if test.says != nil {
				acctest.ExpectError(t, acctest.Errors(diags), test.says...)
			}
			expectSent(t, e, test.sent)
		})
	}
}

// TestNamedLikeItDuringAShutdown: while the guest shuts down, somebody gives another machine the machine's ID as its
// name. The path of the next request leads to that one, so nothing more is sent.
func TestNamedLikeItDuringAShutdown(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustRefresh(ctx, d.MustApply(ctx, vmType, nil, configured(given{leave: true})))
		id := onlyMachine(t, e).ID
		other := e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "other", Cores: 1})
		plan := d.Plan(ctx, vmType, o, configured(given{"cores": 4, leave: true}))
		e.ResetJournal()
		time.AfterFunc(2*time.Second, func() {
			if err := e.Change(other, func(m *emulator.Machine) { m.Name = idOf(id) }); err != nil {
				t.Error(err)
			}
		})
		_, diags := d.Apply(ctx, vmType, plan)
		expectSays(t, diags, "has no unambiguous address", "Rename or purge that machine")
		for _, r := range e.Journal() {
			if r.Method != http.MethodGet && r.Reached.Machine != id {
				t.Errorf("%s %s %s reached machine %d", r.Method, r.Path, r.Body, r.Reached.Machine)
			}
		}
		expectSent(t, e, strings.TrimSuffix(stop, "; "))
	})
}
