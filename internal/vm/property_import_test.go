package vm_test

import (
	"fmt"
	"maps"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

// importOne forgets a machine that is as configured, imports it, and plans: the
// first plan after an import sends nothing.
func (l *life) importOne() {
	s := one(l.rng, l.slots...)
	m, ok := l.machine(s)
	if !chance(l.rng, 5) || !ok || !s.calm || s.was == nil || s.wish == nil || len(s.wish.ignored) > 0 {
		return
	}
	if l.variant.Options.Answers.ObjectShapes && s.was.keymap != "" {
		return // the service shows a keymap in a form that nobody knows: the configured one is sent
	}
	for _, d := range m.Discs {
		if l.relabelled[d.ID] {
			return // as is one that was renamed elsewhere
		}
	}
	for _, d := range s.was.discs {
		if d.grade != "" && discOf(m, d.label).StorageGrade != d.grade {
			return // regraded elsewhere: the configuration does not match
		}
	}
	id := one(l.rng, fmt.Sprint(m.ID), m.Account+"/"+m.Group+"/"+m.Name)
	imported, diags := l.process().Import(l.t.Context(), vmType, id)
	if acctest.HasErrors(diags) {
		l.fail("import %s:\n%s", id, acctest.DiagText(diags))
	}
	if parsed(imported.Get("id")) != m.ID {
		l.count("import: a namesake")
		return // the path led to a machine that is named like it
	}
	l.tell("imported %s as %s", s.name, id)
	l.count("imported")
	s.o, s.wish = imported, s.was
	l.e.ResetJournal()
	d := l.process()
	prior := d.MustRefresh(l.t.Context(), s.o)
	plan := d.Plan(l.t.Context(), vmType, prior, s.wish.config())
	if plan.Action != acctest.ActionNoOp && plan.Action != acctest.ActionUpdate {
		l.fail("the plan after an import: %s of %v\n%s", plan.Action, plan.Changes(), acctest.DiagText(plan.Diagnostics))
	}
	if s.o, diags = l.process().Apply(l.t.Context(), vmType, plan); acctest.HasErrors(diags) {
		l.fail("the apply after an import:\n%s", acctest.DiagText(diags))
	}
	if sent := acctest.Unplanned(l.e.Journal(), nil); len(sent) > 0 {
		l.fail("the apply after an import sends %v", sent)
	}
}

// unconfigured refreshes and plans with a provider block that is not known yet,
// and with a state of a CLI that has no identities.
func (l *life) unconfigured() {
	settings := maps.Clone(l.settings)
	settings[one(l.rng, "endpoint", "token")] = acctest.Unknown
	d := l.e.NewDriver(l.t, settings).OneRun()
	l.e.ResetJournal()
	for _, s := range l.slots {
		if s.o == nil {
			continue
		}
		bare := *s.o
		if chance(l.rng, 2) {
			bare.Identity = nil
		}
		read, diags := d.Refresh(l.t.Context(), &bare)
		if acctest.HasErrors(diags) || read == nil || !read.State.Equal(bare.State) {
			l.fail("refresh of %s without a configuration of the provider:\n%s", s.name, acctest.DiagText(diags))
		}
		if s.wish == nil {
			continue
		}
		plan := d.Plan(l.t.Context(), vmType, read, s.wish.config(), acctest.IgnoreChanges(s.wish.ignored...))
		if text := acctest.DiagText(plan.Diagnostics); blamesProvider(text) || !legitimate(plan.Diagnostics) {
			l.fail("plan of %s without a configuration of the provider:\n%s", s.name, text)
		}
	}
	if calls := l.e.AllCalls(); len(calls) > 0 {
		l.fail("a provider without a configuration called %v", calls)
	}
	l.count("unconfigured")
}
