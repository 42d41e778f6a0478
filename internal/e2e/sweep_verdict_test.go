package e2e_test

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// faultCase is one fault at one request of one operation.
type faultCase struct {
	operation operation
	fault     fault
	at        target // in the first apply
	span      span
	took      time.Duration // the first apply
}

// outcome is how the operation was completed.
type outcome string

const (
	smooth   outcome = "at once"       // the first apply did it
	again    outcome = "second apply"  // the second one did
	imported outcome = "import advice" // the second one's advice was followed
	denied   outcome = "denied"        // the service said throughout that the machine is not there
)

func idOf(m emulator.Machine) string { return strconv.FormatInt(m.ID, 10) }

// heal makes the second apply, with a healthy service, and follows the advice of its message.
func (c faultCase) heal(w *world, first diagnostics) (outcome, diagnostics) {
	result := smooth
	if acctest.HasErrors(first) {
		result = again
	}
	diags := c.operation.run(w)
	// In the words of the service, the image of the first apply is still being installed.
	if text := acctest.DiagText(diags); acctest.HasErrors(diags) && (strings.Contains(text, "during a reimage") || strings.Contains(text, "is not off")) {
		time.Sleep(imageTime)
		diags = c.operation.run(w)
	}
	if !acctest.HasErrors(diags) || !c.mayNeedImport() {
		return result, diags
	}
	advised := importID.FindStringSubmatch(acctest.DiagText(diags))
	if advised == nil {
		return result, diags
	}
	w.state = nil
	return imported, w.importAndApply(advised[1], c.operation.after)
}

// imageTime is longer than the sweep's service takes to install an image.
const imageTime = 10 * time.Minute

var importID = regexp.MustCompile(`import \{\n[^}]*\n  id = "([^"]+)"\n\}`)

func (c faultCase) mayNeedImport() bool {
	return c.span != once && (c.fault.hides || c.fault.denies)
}

// mayBeDenied reports whether a machine may remain that is in no state: the service denied that it exists, so it was not
// deleted, or another one was created with another name or group.
func (c faultCase) mayBeDenied() bool {
	return c.span != once && c.fault.denies && (c.operation.after == nil || c.operation.relocates)
}

// existing returns the IDs of the service's objects of the operation's kind: machines, the schedules of the holder's disc,
// or the group.
func (c faultCase) existing(w *world, tracked string) (ids []string) {
	missing := func(group string) bool { return w.service.AddGroup("demo", group, false) != 0 }
	switch c.operation.kind {
	case groupType:
		if !missing("team") || !missing("team2") {
			ids = append(ids, cmp.Or(tracked, "team")) // a group's own id is seen through the provider alone
		}
	case scheduleType:
		for _, machine := range w.machines() {
			if backups := machine.Discs[0].Backups; backups != nil {
				for _, schedule := range backups.Schedules {
					ids = append(ids, strconv.FormatInt(schedule.ID, 10))
				}
			}
		}
	default:
		for _, machine := range w.machines() {
			ids = append(ids, idOf(machine))
		}
	}
	if missing("default") || missing("private") {
		w.t.Error("a group of the service is gone")
	}
	return ids
}

// judge compares the service with the final state.
func (c faultCase) judge(w *world, before []emulator.Machine, r *result) {
	for _, request := range w.unplanned {
		r.unplanned++
		r.fail("no plan accounts for %s", request)
	}
	if c.operation.kind == rdnsType {
		return // a name is always there
	}
	tracked := ""
	if w.state != nil {
		tracked = fmt.Sprint(w.state.Get("id"))
	}
	ids := c.existing(w, tracked)
	if c.operation.theirs {
		if tracked != "" || len(ids) != 1 {
			r.duplicates++
			r.fail("beside somebody else's: state %q, existing %v", tracked, ids)
		}
		return
	}
	for _, id := range ids {
		if id != tracked {
			if c.mayBeDenied() {
				r.outcome = denied
				return
			}
			r.orphans++
			r.fail("%s is in no state", id)
		}
	}
	if len(ids) > 1 {
		r.duplicates++
		r.fail("there are %v", ids)
	}
	if tracked != "" && !slices.Contains(ids, tracked) {
		r.lost++
		r.fail("the state has %s, and the service has not", tracked)
	}
	if machines := w.machines(); c.operation.kind == "" && len(before) == 1 && len(machines) == 1 {
		c.judgeDiscs(before[0], machines[0], r)
	}
}

