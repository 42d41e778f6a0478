package vm_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

const (
	sequences = 200
	lifetime  = 3 // configurations of a sequence
)

// TestPropertyEveryConfigurationSettles takes machines through random valid
// configurations, now and then changed behind the provider's back, and now and
// then with a request that the service refuses and an apply that is run again.
// In the end there must be an empty plan and a machine as configured, and no disc
// whose label stayed may be another one.
//
// PROPERTY_SEED=n repeats the sequence that a failure names, alone.
func TestPropertyEveryConfigurationSettles(t *testing.T) {
	t.Parallel()
	first, count := uint64(time.Now().UnixNano()), uint64(sequences)
	if text := os.Getenv("PROPERTY_SEED"); text != "" {
		seed, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		first, count = seed, 1
	}
	t.Logf("seeds %d to %d", first, first+count-1)
	for seed := first; seed < first+count; seed++ {
		t.Run(fmt.Sprintf("PROPERTY_SEED=%d", seed), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { live(t, rand.New(rand.NewPCG(seed, 0))) })
		})
	}
}

// live takes one machine through its life.
func live(t *testing.T, rng *rand.Rand) {
	ctx := t.Context()
	d, e := acctest.Drive(t, emulator.Options{BootTime: time.Minute, ShutdownTime: 7 * time.Second}, nil)
	var o *acctest.Object
	var before emulator.Machine
	was, now := wish{}, firstWish(rng)
	for step := range lifetime {
		if step > 0 && rng.IntN(4) == 0 && now.renamed == nil { // a rename beside lost discs is refused
			disturb(t, rng, e, before.ID)
			before = only(t, e)
			o = d.MustRefresh(ctx, o)
		}
		config := now.config()
		plan := d.Plan(ctx, vmType, o, config)
		disarm := func() {}
		if rng.IntN(3) == 0 {
			disarm = e.Inject(refuseOne(rng.IntN(8)))
		}
		applied, diags := d.Apply(ctx, vmType, plan)
		disarm()
		if o = applied; acctest.HasErrors(diags) {
			o = again(t, d, o, config, diags)
		}
		d.ExpectPlan(ctx, o, config, acctest.ActionNoOp)
		after := only(t, e)
		now.check(t, before, after)
		if plan.Action == acctest.ActionUpdate || plan.Action == acctest.ActionNoOp {
			now.checkKept(t, was, plan, before, after)
		}
		if t.Failed() {
			text, err := json.Marshal([]any{was.config(), config})
			t.Fatalf("step %d, %s, from and to: %s (%v)", step, plan.Action, text, err)
		}
		was, before = now, after
		if now = was.mutate(rng); rng.IntN(3) == 0 {
			now.renameDisc(rng, was)
		}
	}
}

// refuseOne is a fault: the service refuses one request after so many others.
func refuseOne(after int) emulator.Fault {
	return emulator.Fault{
		Match: func(r emulator.Request) bool { return r.Method != http.MethodGet },
		Skip:  after, Times: 1, Status: http.StatusForbidden, Body: "refused for the test",
	}
}

// again runs an apply again that failed because of refuseOne. What it left in
// the state must be what a refresh finds.
func again(t *testing.T, d *acctest.Driver, o *acctest.Object, config object, diags []*tfprotov6.Diagnostic) *acctest.Object {
	t.Helper()
	if text := acctest.DiagText(diags); !strings.Contains(text, "refused for the test") {
		t.Fatal(text)
	}
	if o != nil {
		refreshed := d.MustRefresh(t.Context(), o)
		if diff, err := o.State.Diff(refreshed.State); err != nil || len(diff) > 0 {
			t.Fatalf("the state after\n%s\nis not what the machine is: %v (%v)", acctest.DiagText(diags), diffPaths(diff), err)
		}
	}
	return d.MustApply(t.Context(), vmType, o, config)
}

