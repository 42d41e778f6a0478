package adopt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	tfjson "github.com/hashicorp/terraform-json"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/command"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/existing"
)

// importsFile is the file for import blocks.
const importsFile = "imports.tf"

// maxPlans limits how often a plan is made. What depends on the ID of an object that is imported, through a data source
// or another provider, is known only in the next plan.
const maxPlans = 4

// Imports is the command imports: it writes import blocks for what a plan of the configuration in the current directory
// would create, and what exists.
type Imports struct {
	CLI       string   // the user's Terraform or OpenTofu; "": terraform, or else tofu
	Plan      string   // the JSON of a plan that was made elsewhere: a file, or - for the standard input
	Arguments []string // of plan
}

// Run runs the command. An error without a text means that files were written, and that something needs a decision.
func (i Imports) Run(ctx context.Context, factory Factory, terminal command.Streams) error {
	if i.Plan != "" && (i.CLI != "" || len(i.Arguments) > 0) {
		return command.Misused("--plan reads a plan that was made elsewhere and runs nothing: leave out --cli, and the arguments after --")
	}
	if err := checkArguments(i.Arguments); err != nil {
		return command.Misused("%s", err)
	}
	if _, err := os.Lstat(importsFile); err == nil {
		return fmt.Errorf("this directory has a file %s, which is never overwritten: remove it if its imports are applied, or rename it", importsFile)
	}
	if i.Plan != "" {
		return i.fromElsewhere(ctx, factory, terminal)
	}
	c, remove, err := newCLI(i.CLI, terminal)
	if err != nil {
		return err
	}
	defer remove()
	s := &search{cli: c, arguments: i.Arguments, log: filepath.Join(c.private, "existing"), workspace: c.workspace(ctx)}
	if err := os.WriteFile(s.log, nil, 0o600); err != nil {
		return err
	}
	c.environ = []string{existing.Variable + "=" + s.log}
	if err := s.run(ctx); err != nil {
		return s.takeBack(err)
	}
	return s.report()
}

// search plans until a plan finds nothing new.
type search struct {
	cli       *cli
	arguments []string
	log       string // the file that the provider writes
	workspace string // "": unknown

	plans    int
	complete bool // the last plan has found nothing new
	found    []located
	last     *plan
	result   result // of the last plan
	findings existing.Findings
	managed  map[string]string
	written  bool
}

func (s *search) run(ctx context.Context) error {
	for s.plans < maxPlans && !s.complete {
		s.plans++
		s.say("Plan %d of at most %d, which looks for what exists. Nothing is applied.\n\n", s.plans, maxPlans)
		p, failed := s.cli.plan(ctx, s.arguments)
		if p == nil {
			return fmt.Errorf("plan %d failed: %w%s", s.plans, failed, s.hint(ctx))
		}
		if err := s.look(p); err != nil {
			return err
		}
		s.complete = len(s.result.found) == 0
		s.found = append(s.found, s.result.found...)
		if failed != nil && (s.complete || s.plans == maxPlans) {
			return fmt.Errorf("plan %d failed: %w", s.plans, failed)
		}
		s.say("\nPlan %d found %s.\n", s.plans, s.count())
		if s.complete {
			return nil
		}
		if err := s.write(); err != nil {
			return err
		}
	}
	return nil
}

// hint explains why a plan with import blocks fails before it begins, or returns "".
func (s *search) hint(ctx context.Context) string {
	if ctx.Err() != nil || !slices.ContainsFunc(s.found, func(l located) bool { return len(l.at.modules) > 0 && l.provider != "" }) {
		return ""
	}
	return ". OpenTofu imports into a module only if required_providers of the root module calls the provider cloudserver: call it so until the apply"
}

// say writes a line about the progress.
func (s *search) say(format string, arguments ...any) {
	_, _ = fmt.Fprintf(s.cli.terminal.Err, format, arguments...)
}

func (s *search) count() string {
	switch n := len(s.result.found); {
	case n == 0 && s.plans > 1:
		return "nothing new"
	case n == 0:
		return "nothing that exists among what it would create"
	case s.plans > 1:
		return plural(n, "more existing object")
	default:
		return plural(n, "existing object")
	}
}

// look decides what a plan has found. Each plan asks the service again, so what an earlier one has found does not count.
func (s *search) look(p *plan) error {
	changes, err := p.changes()
	if err != nil {
		return err
	}
	if s.managed, err = p.managed(); err != nil {
		return err
	}
	text, err := os.ReadFile(s.log)
	if err != nil {
		return err
	}
	if s.findings, err = existing.Read(bytes.NewReader(text)); err != nil {
		return err
	}
	s.last = p
	s.result = decide(changes, s.managed, s.findings, func(c change) *answer { return answerTo(c, s.findings) })
	if s.result.unanswered > 0 && len(s.findings.Creations) == 0 {
		return errors.New("the provider did not say what exists. " +
			"Either the plan is made elsewhere, as by HCP Terraform: then use --plan with the output of show -json. " +
			"Or the configuration uses another release of the provider than this program: install the same one")
	}
	return nil
}

// write writes the import blocks of everything that was found.
func (s *search) write() error {
	text := importText(s.found, s.workspace)
	if !s.written {
		s.written = true
		return directory(".").write(importsFile, text)
	}
	return os.WriteFile(importsFile, text, 0o644) // its own file
}

