package e2e_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// The rules about what happens between two requests: trouble that begins in the middle of an operation.

// troubleAfter is a fault that answers every request with the status, from the first one after a request that begins
// accepts, for as long as it lasts.
func troubleAfter(status int, lasts time.Duration, begins func(emulator.Request) bool) emulator.Fault {
	var since time.Time
	return emulator.Fault{Status: status, Body: "trouble", Match: func(r emulator.Request) bool {
		if since.IsZero() {
			if begins(r) {
				since = time.Now()
			}
			return false
		}
		return time.Since(since) < lasts
	}}
}

func isSignal(r emulator.Request) bool { return strings.HasSuffix(r.Path, "/signal") }

// givesPowerBack is the rule "power".
func givesPowerBack(w *ruled) {
	w.config["allow_stopping_for_update"] = true
	o := w.create()
	id := number(o.Get("id"))
	config := maps.Clone(w.config)
	config["cores"] = 4
	if w.name == discNoun { // which alone does not stop its machine
		config["disc"] = []object{{"label": "vda", "size": 30000}, {"label": "new", "size": 5000}}
	}
	for _, status := range []int{http.StatusNotFound, http.StatusForbidden, http.StatusServiceUnavailable} {
		kept := w.e.Snapshot()
		d := w.startProcess()
		plan := d.Plan(w.Context(), w.typeName, o, config)
		w.e.ResetJournal()
		remove := w.e.Inject(troubleAfter(status, 40*time.Second, isSignal))
		left, diags := d.Apply(w.Context(), w.typeName, plan)
		remove()
		time.Sleep(time.Minute) // it boots
		if vm, there := w.e.Machine(id); left == nil || !there || !vm.PowerOn || !vm.AutorebootOn || !slices.ContainsFunc(w.e.Journal(), isSignal) {
			w.Errorf("%d for 40 s: in the state: %t, power_on %t, autoreboot_on %t\n%s", status, left != nil, vm.PowerOn, vm.AutorebootOn, acctest.DiagText(diags))
		}
		if err := w.e.Restore(kept); err != nil {
			w.Fatal(err)
		}
	}
	d, began := w.startProcess(), time.Now()
	plan := d.Plan(w.Context(), w.typeName, o, config)
	time.AfterFunc(2*time.Second, func() { w.e.Purge(id) }) // it goes down
	if _, diags := d.Apply(w.Context(), w.typeName, plan); !acctest.HasErrors(diags) || time.Since(began) > time.Minute {
		w.Errorf("purged meanwhile: ended after %s\n%s", time.Since(began), acctest.DiagText(diags))
	}
}

// givesItsPowerBack is the rule "power", for an action.
func givesItsPowerBack(w *ruledAction) {
	if w.deleted {
		return // its machine is off
	}
	for _, status := range []int{http.StatusNotFound, http.StatusForbidden, http.StatusServiceUnavailable} {
		kept := w.e.Snapshot()
		remove := w.e.Inject(troubleAfter(status, 40*time.Second, isSignal))
		_, diags := w.e.NewDriver(w.T, nil).Invoke(w.Context(), w.typeName, w.config)
		remove()
		time.Sleep(time.Minute)
		if vm := w.machine(); !vm.PowerOn {
			w.Errorf("%d for 40 s: it stays off\n%s", status, acctest.DiagText(diags))
		}
		if err := w.e.Restore(kept); err != nil {
			w.Fatal(err)
		}
	}
}

// waitsForItsCreation is the rule "creation".
func waitsForItsCreation(w *ruled) {
	for name, test := range map[string]struct {
		fault     emulator.Fault
		interrupt bool
		purge     bool
		fails     bool
		within    time.Duration
	}{
		"403 for 90 s":    {fault: troubleAfter(http.StatusForbidden, 90*time.Second, isCreation), within: 2 * time.Minute},
		"404 for 90 s":    {fault: troubleAfter(http.StatusNotFound, 90*time.Second, isCreation), within: 2 * time.Minute},
		"503 for good":    {fault: troubleAfter(http.StatusServiceUnavailable, time.Hour, isCreation), fails: true, within: 6 * time.Minute},
		"interrupted":     {fault: troubleAfter(http.StatusForbidden, time.Hour, isCreation), interrupt: true, fails: true, within: 20 * time.Second},
		"gone, and shown": {purge: true, fails: true, within: time.Minute},
	} {
		kept := w.e.Snapshot()
		config := maps.Clone(w.config)
		config["timeouts"] = object{"create": "5m"}
		d, began := w.startProcess(), time.Now()
		plan := d.Plan(w.Context(), w.typeName, nil, config)
		remove := func() {}
		if test.fault.Match != nil {
			remove = w.e.Inject(test.fault)
		}
		var timer *time.Timer
		if test.interrupt || test.purge {
			timer = time.AfterFunc(5*time.Second, func() {
				if test.interrupt {
					_ = d.Stop(w.Context())
				}
				for _, vm := range w.e.Machines() {
					if test.purge {
						w.e.Purge(vm.ID)
					}
				}
			})
		}
		o, diags := d.Apply(w.Context(), w.typeName, plan)
		took := time.Since(began)
		if timer != nil {
			timer.Stop()
		}
		remove()
		if acctest.HasErrors(diags) != test.fails || took > test.within || !test.purge && o == nil {
			w.Errorf("%s: ended after %s, in the state: %t\n%s", name, took, o != nil, acctest.DiagText(diags))
		}
		if err := w.e.Restore(kept); err != nil {
			w.Fatal(err)
		}
	}
}