// disturb changes the machine behind the provider's back.
func disturb(t *testing.T, rng *rand.Rand, e *acctest.Emulator, id int64) {
	t.Helper()
	err := e.Change(id, one(rng,
		func(m *emulator.Machine) { m.Name = "renamed" },
		func(m *emulator.Machine) { m.Cores, m.Memory = 3, 3000 },
		func(m *emulator.Machine) { m.HardwareProfile = "compatibility2011" },
		func(m *emulator.Machine) { m.AutorebootOn = !m.AutorebootOn },
		func(m *emulator.Machine) { m.PowerOn = !m.PowerOn },
		func(m *emulator.Machine) { m.CDROMURL = "https://images.example/rescue.iso" },
		func(m *emulator.Machine) { m.Discs = m.Discs[:1] },
		func(m *emulator.Machine) { m.Discs = append(m.Discs, emulator.Disc{Label: "vdz", Size: 4096}) },
	))
	if err != nil {
		t.Fatal(err)
	}
}

// check compares the machine with the wish. What the wish leaves open is for
// the service to choose, and stays as it was on the same machine.
func (w wish) check(t *testing.T, before, after emulator.Machine) {
	t.Helper()
	if after.ID != before.ID { // new
		before = after
		before.PowerOn = true
	}
	profile := cmp.Or(w.profile, before.HardwareProfile)
	if profile == "virtio2011" && after.HardwareProfile == "virtio2013" { // the service's own upgrade
		profile = after.HardwareProfile
	}
	want := fmt.Sprint(w.name, cmp.Or(w.group, before.Group), cmp.Or(int64(w.cores), before.Cores), cmp.Or(int64(w.memory), before.Memory), profile,
		or(w.locked, before.HardwareProfileLocked), or(w.autoreboot, before.AutorebootOn), or(w.power, before.PowerOn),
		cmp.Or(w.keymap, before.Keymap), w.cdrom, cmp.Or(w.zone, before.ZoneName))
	got := fmt.Sprint(after.Name, after.Group, after.Cores, after.Memory, after.HardwareProfile,
		after.HardwareProfileLocked, after.AutorebootOn, after.PowerOn,
		after.Keymap, after.CDROMURL, after.ZoneName)
	if got != want {
		t.Errorf("the machine is\n%s, want\n%s", got, want)
	}
	if len(after.Discs) != len(w.discs) {
		t.Errorf("%d discs, want %d", len(after.Discs), len(w.discs))
	}
	for _, d := range w.discs {
		if has := discOf(after, d.label); has.Size != int64(d.size) || d.grade != "" && has.StorageGrade != d.grade {
			t.Errorf("disc %+v, want %+v", has, d)
		}
	}
}

// checkKept looks at what must have survived an update: discs, and the image
// unless another one was asked for.
func (w wish) checkKept(t *testing.T, was wish, plan *acctest.PlanResult, before, after emulator.Machine) {
	t.Helper()
	if before.ID != after.ID {
		t.Errorf("the machine is another one: %d, was %d", after.ID, before.ID)
	}
	for i, d := range w.discs {
		old := discOf(before, cmp.Or(w.renamed[d.label], d.label))
		if old.ID == 0 {
			continue // new, or lost behind the provider's back
		}
		if is := discOf(after, d.label); is.ID != old.ID {
			t.Errorf("disc %s is another one: %d, was %d", d.label, is.ID, old.ID)
		}
		if planned := plan.Get(fmt.Sprintf("disc.%d.id", i)); planned != old.ID {
			t.Errorf("disc %s: planned with the id %v, has %d", d.label, planned, old.ID)
		}
	}
	images := before.Images
	if was.image != nil && w.image != nil && (imageWish{distribution: was.image.distribution, key: was.image.key, version: was.image.version, inPlace: w.image.inPlace}) != *w.image {
		images++
	}
	if after.Images != images {
		t.Errorf("imaged %d times, want %d", after.Images, images)
	}
}

func discOf(m emulator.Machine, label string) emulator.Disc {
	for _, d := range m.Discs {
		if d.Label == label {
			return d
		}
	}
	return emulator.Disc{}
}

func or(wanted *bool, otherwise bool) bool {
	if wanted != nil {
		return *wanted
	}
	return otherwise
}
