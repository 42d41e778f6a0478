package adopt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"
	ctymsgpack "github.com/zclconf/go-cty/cty/msgpack"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/command"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/existing"
)

// fromElsewhere writes import blocks for a plan that was made elsewhere. The provider in this process looks for its
// creations, with the credentials of the environment.
func (i Imports) fromElsewhere(ctx context.Context, factory Factory, terminal command.Streams) error {
	in, what := io.Reader(terminal.In), "the standard input"
	if i.Plan != "-" {
		file, err := os.Open(i.Plan)
		if err != nil {
			return err
		}
		defer func() { _ = file.Close() }()
		in, what = file, i.Plan
	}
	text, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	p, err := parsePlan(text)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", what, err)
	case p.errored:
		return fmt.Errorf("the plan in %s failed, so it lacks what Terraform did not come to: make one that succeeds", what)
	}
	changes, err := p.changes()
	if err != nil {
		return err
	}
	managed, err := p.managed()
	if err != nil {
		return err
	}
	var log bytes.Buffer
	s, err := connect(ctx, factory, existing.NewLog(&log))
	if err != nil {
		return err
	}
	answers := s.answers(ctx, p, changes, &log)
	findings, err := existing.Read(&log)
	if err != nil {
		return err
	}
	r := decide(changes, managed, findings, func(c change) *answer { return answers[c.Address] })
	if len(r.found) > 0 {
		if err := directory(".").write(importsFile, importText(r.found, "")); err != nil {
			return err
		}
	}
	return reportElsewhere(r, findings, managed, terminal)
}

func reportElsewhere(r result, findings existing.Findings, managed map[string]string, terminal command.Streams) error {
	text := "Nothing that this plan would create exists, so no import blocks were written.\n"
	if len(r.found) > 0 {
		text = fmt.Sprintf("Wrote %s with import blocks for %s. Nothing was changed.\n\n", importsFile, plural(len(r.found), "object"))
		for _, l := range r.found {
			text += fmt.Sprintf("- %s: %s (import ID %s)\n", l.at.text, l.title, l.importID)
		}
		text += "\nMake the next plan with it, and run this command with that plan, until it finds nothing more: " +
			"what depends on the IDs of these objects is known only then.\n"
	}
	if _, err := io.WriteString(terminal.Out, text); err != nil {
		return err
	}
	if lines := unmanaged(findings, managed, r.found); len(lines) > 0 {
		if err := (list{leftAlone, lines}).print(terminal.Out); err != nil {
			return err
		}
	}
	return complain(terminal.Err, r.lists()...)
}

// answers looks for the object of each creation, by address.
func (s *service) answers(ctx context.Context, p *plan, changes []change, log *bytes.Buffer) map[string]*answer {
	answers := map[string]*answer{}
	for _, c := range changes {
		if !c.Change.Actions.Create() || !c.isOwn() || len(c.unknownIdentity()) > 0 {
			continue
		}
		if own := p.ownCredentials(c); own != "" {
			answers[c.Address] = &answer{problem: own}
			continue
		}
		before := log.Len()
		err := s.planCreation(ctx, c)
		written, readErr := existing.Read(bytes.NewReader(log.Bytes()[before:]))
		switch n := len(written.Creations); {
		case n > 0:
			found := written.Creations[n-1]
			answers[c.Address] = &answer{importIDs: found.ImportIDs, softDeleted: found.SoftDeleted, services: 1}
			for name, value := range found.Planned { // such as the name of a group of which the plan has the ID
				if c.after[name] == nil {
					c.after[name] = value
				}
			}
		case err != nil || readErr != nil:
			answers[c.Address] = &answer{problem: errors.Join(err, readErr).Error()}
		}
	}
	return answers
}

// planCreation plans a creation by its attributes. Blocks do not identify an object.
func (s *service) planCreation(ctx context.Context, c change) error {
	config, proposed := map[string]cty.Value{}, map[string]cty.Value{}
	for _, attribute := range s.block(c.Type).Attributes {
		kind := s.types[c.Type].AttributeType(attribute.Name)
		value := cty.NullVal(kind)
		if text := c.text(attribute.Name); text != "" && kind.IsPrimitiveType() {
			value = primitive(text, kind)
		}
		config[attribute.Name], proposed[attribute.Name] = value, value
		if attribute.Computed && value.IsNull() {
			proposed[attribute.Name] = cty.UnknownVal(kind)
		}
	}
	for _, nested := range s.block(c.Type).BlockTypes {
		kind := s.types[c.Type].AttributeType(nested.TypeName)
		empty := cty.NullVal(kind)
		if kind.IsListType() {
			empty = cty.ListValEmpty(kind.ElementType())
		}
		config[nested.TypeName], proposed[nested.TypeName] = empty, empty
	}
	configValue, err := s.encode(c.Type, cty.ObjectVal(config))
	if err != nil {
		return err
	}
	proposedValue, err := s.encode(c.Type, cty.ObjectVal(proposed))
	if err != nil {
		return err
	}
	none, err := ctymsgpack.Marshal(cty.NullVal(s.types[c.Type]), s.types[c.Type])
	if err != nil {
		return err
	}
	resp, err := s.server.PlanResourceChange(ctx, &tfprotov6.PlanResourceChangeRequest{
		TypeName: c.Type, PriorState: &tfprotov6.DynamicValue{MsgPack: none}, Config: configValue, ProposedNewState: proposedValue,
	})
	if err != nil {
		return err
	}
	return problem(resp.Diagnostics)
}

func primitive(text string, kind cty.Type) cty.Value {
	if kind == cty.Number {
		if number, err := cty.ParseNumberVal(text); err == nil {
			return number
		}
		return cty.NullVal(kind)
	}
	if kind == cty.Bool {
		return cty.BoolVal(text == "true")
	}
	return cty.StringVal(text)
}

// serviceArguments are the arguments of a provider block about the service and the credentials.
var serviceArguments = []string{
	"endpoint", "token", "token_file", "username", "password", "auth_endpoint", "ca_certificate", "allow_http",
}

// ownCredentials returns why the credentials of the environment are not those of a resource, or "" if they are.
func (p *plan) ownCredentials(c change) string {
	resource := p.block(c.at, c.Type, c.Name)
	if resource == nil {
		return "the plan does not contain its resource block"
	}
	block := p.Config.ProviderConfigs[resource.ProviderConfigKey]
	if block == nil {
		return "the plan does not say which provider block it uses"
	}
	for _, name := range serviceArguments {
		if block.Expressions[name] != nil {
			return fmt.Sprintf("its provider block sets %s, and only the credentials of the environment are used. "+
				"Run this command where the plan was made, or import it by hand", name)
		}
	}
	return ""
}
