// SPDX-License-Identifier: MPL-2.0

package e2e_test

import (
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// contractRule is what every noun promises, where it makes sense.
type contractRule struct {
	name  string
	test  func(c *contractCase)
	nouns []string // none: all
}

func contractRules() []contractRule {
	importable := []string{"machine", "group", "backup schedule", "reverse name"} // a disc is imported with its machine
	return []contractRule{
		{name: "gone leaves the state", test: goneLeavesTheState},
		{name: "hidden with its account stays", test: hiddenStays},
		{name: "forbidden stays", test: forbiddenStays},
		{name: "a lost answer to a creation is one object", test: lostAnswerIsOneObject},
		{name: "an import is followed by an empty plan", test: importPlansNothing, nouns: importable},
		{name: "a refusal keeps the state and says why", test: refusalKeepsTheState},
	}
}

// TestContract tests each rule with each noun. A failing case is named RULE/NOUN.
func TestContract(t *testing.T) {
	t.Parallel()
	for _, rule := range contractRules() {
		t.Run(rule.name, func(t *testing.T) {
			t.Parallel()
			for _, noun := range contractNouns() {
				if rule.nouns != nil && !slices.Contains(rule.nouns, noun.name) {
					continue
				}
				inSimulation(t, noun.name, func(t *testing.T) {
					c := newContractCase(t, noun)
					rule.test(c)
					c.report(t)
				})
			}
		})
	}
}

// TestContractConcernsEveryResource compares the nouns with the resources that the provider has.
func TestContractConcernsEveryResource(t *testing.T) {
	t.Parallel()
	d, _ := acctest.Drive(t, emulator.Options{}, nil)
	for _, typeName := range d.ResourceTypes() {
		if !slices.ContainsFunc(contractNouns(), func(n contractNoun) bool { return n.typeName == typeName }) {
			t.Errorf("no noun of the contract is a %s", typeName)
		}
	}
}

// contractCase is a service and the configurations of one noun.
type contractCase struct {
	*testing.T
	findings
	noun    contractNoun
	configs lifeConfigs
	service *acctest.Emulator
}

func newContractCase(t *testing.T, noun contractNoun) *contractCase {
	t.Helper()
	e := newService(t)
	return &contractCase{T: t, noun: noun, service: e, configs: noun.prepare(e)}
}

// process returns a provider process of its own, as each run of the CLI has one.
func (c *contractCase) process() *acctest.Driver { return c.service.NewDriver(c.T, nil) }

// create creates the object, and lets its machine boot.
func (c *contractCase) create() *acctest.Object {
	c.Helper()
	return c.applyCleanly(c.before(), c.configs.present)
}

// before returns what exists before the object is created: for a disc its machine, else nil.
func (c *contractCase) before() *acctest.Object {
	c.Helper()
	return c.applyCleanly(nil, c.configs.absent)
}

func (c *contractCase) applyCleanly(o *acctest.Object, config object) *acctest.Object {
	c.Helper()
	if o == nil && config == nil {
		return nil
	}
	o = c.process().MustApply(c.Context(), c.noun.typeName, o, config)
	time.Sleep(time.Minute) // it boots
	return c.process().MustRefresh(c.Context(), o)
}

// writes returns the requests since the journal was reset that may have changed something.
func (c *contractCase) writes() []string { return c.service.Calls() }

// destroy applies the object's absence with the state as it is, without a refresh, and returns the errors.
func (c *contractCase) destroy(o *acctest.Object) (left *acctest.Object, errors string) {
	c.Helper()
	plan := c.process().Plan(c.Context(), c.noun.typeName, o, c.configs.absent)
	if acctest.HasErrors(plan.Diagnostics) {
		return o, acctest.DiagText(acctest.Errors(plan.Diagnostics))
	}
	left, diags := c.process().Apply(c.Context(), c.noun.typeName, plan)
	return left, acctest.DiagText(acctest.Errors(diags))
}

func goneLeavesTheState(c *contractCase) {
	o := c.create()
	c.noun.remove(c.T, c.service, o)
	refreshed, diags := c.process().Refresh(c.Context(), o)
	if text := acctest.DiagText(acctest.Errors(diags)); text != "" {
		c.add("the refresh after the object was removed elsewhere failed:\n%s", text)
	}
	if stored := c.noun.stored(refreshed); len(stored) > 0 {
		c.add("the object was removed elsewhere, and the refreshed state still has %v", stored)
	}
	left, errors := c.destroy(o)
	if errors != "" || len(c.noun.stored(left)) > 0 {
		c.add("a destroy of what was removed elsewhere left %v in the state and said:\n%s", c.noun.stored(left), errors)
	}
}

func hiddenStays(c *contractCase) {
	o := c.create()
	c.service.CloseAccount(emulator.DemoAccount, true)
	c.expectKeptUnread(o, emulator.DemoAccount)
	c.service.CloseAccount(emulator.DemoAccount, false)
	if plan := planIn(c.T, c.service, c.service.Transport(), c.noun.typeName, o, c.configs.present); !plan.Empty() {
		c.add("when the account is shown again, the plan is %s of %v, want none", plan.Action, plan.Changes())
	}
}

func forbiddenStays(c *contractCase) {
	o := c.create()
	c.service.Inject(emulator.Fault{Status: http.StatusForbidden})
	c.expectKeptUnread(o, "403 Forbidden")
}

// expectKeptUnread expects that neither a refresh nor a destroy removes what the credentials cannot see, and that both
// say why.
func (c *contractCase) expectKeptUnread(o *acctest.Object, why string) {
	c.Helper()
	c.service.ResetJournal()
	refreshed, diags := c.process().Refresh(c.Context(), o)
	c.expectKept("a refresh", o, refreshed, acctest.DiagText(acctest.Errors(diags)), why)
	left, errors := c.destroy(o)
	c.expectKept("a destroy", o, left, errors, why)
	isDelete := func(call string) bool { return strings.HasPrefix(call, "DELETE ") } // the service refuses it
	if sent := slices.DeleteFunc(c.writes(), isDelete); len(sent) > 0 {
		c.add("while the credentials could not see the object, this was sent: %v", sent)
	}
}

func lostAnswerIsOneObject(c *contractCase) {
	o := c.before()
	c.service.Inject(emulator.Fault{Match: isWriteRequest, Times: 1, AfterEffect: true, Cut: true})
	o, diags := applyIn(c.T, c.service, c.service.Transport(), c.noun.typeName, o, c.configs.present)
	if text := acctest.DiagText(acctest.Errors(diags)); text != "" {
		c.add("the answer was lost, and the creation failed:\n%s", text)
	}
	served, stored := c.noun.served(c.service), c.noun.stored(o)
	if len(served) != 1 || !slices.Equal(served, stored) {
		c.add("the answer was lost: the service has %v, the state has %v, want the same one object in both", served, stored)
	}
}

func importPlansNothing(c *contractCase) {
	o := c.create()
	identity, _ := o.GetIdentity("").(map[string]any)
	byIdentity, diags := c.process().ImportByIdentity(c.Context(), c.noun.typeName, identity)
	c.expectImported("its identity", o, byIdentity, acctest.DiagText(acctest.Errors(diags)))
	for _, id := range c.noun.importIDs(o) {
		imported, diags := c.process().Import(c.Context(), c.noun.typeName, id)
		c.expectImported(id, o, imported, acctest.DiagText(acctest.Errors(diags)))
	}
}

// expectImported expects an import of the object, after which plans change nothing: at once, or after an apply that
// records what the service does not show and sends nothing.
func (c *contractCase) expectImported(by string, o, imported *acctest.Object, errors string) {
	c.Helper()
	if errors != "" || !slices.Equal(c.noun.stored(imported), c.noun.stored(o)) {
		c.add("an import by %s has %v, want %v\n%s", by, c.noun.stored(imported), c.noun.stored(o), errors)
		return
	}
	c.service.ResetJournal()
	recorded, diags := applyIn(c.T, c.service, c.service.Transport(), c.noun.typeName, imported, c.configs.present)
	if sent := c.writes(); len(sent) > 0 || acctest.HasErrors(diags) {
		c.add("the apply after an import by %s sent %v and said:\n%s", by, sent, acctest.DiagText(acctest.Errors(diags)))
	}
	if plan := planIn(c.T, c.service, c.service.Transport(), c.noun.typeName, recorded, c.configs.present); !plan.Empty() {
		c.add("the plan after an import by %s is %s of %v, want none", by, plan.Action, plan.Changes())
	}
}

// refusalReason is the text with which the service refuses.
const refusalReason = "the quota of this account is used up"

func refusalKeepsTheState(c *contractCase) {
	refuse := func() (allow func()) {
		return c.service.Inject(emulator.Fault{
			Match:  isWriteRequest,
			Status: http.StatusForbidden, Body: refusalReason, Header: http.Header{"Content-Type": {"text/plain"}},
		})
	}
	before := c.before()
	allow := refuse()
	o, diags := applyIn(c.T, c.service, c.service.Transport(), c.noun.typeName, before, c.configs.present)
	allow()
	if errors := acctest.DiagText(acctest.Errors(diags)); !strings.Contains(errors, refusalReason) {
		c.add("a refused creation: want an error with %q, got:\n%s", refusalReason, errors)
	}
	if stored := c.noun.stored(o); len(stored) > 0 {
		c.add("the creation was refused, and the state has %v", stored)
	}

	o = c.applyCleanly(before, c.configs.present)
	refuse()
	if c.configs.changed != nil {
		left, diags := applyIn(c.T, c.service, c.service.Transport(), c.noun.typeName, o, c.configs.changed)
		c.expectKept("a refused change", o, left, acctest.DiagText(acctest.Errors(diags)), refusalReason)
	}
	left, errors := c.destroy(o)
	c.expectKept("a refused destroy", o, left, errors, refusalReason)
}

// expectKept expects an error with the words, and a state that is as it was.
func (c *contractCase) expectKept(after string, o, left *acctest.Object, errors, words string) {
	c.Helper()
	if !strings.Contains(errors, words) {
		c.add("%s: want an error with %q, got:\n%s", after, words, errors)
	}
	switch {
	case left == nil:
		c.add("%s removed the object from the state; it said:\n%s", after, errors)
	case left.Tainted:
		c.add("%s tainted the object; it said:\n%s", after, errors)
	case !reflect.DeepEqual(left.Get(""), o.Get("")):
		c.add("%s changed the state\nfrom %v\nto   %v\nit said:\n%s", after, o.Get(""), left.Get(""), errors)
	}
}

func isWriteRequest(r emulator.Request) bool { return r.Method != http.MethodGet }