// keepsDiscsThatAreNotShown is the rule "discs not shown".
func keepsDiscsThatAreNotShown(w *ruled) {
	o := w.create()
	w.e.Inject(withoutDiscs)
	d := w.startProcess()
	read := d.MustRefresh(w.Context(), o)
	if !slices.Equal(w.ids(read), w.ids(o)) {
		w.Errorf("the state has the discs %v, and had %v", w.ids(read), w.ids(o))
	}
	d.ExpectPlan(w.Context(), read, w.config, acctest.ActionNoOp)
}

// looksAgainForItsName is the rule "taken name": the answer to the creation is lost, its repetition finds the name
// taken, and the object is not found by its name for ten seconds.
func looksAgainForItsName(w *ruled) {
	d := w.startProcess()
	plan := d.Plan(w.Context(), w.typeName, nil, w.config)
	var since time.Time
	hidden := func() bool { return !since.IsZero() && time.Since(since) < 10*time.Second }
	w.e.Inject(emulator.Fault{Status: http.StatusBadGateway, AfterEffect: true, Times: 1, Match: func(r emulator.Request) bool {
		if isCreation(r) {
			since = time.Now()
		}
		return isCreation(r)
	}})
	if w.typeName == groupType { // it is looked for in the list
		w.e.Inject(emulator.Fault{Status: http.StatusOK, Body: "[]", Match: func(r emulator.Request) bool {
			return hidden() && r.Method == http.MethodGet && strings.HasSuffix(r.Path, "/groups")
		}})
	} else {
		w.e.Inject(emulator.Fault{Status: http.StatusNotFound, Match: func(r emulator.Request) bool { return hidden() && isByName(r) }})
	}
	o, diags := d.Apply(w.Context(), w.typeName, plan)
	creations := 0
	for _, r := range w.e.Journal() {
		if isCreation(r) {
			creations++
		}
	}
	if o == nil || acctest.HasErrors(diags) || w.count(w) != 1 || creations != 2 {
		w.Errorf("in the state: %t, at the service: %d, after %d creations\n%s", o != nil, w.count(w), creations, acctest.DiagText(diags))
	}
}

// resetsOnlyItsOwn is the rule "reverse names".
func resetsOnlyItsOwn(w *ruled) {
	o := w.create()
	hide := func() func() { return w.e.Inject(emulator.Fault{Status: http.StatusNotFound}) }
	d := w.startProcess()
	plan := d.Plan(w.Context(), w.typeName, o, w.changed())
	show := hide()
	failed, diags := d.Apply(w.Context(), w.typeName, plan)
	show()
	if failed == nil || !acctest.HasErrors(diags) {
		w.Fatalf("changed in a hidden account, in the state: %t\n%s", failed != nil, acctest.DiagText(diags))
	}
	show = hide()
	left, problems := w.destroy(failed) // it knows the account still
	show()
	if left == nil || !strings.Contains(problems, `account "demo"`) {
		w.Errorf("destroyed in a hidden account, in the state: %t\n%s", left != nil, problems)
	}
	run := w.startProcess() // another block has the name meanwhile
	run.MustApply(w.Context(), w.typeName, nil, w.config)
	w.e.ResetJournal()
	run.Apply(w.Context(), w.typeName, run.Plan(w.Context(), w.typeName, o, nil))
	setTheirs(w)
	sent := w.writes()
	w.destroy(o)
	if after := w.writes(); len(sent) != 1 || len(after) != 1 { // theirs
		w.Errorf("sent %v", after)
	}
}

const tooLong = "2562048h"

// refusesLongDurations is the rule "durations".
func refusesLongDurations(w *ruled) {
	for _, change := range []object{{"shutdown_timeout": tooLong}, {"timeouts": object{"create": tooLong}}} {
		config := maps.Clone(w.config)
		maps.Copy(config, change)
		diags := w.d.Validate(w.typeName, config)
		if !acctest.Error("", "").IsIn(diags, tfkit.LongestDuration) {
			w.Errorf("%v:\n%s", change, acctest.DiagText(diags))
		}
	}
}

// refusesLongDuration is the rule "durations", for an action.
func refusesLongDuration(w *ruledAction) {
	config := maps.Clone(w.config)
	config["timeouts"] = object{"invoke": tooLong}
	if _, diags := w.d.Invoke(w.Context(), w.typeName, config); !acctest.Error("", "").IsIn(diags, tfkit.LongestDuration) {
		w.Errorf("it says\n%s", acctest.DiagText(diags))
	}
	if len(w.e.Journal()) > 0 {
		w.Errorf("sent %v", w.e.Calls())
	}
}
