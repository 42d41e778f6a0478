package adopt

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	tfjson "github.com/hashicorp/terraform-json"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/command"
)

// removedFile is the file for removed blocks.
const removedFile = "removed.tf"

// Forget is the command forget: it writes removed blocks for what the state has and the configuration no longer, so that
// the next apply forgets it and destroys nothing.
type Forget struct {
	CLI       string   // the user's Terraform or OpenTofu; "": terraform, or else tofu
	Arguments []string // of plan
}

// Run runs the command. An error without a text means that something needs a decision.
func (f Forget) Run(ctx context.Context, terminal command.Streams) error {
	if err := checkArguments(f.Arguments); err != nil {
		return command.Misused("%s", err)
	}
	if _, err := os.Lstat(removedFile); err == nil {
		return fmt.Errorf("this directory has a file %s, which is never overwritten: remove it if it is applied, or rename it", removedFile)
	}
	c, remove, err := newCLI(f.CLI, terminal)
	if err != nil {
		return err
	}
	defer remove()
	state, err := c.state(ctx)
	if err != nil {
		return err
	}
	// A protected machine without a block fails the plan, which has its configuration nevertheless.
	p, failed := c.plan(ctx, f.Arguments)
	if p == nil {
		return fmt.Errorf("the plan failed: %w", failed)
	}
	gone := p.missing(state)
	if len(gone) > 0 {
		if err := directory(".").write(removedFile, removedText(gone)); err != nil {
			return err
		}
		if p, failed = c.plan(ctx, f.Arguments); ctx.Err() != nil {
			return errors.Join(failed, os.Remove(removedFile))
		}
	}
	return reportForget(c, f.Arguments, gone, p, failed)
}

// state returns the resources of the state.
func (c *cli) state(ctx context.Context) ([]stateResource, error) {
	text, err := c.output(ctx, "show", "-json")
	if err != nil {
		return nil, fmt.Errorf("%s show -json: %w", c.name(), err)
	}
	state := &tfjson.State{}
	if err := json.Unmarshal(text, state); err != nil {
		return nil, fmt.Errorf("%s show -json: %w", c.name(), err)
	}
	all, err := resourcesOf(state.Values)
	if err == nil && len(all) == 0 {
		err = errors.New("the state has no resources")
	}
	return all, err
}

// goneResource is a resource, or a module, that the configuration no longer has.
type goneResource struct {
	from      string
	instances []stateResource
}

// missing returns what the state has and the configuration does not: whole modules where their call is gone, and single
// resources. What a moved block moves counts where it is then.
func (p *plan) missing(state []stateResource) (gone []goneResource) {
	moved := map[string]string{}
	for _, r := range p.ResourceChanges {
		moved[r.PreviousAddress] = r.Address
	}
	for _, r := range state {
		if at, err := parseAddress(moved[r.Address]); err == nil {
			r.at = at
		}
		from := p.missingFrom(r.at)
		if from == "" {
			continue
		}
		i := slices.IndexFunc(gone, func(g goneResource) bool { return g.from == from })
		if i < 0 {
			i, gone = len(gone), append(gone, goneResource{from: from})
		}
		gone[i].instances = append(gone[i].instances, r)
	}
	return gone
}

// missingFrom returns what the configuration lacks of the instance at an address: its resource, or the call of one of its
// modules. It returns "" if the configuration has both.
func (p *plan) missingFrom(at address) string {
	if p.Config == nil || p.Config.RootModule == nil {
		return at.resource
	}
	module, path := p.Config.RootModule, ""
	for _, name := range at.modules {
		path += "module." + name
		call := module.ModuleCalls[name]
		if call == nil || call.Module == nil {
			return path
		}
		module, path = call.Module, path+"."
	}
	if slices.ContainsFunc(module.Resources, func(c *tfjson.ConfigResource) bool {
		return c.Mode == tfjson.ManagedResourceMode && path+c.Type+"."+c.Name == at.resource
	}) {
		return ""
	}
	return at.resource
}

// removedText returns the removed blocks.
func removedText(gone []goneResource) []byte {
	out := newSource()
	for _, g := range gone {
		body := out.block("removed")
		body.AppendUnstructuredTokens(expression("from = "+g.from+"\n\n", "lifecycle { destroy = false }\n"))
	}
	return out.bytes("For one apply, which forgets these and destroys nothing. Remove this file afterwards.")
}

// goneByKey returns the instances that a plan destroys because their keys are gone.
func (p *plan) goneByKey() (addresses []string) {
	reasons := []tfjson.ActionReason{
		tfjson.ActionReasonDeleteBecauseCountIndex, tfjson.ActionReasonDeleteBecauseEachKey,
		tfjson.ActionReasonDeleteBecauseNoModule, tfjson.ActionReasonDeleteBecauseWrongRepetition,
	}
	for _, r := range p.ResourceChanges {
		if r.Mode == tfjson.ManagedResourceMode && r.DeposedKey == "" && r.Change != nil && r.Change.Actions.Delete() && slices.Contains(reasons, r.ActionReason) {
			addresses = append(addresses, r.Address)
		}
	}
	return addresses
}

// reportForget prints what was written and what to do next. p is the last plan, and failed its error.
func reportForget(c *cli, arguments []string, gone []goneResource, p *plan, failed error) error {
	var keys []string
	if failed == nil && p != nil {
		keys = p.goneByKey()
	}
	text := "\nEach resource of the state has its block, so " + removedFile + " is not written.\n"
	if len(gone) > 0 {
		text = fmt.Sprintf("\nWrote %s. An apply forgets these, and destroys none of them:\n\n", removedFile)
		for _, g := range gone {
			for _, r := range g.instances {
				text += fmt.Sprintf("- %s%s\n", r.at.text, r.describe())
			}
		}
		text += "\nIf one of them is to be destroyed, take its block out of the file.\n"
	}
	if len(keys) > 0 {
		text += "\nA removed block takes no keys, so none can be written for these instances, whose blocks are still there. " +
			"Run the line of each that moves to another directory. It destroys nothing:\n\n"
		for _, address := range keys {
			text += "  " + c.name() + " state rm " + shellQuoted(address) + "\n"
		}
		text += "\nAn apply destroys the others.\n"
	}
	if len(gone) > 0 && failed == nil {
		text += fmt.Sprintf("\nNext:\n\n  %s\n  rm %s\n", strings.Join(append([]string{c.name(), "apply"}, quoted(arguments)...), " "), removedFile)
	}
	if _, err := io.WriteString(c.terminal.Out, text); err != nil {
		return err
	}
	if failed != nil {
		return complain(c.terminal.Err, list{"The plan fails, so instances whose keys are gone are not known:", []string{
			"of those that its errors name, forget each that moves, with " + c.name() + " state rm ADDRESS, until the plan succeeds",
		}})
	}
	if len(keys) > 0 {
		return command.Failed(1) // they are to be forgotten, or destroyed
	}
	return nil
}

// describe returns what an own resource is, and where.
func (r stateResource) describe() string {
	switch r.Type {
	case groupType:
		return fmt.Sprintf(": group %q of account %q (ID %s)", r.text("name"), r.text("account"), r.text("id"))
	case machineType:
		return fmt.Sprintf(": virtual machine %q of group %q, account %q (ID %s)", r.text("name"), r.text("group"), r.text("account"), r.text("id"))
	case scheduleType, nameType:
		return fmt.Sprintf(" (import ID %s)", r.importID())
	}
	return ""
}
