package e2e_test

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/origin"
)

// rule is a promise of the provider for most nouns.
type rule struct {
	name string
	// promise is the row of the table in DESIGN.md.
	promise string
	// resource tests the rule with one resource, and action with one action.
	resource func(w *ruled)
	action   func(w *ruledAction)
	// elsewhere has the nouns that the rule is not tested with here: the test that does so, or doesNotApply.
	elsewhere map[string]string
}

const doesNotApply = "–"

// rules returns the rules in the order of the table.
func rules() []rule {
	return []rule{
		{
			name: "gone", promise: "An object that is gone is removed from the state, and a destroy sends nothing for it",
			resource: leavesTheState, action: saysThatNothingIsThere,
		},
		{
			name: "out of sight", promise: "If an account is hidden before, during or after any request of a refresh or destroy, nothing is lost",
			resource: survivesHiding, elsewhere: map[string]string{actions: doesNotApply},
		},
		{
			name: "another service", promise: "Another service's object with the same ID, soft-deleted or not, is not dropped, changed or destroyed",
			resource: refusesAnotherService, elsewhere: map[string]string{actions: "TestOthers"},
		},
		{
			name: "changed elsewhere", promise: "What somebody else has changed between plan and apply is neither overwritten nor destroyed",
			resource: leavesTheChangesOfOthers, action: looksBeforeItDestroys,
		},
		{
			name: "lost answer", promise: "After a lost answer to any write there is exactly one object, and it is in the state",
			resource: survivesLostAnswers, elsewhere: map[string]string{actions: "TestFaults"},
		},
		{
			name: "refused, then repeated", promise: "A write that is answered with 503 is repeated, and before one that destroys its object is read again",
			resource: repeatsWhatWasRefused, elsewhere: map[string]string{scheduleType: "TestWhatIsRepeated", actions: "TestFaults"},
		},
		{
			name: "twice in one configuration", promise: "Two resources that create one object are an error",
			resource: refusesTwins, elsewhere: map[string]string{scheduleType: "TestEqualSchedule", actions: doesNotApply},
		},
		{
			name: "imported twice", promise: "One object cannot be imported for two resources",
			resource: refusesSecondImport, elsewhere: map[string]string{discNoun: doesNotApply, actions: doesNotApply},
		},
		{
			name: "unknown at plan", promise: "A value that is unknown at plan is applied as planned",
			resource: plansUnknownValues, action: plansWithoutItsMachine,
		},
		{
			name: "interrupted", promise: "After an interrupt during any request the state contains what exists",
			elsewhere: map[string]string{
				vmType: "TestOthers", discNoun: "TestOthers", groupType: "TestOthers", scheduleType: "TestOthers", rdnsType: "TestOthers", actions: "TestOthers",
			},
		},
		{
			name: "decided by the state", promise: "While the service does not answer, a plan decides the same about data, or is an error",
			resource: plansWithoutAnswers, elsewhere: map[string]string{actions: doesNotApply},
		},
		{
			name: "never succeeds", promise: "A creation that always fails ends within five minutes and fifteen requests, and leaves nothing in the state",
			resource: endsWithoutSuccess, elsewhere: map[string]string{discNoun: doesNotApply, actions: "TestFaults"},
		},
		{
			name: "odd success", promise: "If a request that destroys is answered with a success that API.md does not promise, the result is checked",
			resource: looksAfterOddSuccesses, elsewhere: map[string]string{actions: "TestFaults"},
		},
		{
			name: "reason", promise: "An error contains the service's reason, and the state keeps what exists",
			resource: saysTheReason, action: saysItsReason,
		},
		{
			name: "429", promise: "An error after a lasting 429 mentions it",
			resource: saysThatAllIsHeld, action: saysThatItIsHeld,
		},
	}
}

// ruleOfFew is a promise for one noun or a few, which is no row of the table.
type ruleOfFew struct {
	promise  string
	resource func(w *ruled)
	nouns    []string
	action   func(w *ruledAction)
}