// takeBack removes the file after a failure or an interrupt. Its error contains what was found.
func (s *search) takeBack(cause error) error {
	if !s.written {
		return cause
	}
	if err := os.Remove(importsFile); err != nil {
		return errors.Join(cause, err)
	}
	var lines strings.Builder
	for _, l := range s.found {
		fmt.Fprintf(&lines, "\n  %s: %s (import ID %s)", l.at.text, l.title, l.importID)
	}
	return fmt.Errorf("%w\n%s is removed again, because no plan has succeeded with it. The plans found %s:%s",
		cause, importsFile, plural(len(s.found), "object"), lines.String())
}

// providerArgument returns the provider argument of an import block. OpenTofu takes the provider from the type of the
// resource, even if the resource block names another one. An import into a module must not have the argument.
func (l located) providerArgument() string {
	if len(l.at.modules) > 0 {
		return ""
	}
	return l.provider
}

// importText returns the import blocks of objects.
func importText(found []located, workspace string) []byte {
	var resources []imported
	at := map[string]int{}
	for _, l := range found {
		n, ok := at[l.at.block]
		if !ok {
			n = len(resources)
			at[l.at.block] = n
			resources = append(resources, imported{typeName: l.typeName, at: reference(raw(l.at.block)), provider: l.providerArgument(), isCounted: l.at.isCounted()})
		}
		resources[n].instances = append(resources[n].instances, instance{l.at.keyText(), l.importID, l.title})
	}
	where := ""
	if workspace != "" {
		where = fmt.Sprintf(" in the workspace %q", workspace)
	}
	out := newSource()
	writeImports(out, resources)
	return out.bytes("For one apply" + where + ": it imports these objects. Remove this file afterwards.")
}

// report prints what was written, what to do next, and what needs a decision.
func (s *search) report() error {
	out := s.cli.terminal.Out
	text := "\nNothing that this plan would create exists" + s.where() + ", so no import blocks were written.\n"
	if len(s.found) > 0 {
		var rows strings.Builder
		for _, l := range s.found {
			fmt.Fprintf(&rows, "- %s: %s (import ID %s)\n", l.at.text, l.title, l.importID)
		}
		next := strings.Join(append([]string{s.cli.name(), "apply"}, quoted(s.arguments)...), " ")
		text = fmt.Sprintf("\nWrote %s with import blocks for %s%s. Nothing was changed.\n\n%s\n%sNext:\n\n  %s\n  rm %[1]s\n",
			importsFile, plural(len(s.found), "object"), s.where(), rows.String(), s.summary(), next)
	}
	if _, err := io.WriteString(out, text); err != nil {
		return err
	}
	if lines := unmanaged(s.findings, s.managed, s.found); len(lines) > 0 {
		if err := (list{leftAlone, lines}).print(out); err != nil {
			return err
		}
	}
	lists := s.result.lists()
	if !s.complete {
		lists = append(lists, list{
			fmt.Sprintf("Each of %d plans has found more, so there may be still more:", maxPlans),
			[]string{"after the apply, remove " + importsFile + ", and run this command again"},
		})
	}
	return complain(s.cli.terminal.Err, append(lists, s.last.losses())...)
}

const leftAlone = "No resource block describes these objects of the same groups. They are left alone:"

func (s *search) where() string {
	if s.workspace == "" {
		return ""
	}
	return fmt.Sprintf(" in the workspace %q", s.workspace)
}

// summary describes the last plan, if it has seen all import blocks.
func (s *search) summary() string {
	if !s.complete {
		return ""
	}
	imports, adds, updates, destroys := s.last.counts()
	return fmt.Sprintf("With it, the plan is: %d to import, %d to add, %d to change, %d to destroy.\n\n", imports, adds, updates, destroys)
}

// counts returns how many objects a plan imports, creates, updates and destroys.
func (p *plan) counts() (imports, adds, updates, destroys int) {
	for _, r := range p.ResourceChanges {
		if r.Mode != tfjson.ManagedResourceMode || r.Change == nil {
			continue
		}
		if r.Change.Importing != nil {
			imports++
		}
		actions := r.Change.Actions
		if slices.Contains(actions, tfjson.ActionCreate) {
			adds++
		}
		if actions.Update() {
			updates++
		}
		if slices.Contains(actions, tfjson.ActionDelete) {
			destroys++
		}
	}
	return imports, adds, updates, destroys
}

// losses lists what a plan destroys or replaces.
func (p *plan) losses() list {
	l := list{title: "The plan destroys or replaces these. Read it before you apply:"}
	for _, r := range p.ResourceChanges {
		if r.Mode == tfjson.ManagedResourceMode && r.Change != nil && slices.Contains(r.Change.Actions, tfjson.ActionDelete) {
			l.items = append(l.items, r.Address)
		}
	}
	return l
}

// lists returns what needs a decision.
func (r result) lists() []list {
	return []list{
		{"The names of these belong to soft-deleted machines. Undelete each first, with " + undelete + ", and run this command again:", r.deleted},
		{"These objects have two addresses, so they are not imported. Remove one, or add a moved block:", r.twice},
		{"It is not known whether these exist. Import those that do by hand:", r.unknown},
		{"None of these exists, so an apply creates them:", r.absent},
		{"The plan also creates these resources of other providers. Import those that exist, or an apply creates them a second time:", r.elsewhere},
	}
}

func quoted(arguments []string) (all []string) {
	for _, argument := range arguments {
		all = append(all, shellQuoted(argument))
	}
	return all
}