// judgeDiscs checks that every disc that the configuration keeps is still the same.
func (c faultCase) judgeDiscs(before, after emulator.Machine, r *result) {
	if c.operation.replaces {
		return
	}
	if before.ID != after.ID {
		r.lost++
		r.fail("machine %d was replaced by %d", before.ID, after.ID)
		return
	}
	for _, had := range before.Discs {
		label := had.Label
		if renamed, ok := c.operation.renames[label]; ok {
			label = renamed
		}
		kept := slices.ContainsFunc(after.Discs, func(d emulator.Disc) bool { return d.Label == label && d.ID == had.ID && d.Size >= had.Size })
		if !kept && !slices.Contains(c.operation.purges, label) {
			r.lost++
			r.fail("disc %q is lost", had.Label)
		}
	}
	first := c.operation.name == "switch on" && before.Images == 0 // a machine that was created off is imaged by its first start
	if images := after.Images - before.Images; images > 0 && !c.operation.reimages && !first {
		r.lost++
		r.fail("the boot disc was erased by %d reimages", images)
	}
}

var callText = regexp.MustCompile(`\b(GET|POST|PUT|DELETE) /`)

// judgeMessages checks that each error names its object, the call that failed and what to do.
func (c faultCase) judgeMessages(diags diagnostics, r *result) {
	for _, diag := range acctest.Errors(diags) {
		if diag.Summary == "Cannot import non-existent remote object" {
			continue // core's own, about an import block whose machine the service denies
		}
		if at := acctest.Path(diag.Attribute); slices.Contains([]string{"account", "group", "group_id"}, at) {
			continue // the place is denied: what can be seen instead follows
		}
		text := acctest.DiagText([]*tfprotov6.Diagnostic{diag})
		for _, missing := range c.missing(diag, text) {
			r.fail("the message lacks %s:\n%s", missing, text)
		}
	}
}

func (c faultCase) missing(diag *tfprotov6.Diagnostic, text string) (missing []string) {
	subjects := []string{`"web1"`, `"web2"`, "100"}
	if c.operation.names != "" {
		subjects = []string{c.operation.names}
	}
	isOfPlan := notChecked.IsIn(diagnostics{diag}) // of the whole plan
	if !isOfPlan && !slices.ContainsFunc(subjects, func(name string) bool { return strings.Contains(text, name) }) {
		missing = append(missing, "the name")
	}
	isOfAll := c.fault.name == "401" || c.at.call == logIn || c.took >= 2*time.Minute // credentials and timeouts are of no call
	if !callText.MatchString(text) && !isOfAll {
		missing = append(missing, "the call")
	}
	if !strings.Contains(diag.Detail, "\n\n") {
		missing = append(missing, "the way on")
	}
	return missing
}

// judgeSecrets searches all messages, and checks for requests to other hosts.
func (c faultCase) judgeSecrets(w *world, r *result) {
	if strings.Contains(acctest.DiagText(w.said), "marker-") {
		r.leaks++
		r.fail("a message shows a secret")
	}
	if len(w.wire.strays) > 0 {
		r.leaks++
		r.fail("requests went elsewhere: %v", w.wire.strays)
	}
}

// result is the result of one case.
type result struct {
	outcome outcome
	counts
	failures []string
}

func (r *result) fail(format string, arguments ...any) {
	r.failures = append(r.failures, fmt.Sprintf(format, arguments...))
}