func rulesOfFew() map[string]ruleOfFew {
	return map[string]ruleOfFew{
		"protected": {
			promise:  "deletion_protection refuses every operation that loses data; of actions: TestProtectedMachines",
			resource: refusesLoss, nouns: []string{vmType, discNoun},
		},
		"waiting": {
			promise:  "Waiting for a slot or a turn is not part of any timeout",
			resource: waitsOutsideOfTimeouts, nouns: []string{vmType}, action: waitsOutsideOfItsTimeout,
		},
		"numbers": {
			promise:  "A fraction, or a number that is too large, is an error at its attribute",
			resource: refusesNumbers, nouns: []string{vmType, discNoun, scheduleType},
		},
		"durations": {
			promise:  "A duration that is too long is an error that says so",
			resource: refusesLongDurations, nouns: []string{vmType}, action: refusesLongDuration,
		},
		"power": {
			promise:  "If a machine was stopped, its power is restored for two minutes whatever fails, unless the machine is proven gone",
			resource: givesPowerBack, nouns: []string{vmType, discNoun}, action: givesItsPowerBack,
		},
		"creation": {
			promise:  "The wait of a creation ends by its deadline, an interrupt or proof that the object is gone, not by a short refusal",
			resource: waitsForItsCreation, nouns: []string{vmType},
		},
		"adopted": {
			promise:  "If a creation adopts an object without a confirmation by the service, a warning names it",
			resource: namesWhatItAdopts, nouns: []string{vmType, groupType},
		},
		"taken name": {
			promise:  "After a lost answer, a name that is taken but not found is looked for again",
			resource: looksAgainForItsName, nouns: []string{vmType, groupType},
		},
		"discs not shown": {
			promise:  "A disc that its machine does not show stays in the state, unless it is gone or on another machine",
			resource: keepsDiscsThatAreNotShown, nouns: []string{discNoun},
		},
		"reverse names": {
			promise:  "A failed apply forgets no account of a reverse name, and a delete resets only a name that it left and that no other block wants",
			resource: resetsOnlyItsOwn, nouns: []string{rdnsType},
		},
	}
}

// TestRules tests each rule with each resource and each action of the provider. It fails for a registered noun without
// a fixture.
func TestRules(t *testing.T) {
	t.Parallel()
	for _, r := range rules() {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			for _, n := range nouns() {
				if _, ok := r.elsewhere[n.name]; !ok {
					testRule(t, n, r.resource)
				}
			}
			if _, ok := r.elsewhere[actions]; !ok {
				testRuleOfActions(t, r.action)
			}
		})
	}
}

// TestRulesOfFew tests the rules that hold for one noun or a few.
func TestRulesOfFew(t *testing.T) {
	t.Parallel()
	for name, r := range rulesOfFew() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, n := range nouns() {
				if slices.Contains(r.nouns, n.name) {
					testRule(t, n, r.resource)
				}
			}
			if r.action != nil {
				testRuleOfActions(t, r.action)
			}
		})
	}
}

func testRule(t *testing.T, n noun, test func(*ruled)) {
	t.Run(n.name, func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			test(newRuled(t, n))
			time.Sleep(time.Hour) // abandoned requests end
		})
	})
}

func testRuleOfActions(t *testing.T, test func(*ruledAction)) {
	for _, a := range ruledActions() {
		t.Run(a.typeName, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				test(newRuledAction(t, a))
				time.Sleep(time.Hour)
			})
		})
	}
}

// TestRulesConcernEverything compares the nouns and actions above with those that the provider has.
func TestRulesConcernEverything(t *testing.T) {
	t.Parallel()
	d, _ := acctest.Drive(t, emulator.Options{}, nil)
	var have []string
	for _, n := range nouns() {
		if n.name == n.typeName {
			have = append(have, n.name)
		}
	}
	slices.Sort(have)
	if want := d.ResourceTypes(); !slices.Equal(have, want) {
		t.Errorf("the rules know the resources %v, and the provider has %v", have, want)
	}
	have = nil
	for _, a := range ruledActions() {
		have = append(have, a.typeName)
	}
	slices.Sort(have)
	if want := d.ActionTypes(); !slices.Equal(have, want) {
		t.Errorf("the rules know the actions %v, and the provider has %v", have, want)
	}
}

