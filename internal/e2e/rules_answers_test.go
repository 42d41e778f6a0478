package e2e_test

import (
	"maps"
	"math/big"
	"net/http"
	"reflect"
	"strings"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// The rules about answers that are missing, wrong or refusals, and about values that no answer can mend.

func isWrite(r emulator.Request) bool { return r.Method != http.MethodGet }

// plansWithoutAnswers is the rule "decided by the state".
func plansWithoutAnswers(w *ruled) {
	o := w.create()
	configs := map[string]object{"change": w.changed(), "destroy": nil}
	switch w.name {
	case discNoun:
		configs["destroy"] = w.without()
	case scheduleType: // it cannot change in place
		configs["change"]["capacity"] = 3
	}
	for name, config := range configs {
		want := w.startProcess().Plan(w.Context(), w.typeName, o, config)
		d := w.startProcess()
		for _, fault := range []emulator.Fault{{Status: http.StatusServiceUnavailable}, {Status: http.StatusForbidden}, {Delay: time.Minute}} {
			remove := w.e.Inject(fault)
			got := d.Plan(w.Context(), w.typeName, o, config)
			remove()
			if got.Action == acctest.ActionError { // nothing is decided
				continue
			}
			if got.Action != want.Action || !reflect.DeepEqual(got.Get(""), want.Get("")) {
				w.Errorf("%s: with answers %s of\n%v\nwithout (%d, %s) %s of\n%v", name, want.Action, want.Get(""), fault.Status, fault.Delay, got.Action, got.Get(""))
			}
		}
	}
}

// refusesNumbers is the rule "numbers".
func refusesNumbers(w *ruled) {
	beyond, _ := new(big.Float).SetString("9223372036854775808")
	for _, value := range []any{2.5, beyond} {
		for _, name := range w.numbers {
			config := maps.Clone(w.config)
			if w.name == discNoun {
				disc := maps.Clone(config["disc"].([]object)[0])
				disc[name] = value
				config["disc"] = []object{disc}
			} else {
				config[name] = value
			}
			text := acctest.DiagText(acctest.Errors(w.d.Validate(w.typeName, config)))
			if !strings.Contains(text, name) || strings.Contains(text, "report this") || strings.Contains(text, "provider developer") {
				w.Errorf("%s = %v:\n%s", name, value, text)
			}
		}
	}
}

// namesWhatItAdopts is the rule "adopted".
func namesWhatItAdopts(w *ruled) {
	w.e.Inject(emulator.Fault{Match: isWrite, Status: http.StatusBadGateway, AfterEffect: true, Times: 1})
	o, diags := w.d.Apply(w.Context(), w.typeName, w.d.Plan(w.Context(), w.typeName, nil, w.config))
	text := acctest.DiagText(diags)
	if o == nil || acctest.HasErrors(diags) || !adopted.IsIn(diags, o.Get("id").(string)) {
		w.Errorf("created %v\n%s", o != nil, text)
	}
}

// endsWithoutSuccess is the rule "never succeeds".
func endsWithoutSuccess(w *ruled) {
	for _, status := range []int{http.StatusInternalServerError, http.StatusServiceUnavailable} {
		w.e.ResetJournal()
		d, began := w.startProcess(), time.Now()
		remove := w.e.Inject(emulator.Fault{Match: isWrite, Status: status})
		o, diags := d.Apply(w.Context(), w.typeName, d.Plan(w.Context(), w.typeName, nil, w.config))
		remove()
		if took, sent := time.Since(began), len(w.writes()); !acctest.HasErrors(diags) || o != nil || took > 5*time.Minute || sent > 15 {
			w.Errorf("%d: after %s and %d requests, in the state: %t\n%s", status, took, sent, o != nil, acctest.DiagText(diags))
		}
	}
}

// looksAfterOddSuccesses is the rule "odd success".
func looksAfterOddSuccesses(w *ruled) {
	o := w.create()
	var config object
	if w.name == discNoun {
		config = w.without()
	}
	d := w.startProcess()
	plan := d.Plan(w.Context(), w.typeName, o, config)
	w.e.Inject(emulator.Fault{Match: isWrite, Status: http.StatusOK, Body: `{"error":"not today"}`})
	left, diags := d.Apply(w.Context(), w.typeName, plan)
	if left == nil || !acctest.HasErrors(diags) {
		w.Errorf("in the state: %t\n%s", left != nil, acctest.DiagText(diags))
	}
	if left != nil && w.name == discNoun && len(w.ids(left)) != len(w.ids(o)) {
		w.Errorf("the state has the discs %v, and had %v", w.ids(left), w.ids(o))
	}
}

// reason is the text with which the service refuses a request.
const reason = "the quota of this account is used up"

// saysTheReason is the rule "reason".
func saysTheReason(w *ruled) {
	d := w.startProcess()
	refuse := func() func() {
		return w.e.Inject(emulator.Fault{Match: isWrite, Status: http.StatusForbidden, Body: reason, Header: http.Header{"Content-Type": {"text/plain"}}})
	}
	remove := refuse()
	o, diags := d.Apply(w.Context(), w.typeName, d.Plan(w.Context(), w.typeName, nil, w.config))
	remove()
	if text := acctest.DiagText(acctest.Errors(diags)); o != nil || !strings.Contains(text, reason) {
		w.Errorf("created: %t\n%s", o != nil, text)
	}
	o = w.create()
	refuse()
	for step, config := range map[string]object{"changed": w.changed(), "destroyed": nil} {
		if step == "destroyed" && w.name == discNoun {
			config = w.without()
		}
		d := w.startProcess()
		plan := d.Plan(w.Context(), w.typeName, o, config)
		if plan.Action == acctest.ActionNoOp {
			continue // there is nothing to change in place
		}
		left, diags := d.Apply(w.Context(), w.typeName, plan)
		if text := acctest.DiagText(acctest.Errors(diags)); left == nil || !reflect.DeepEqual(left.Get("id"), o.Get("id")) || !strings.Contains(text, reason) {
			w.Errorf("%s: in the state: %t\n%s", step, left != nil, text)
		}
	}
}

// saysItsReason is the rule "reason", for an action.
func saysItsReason(w *ruledAction) {
	w.e.Inject(emulator.Fault{Match: isWrite, Status: http.StatusForbidden, Body: reason, Header: http.Header{"Content-Type": {"text/plain"}}})
	_, diags := w.d.Invoke(w.Context(), w.typeName, w.config)
	if text := acctest.DiagText(acctest.Errors(diags)); !strings.Contains(text, reason) {
		w.Errorf("it says\n%s", text)
	}
}

// saysThatAllIsHeld is the rule "429".
func saysThatAllIsHeld(w *ruled) {
	d := w.startProcess()
	plan := d.Plan(w.Context(), w.typeName, nil, w.config)
	w.e.Inject(emulator.Fault{Status: http.StatusTooManyRequests, Header: http.Header{"Retry-After": {"7"}}})
	o, diags := d.Apply(w.Context(), w.typeName, plan)
	if text := acctest.DiagText(acctest.Errors(diags)); o != nil || !strings.Contains(text, "429") {
		w.Errorf("in the state: %t\n%s", o != nil, text)
	}
}

// saysThatItIsHeld is the rule "429", for an action.
func saysThatItIsHeld(w *ruledAction) {
	w.e.Inject(emulator.Fault{Status: http.StatusTooManyRequests, Header: http.Header{"Retry-After": {"7"}}})
	_, diags := w.d.Invoke(w.Context(), w.typeName, w.config)
	if text := acctest.DiagText(acctest.Errors(diags)); !strings.Contains(text, "429") {
		w.Errorf("it says\n%s", text)
	}
}