// TestRulesTable: the table in DESIGN.md has a row for each rule, and in each cell the test or the reason why there is
// none.
func TestRulesTable(t *testing.T) {
	t.Parallel()
	const file, begin, end = "../../DESIGN.md", "<!-- rules -->\n", "<!-- end of rules -->"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), begin)
	present, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s has no %s … %s", file, strings.TrimSpace(begin), end)
	}
	table := rulesTable()
	if os.Getenv("UPDATE_RULES") != "" {
		if err := os.WriteFile(file, []byte(before+begin+table+end+after), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if present != table {
		t.Errorf("the table of rules in %s is out of date: UPDATE_RULES=1 go test ./internal/e2e -run TestRulesTable. It should be\n%s", file, table)
	}
}

func rulesTable() string {
	columns := []string{vmType, discNoun, groupType, scheduleType, rdnsType, actions}
	heads := []string{"machine", "disc", "group", "schedule", "reverse name", "actions"}
	var table strings.Builder
	table.WriteString("| Rule | " + strings.Join(heads, " | ") + " |\n|---" + strings.Repeat("|---", len(heads)) + "|\n")
	for _, r := range rules() {
		fmt.Fprintf(&table, "| **%s**: %s", r.name, r.promise)
		for _, column := range columns {
			switch test := r.elsewhere[column]; test {
			case "":
				table.WriteString(" | ✓")
			case doesNotApply:
				table.WriteString(" | " + doesNotApply)
			default:
				table.WriteString(" | `" + test + "`")
			}
		}
		table.WriteString(" |\n")
	}
	return table.String() + "\n✓ stands for `TestRules/RULE/NOUN`, " + doesNotApply + " for a noun to which the rule does not apply. `TestRulesOfFew` has the rules of one noun or a few.\n"
}

// ruled is a world for testing a rule with one noun.
type ruled struct {
	noun
	*testing.T
	d      *acctest.Driver
	e      *acctest.Emulator
	config object // of the resource
}

func newRuled(t *testing.T, n noun) *ruled {
	t.Helper()
	w := &ruled{noun: n, T: t}
	w.d, w.e = acctest.Drive(t, emulator.Options{BootTime: 10 * time.Second, ShutdownTime: 5 * time.Second, Latency: 200 * time.Millisecond}, nil)
	w.config = n.prepare(w)
	return w
}

// create creates the object and everything that it needs, and clears the journal.
func (w *ruled) create() *acctest.Object {
	w.Helper()
	o := w.d.MustApply(w.Context(), w.typeName, nil, w.config)
	time.Sleep(time.Minute) // it boots
	o = w.startProcess().MustRefresh(w.Context(), o)
	w.d = w.startProcess()
	w.e.ResetJournal()
	return o
}

// startProcess returns another process of the provider.
func (w *ruled) startProcess() *acctest.Driver { return w.e.NewDriver(w.T, nil) }

// changed returns the configuration after a change in place.
func (w *ruled) changed() object {
	config := maps.Clone(w.config)
	maps.Copy(config, w.change(w))
	return config
}

// destroy destroys the object in a new process, without a refresh.
func (w *ruled) destroy(o *acctest.Object) (*acctest.Object, string) {
	w.Helper()
	d := w.startProcess()
	left, diags := d.Apply(w.Context(), w.typeName, d.Plan(w.Context(), w.typeName, o, nil))
	return left, acctest.DiagText(acctest.Errors(diags))
}

// writes returns the requests that may have changed something.
func (w *ruled) writes() (sent []string) {
	for _, request := range w.e.Journal() {
		if request.Method != http.MethodGet {
			sent = append(sent, request.Method+" "+request.Path+request.Query)
		}
	}
	return sent
}

// leavesTheState is the rule "gone".
func leavesTheState(w *ruled) {
	o := w.create()
	w.remove(w, o)
	if w.name == discNoun { // its machine stays
		if read := w.startProcess().MustRefresh(w.Context(), o); len(w.ids(read)) != len(w.ids(o))-1 {
			w.Errorf("the state has the discs %v, and had %v", w.ids(read), w.ids(o))
		}
		return
	}
	if read := w.startProcess().MustRefresh(w.Context(), o); read != nil {
		w.Errorf("still in the state: %v", read.Get(""))
	}
	if left, problems := w.destroy(o); left != nil || problems != "" || len(w.writes()) > 0 {
		w.Errorf("a destroy left %v, sent %v\n%s", left, w.writes(), problems)
	}
}

// hidings are the durations for which an account is hidden.
var hidings = []time.Duration{300 * time.Millisecond, 3 * time.Second, 90 * time.Second}

// survivesHiding is the rule "out of sight".
func survivesHiding(w *ruled) {
	o := w.create()
	// The account is hidden from each request of a refresh and of a destroy on.
	for _, operation := range []string{"refresh", "destroy"} {
		for _, lasts := range hidings {
			for first := range 4 {
				kept := w.e.Snapshot()
				seen := 0
				var since time.Time
				show := w.e.Inject(emulator.Fault{Status: http.StatusNotFound, Match: func(emulator.Request) bool {
					if seen++; seen == first+1 {
						since = time.Now()
					}
					return seen > first && time.Since(since) < lasts
				}})
				var left *acctest.Object
				problems := ""
				if operation == "refresh" {
					left, _ = w.startProcess().Refresh(w.Context(), o)
				} else {
					left, problems = w.destroy(o)
				}
				show()
				if exists := w.exists(w, o); left == nil && exists || left != nil && !exists && problems == "" {
					w.Errorf("%s, hidden for %s from request %d on: the state has it: %t, the service: %t\n%s", operation, lasts, first+1, left != nil, exists, problems)
				}
				if err := w.e.Restore(kept); err != nil {
					w.Fatal(err)
				}
			}
		}
	}
}

// refusesAnotherService is the rule "another service".
func refusesAnotherService(w *ruled) {
	if w.name == discNoun { // known by its machine
		w.noun = nouns()[0]
	}
	o := w.create()
	w.befriend(w)
	o = w.startProcess().MustRefresh(w.Context(), o)
	w.e.Inject(emulator.Fault{Rewrite: func(status int, header http.Header, body []byte) (int, http.Header, []byte) {
		return status, header, bytes.ReplaceAll(body, []byte(emulator.ClusterDomain), []byte("other.example"))
	}})
	w.differ(w, o)
	for _, deleted := range []bool{false, true} {
		if deleted {
			if w.typeName != vmType {
				continue
			}
			for _, machine := range w.e.Machines() {
				w.e.SoftDelete(machine.ID)
			}
		}
		w.e.ResetJournal()
		d := w.startProcess()
		read, diags := d.Refresh(w.Context(), o)
		if text := acctest.DiagText(acctest.Errors(diags)); read == nil || !strings.Contains(text, origin.AnotherService) {
			w.Errorf("refreshed to %v\n%s", read, text)
		}
		if left, problems := w.destroy(o); left == nil || !strings.Contains(problems, origin.AnotherService) {
			w.Errorf("destroyed: %v\n%s", left, problems)
		}
		if change := w.changed(); !maps.EqualFunc(change, w.config, func(a, b any) bool { return fmt.Sprint(a) == fmt.Sprint(b) }) {
			_, diags := w.startProcess().Apply(w.Context(), w.typeName, w.startProcess().Plan(w.Context(), w.typeName, o, change))
			if !acctest.HasErrors(diags) {
				w.Error("changed")
			}
		}
		if sent := w.writes(); len(sent) > 0 {
			w.Errorf("sent %v", sent)
		}
	}
}

// leavesTheChangesOfOthers is the rule "changed elsewhere".
func leavesTheChangesOfOthers(w *ruled) {
	o := w.create()
	d := w.startProcess()
	plan := d.Plan(w.Context(), w.typeName, o, nil)
	if w.name == discNoun {
		plan = d.Plan(w.Context(), w.typeName, o, w.without())
	}
	says := w.interfere(w, o)
	w.e.ResetJournal()
	_, diags := d.Apply(w.Context(), w.typeName, plan)
	text := acctest.DiagText(diags)
	if says != "" && !strings.Contains(text, says) {
		w.Errorf("it does not say %q:\n%s", says, text)
	}
	for _, sent := range w.writes() {
		if strings.HasPrefix(sent, "DELETE") || strings.HasPrefix(sent, "PUT /ips/") {
			w.Errorf("sent %s\n%s", sent, text)
		}
	}
}

// survivesLostAnswers is the rule "lost answer".
func survivesLostAnswers(w *ruled) {
	lose := func(status int, effect bool) func() {
		lost := 0
		return w.e.Inject(emulator.Fault{Status: status, AfterEffect: effect, Match: func(r emulator.Request) bool {
			if r.Method == http.MethodGet {
				return false
			}
			lost++
			return lost%2 == 1 // every first attempt
		}})
	}
	failEachWrite(w, func() func() { return lose(http.StatusBadGateway, true) })
}

// repeatsWhatWasRefused is the rule "refused, then repeated".
func repeatsWhatWasRefused(w *ruled) {
	failEachWrite(w, func() func() {
		refused := 0
		return w.e.Inject(emulator.Fault{Status: http.StatusServiceUnavailable, Match: func(r emulator.Request) bool {
			if r.Method == http.MethodGet {
				return false
			}
			refused++
			return refused%2 == 1
		}})
	})
	journal := w.e.Journal()
	for i, request := range journal {
		if request.Method == http.MethodDelete && (i == 0 || journal[i-1].Method != http.MethodGet) {
			w.Errorf("%s %s was sent without a look right before it", request.Method, request.Path)
		}
	}
}

// failEachWrite creates, changes and destroys the object with a fault at each write, and expects that each succeeds.
func failEachWrite(w *ruled, fault func() func()) {
	w.Helper()
	var o *acctest.Object
	for step, config := range []object{w.config, w.changed(), nil} {
		if step == 2 {
			w.e.ResetJournal()
		}
		d, remove := w.startProcess(), fault()
		plan := d.Plan(w.Context(), w.typeName, o, config)
		after, diags := d.Apply(w.Context(), w.typeName, plan)
		remove()
		if acctest.HasErrors(diags) {
			w.Errorf("step %d:\n%s", step, acctest.DiagText(diags))
			return
		}
		time.Sleep(time.Minute)
		if o = after; o == nil {
			continue
		}
		o = w.startProcess().MustRefresh(w.Context(), o)
		if !w.exists(w, o) {
			w.Errorf("step %d: the state has what does not exist", step)
		}
		w.startProcess().ExpectPlan(w.Context(), o, config, acctest.ActionNoOp)
	}
	if o != nil || w.count(w) != 0 {
		w.Errorf("destroyed, but the state has %v, and the service %d", o, w.count(w))
	}
}

// refusesTwins is the rule "twice in one configuration".
func refusesTwins(w *ruled) {
	if w.name == discNoun {
		config := maps.Clone(w.config)
		config["disc"] = append(slices.Clone(config["disc"].([]object)), config["disc"].([]object)[0])
		if diags := w.d.Validate(w.typeName, config); !acctest.HasErrors(diags) {
			w.Error("two discs of one label are accepted")
		}
		return
	}
	run := w.startProcess().OneRun()
	first := run.Plan(w.Context(), w.typeName, nil, w.config)
	second := run.Plan(w.Context(), w.typeName, nil, w.config)
	if acctest.HasErrors(first.Diagnostics) {
		w.Fatal(acctest.DiagText(first.Diagnostics))
	}
	if !acctest.HasErrors(second.Diagnostics) {
		w.Errorf("two are planned\n%s", acctest.DiagText(second.Diagnostics))
	}
}

// refusesSecondImport is the rule "imported twice".
func refusesSecondImport(w *ruled) {
	o := w.create()
	run := w.startProcess().OneRun()
	if _, diags := run.Import(w.Context(), w.typeName, w.importID(o)); acctest.HasErrors(diags) {
		w.Fatal(acctest.DiagText(diags))
	}
	if _, diags := run.Import(w.Context(), w.typeName, w.importID(o)); !secondImport.IsIn(diags) {
		w.Errorf("imported twice\n%s", acctest.DiagText(diags))
	}
	run = w.startProcess().OneRun()
	run.MustRefresh(w.Context(), o)
	if _, diags := run.Import(w.Context(), w.typeName, w.importID(o)); !acctest.HasErrors(diags) {
		w.Errorf("imported although another resource has it\n%s", acctest.DiagText(diags))
	}
}

// refusesLoss is the rule "protected".
func refusesLoss(w *ruled) {
	w.config["deletion_protection"] = true
	o := w.create()
	var config object
	if w.name == discNoun {
		config = w.without()
	}
	d := w.startProcess()
	plan := d.Plan(w.Context(), w.typeName, o, config)
	if !acctest.Error("", "").IsIn(plan.Diagnostics, "deletion_protection") {
		w.Errorf("planned\n%s", acctest.DiagText(plan.Diagnostics))
	}
	if config != nil {
		return
	}
	tainted := *o
	tainted.Tainted = true // its delete is not planned
	_, diags := d.Apply(w.Context(), w.typeName, d.Plan(w.Context(), w.typeName, &tainted, w.config))
	if !acctest.HasErrors(diags) || len(w.writes()) > 0 {
		w.Errorf("destroyed, sent %v\n%s", w.writes(), acctest.DiagText(diags))
	}
}

// plansUnknownValues is the rule "unknown at plan".
func plansUnknownValues(w *ruled) {
	for name, value := range w.unknown(w) {
		config := maps.Clone(w.config)
		config[name] = acctest.Unknown
		plan := w.d.Plan(w.Context(), w.typeName, nil, config)
		if acctest.HasErrors(plan.Diagnostics) {
			w.Errorf("%s: %s", name, acctest.DiagText(plan.Diagnostics))
			continue
		}
		config[name] = value
		o, diags := w.d.ApplyWith(w.Context(), plan, config)
		if acctest.HasErrors(diags) {
			w.Errorf("%s: %s", name, acctest.DiagText(diags))
			continue
		}
		time.Sleep(time.Minute)
		w.startProcess().ExpectPlan(w.Context(), o, config, acctest.ActionNoOp)
		w.startProcess().MustApply(w.Context(), w.typeName, o, nil)
	}
}

// waitsOutsideOfTimeouts is the rule "waiting", for a machine: two updates that restart, one slot, and a timeout that
// is shorter than both together.
func waitsOutsideOfTimeouts(w *ruled) {
	d := w.e.NewDriver(w.T, object{"max_unavailable": 1})
	configs := []object{}
	objects := []*acctest.Object{}
	for _, name := range []string{"web1", "web2", "web3"} {
		config := maps.Clone(w.config)
		config["name"], config["cores"], config["allow_stopping_for_update"] = name, 2, true
		config["timeouts"] = object{"update": "40s"}
		objects = append(objects, d.MustApply(w.Context(), vmType, nil, config))
		config = maps.Clone(config)
		config["cores"] = 4
		configs = append(configs, config)
	}
	time.Sleep(time.Minute)
	ends := make(chan string)
	for i, config := range configs {
		plan := d.Plan(w.Context(), vmType, d.MustRefresh(w.Context(), objects[i]), config)
		go func() {
			_, diags := d.Apply(w.Context(), vmType, plan)
			ends <- acctest.DiagText(acctest.Errors(diags))
		}()
	}
	for range configs {
		if text := <-ends; text != "" {
			w.Error(text)
		}
	}
	if most := w.e.Power().MaxOutOfService; cmp.Compare(most, 1) > 0 {
		w.Errorf("%d were down at once", most)
	}
}
