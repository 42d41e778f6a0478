package adopt

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// options are the user's choices about the configuration.
type options struct {
	flat       bool // no for_each
	protection bool // deletion_protection = true
	account    string
}

// writer writes the resources of an estate.
type writer struct {
	service *service
	options options

	taken     map[string]names // by type
	resources []imported
	refused   []string // objects that are left out, with the reasons
}

// prepared is an object with its configuration.
type prepared struct {
	importable
	config  cty.Value
	instead map[string]written
}

// prepare chooses the arguments of an object. set replaces values (null removes one), and instead has expressions for
// some arguments. An object that Terraform would refuse is recorded, and the result is false.
func (w *writer) prepare(
	ctx context.Context, f importable, title string, set map[string]cty.Value, instead map[string]written,
) (prepared, bool) {
	config, err := w.service.choose(ctx, f)
	if err == nil {
		values := config.AsValueMap()
		maps.Copy(values, set)
		if account, ok := values["account"]; ok && textOf(account) == w.options.account {
			values["account"] = cty.NullVal(cty.String)
		}
		config = cty.ObjectVal(values)
		err = w.service.validate(ctx, f.typeName, config)
	}
	if err != nil {
		w.refused = append(w.refused, fmt.Sprintf("%s (import ID %s): %s", title, f.importID(), err))
		return prepared{}, false
	}
	return prepared{f, config, instead}, true
}

// take returns the name for a resource: the first free candidate.
func (w *writer) take(typeName string, candidates ...string) string {
	if w.taken[typeName] == nil {
		w.taken[typeName] = names{}
	}
	return w.taken[typeName].take(candidates...)
}

// body returns the arguments of an object.
func (w *writer) body(p prepared) hclwrite.Tokens {
	return arguments(w.service.block(p.typeName), p.config, p.instead)
}

// write writes a resource block, and records which objects to import.
func (w *writer) write(out source, typeName, name string, body hclwrite.Tokens, instances ...instance) reference {
	out.block("resource", typeName, name).AppendUnstructuredTokens(body)
	at := resource(typeName, name)
	w.resources = append(w.resources, imported{typeName: typeName, at: at, instances: instances})
	return at
}

// group writes the blocks of a group.
func (w *writer) group(ctx context.Context, g *estateGroup, several bool) source {
	out := newSource()
	placed := &placement{writer: w, ctx: ctx, out: out, group: g, several: several}
	if p, ok := placed.prepareGroup(); ok {
		placed.reference = w.write(
			out, groupType, w.take(groupType, g.title(several)), w.body(p), instance{id: g.text("id")},
		)
	}
	placed.machines()
	return out
}

// placement is where the blocks of one group are written.
type placement struct {
	*writer

	ctx       context.Context
	out       source
	group     *estateGroup
	several   bool      // accounts
	reference reference // to the group; nil: it has no block
}

// candidates returns identifiers for an object of the group: its name, the name with the group, and with the group and
// the account.
func (p *placement) candidates(parts ...string) []string {
	parts = slices.DeleteFunc(parts, func(part string) bool { return part == "" })
	all := []string{joined(parts...)}
	if len(parts) == 0 || parts[0] != p.group.name {
		parts = append(parts, p.group.name)
		all = append(all, joined(parts...))
	}
	if p.several {
		all = append(all, joined(append(parts, p.group.account)...))
	}
	return all
}

func (p *placement) prepareGroup() (prepared, bool) {
	if p.group.state == cty.NilVal {
		return prepared{}, false
	}
	return p.prepare(p.ctx, p.group.importable, fmt.Sprintf("group %q of account %q", p.group.name, p.group.account), nil, nil)
}

// prepareMachine chooses the arguments of a machine, which refers to its group.
func (p *placement) prepareMachine(m *estateMachine) (prepared, bool) {
	set, instead := map[string]cty.Value{}, map[string]written{"name": {comment: m.comment()}}
	if p.group.state != cty.NilVal {
		set["group"], set["group_id"] = cty.NullVal(cty.String), p.group.state.GetAttr("id")
	}
	if p.reference != nil {
		instead["group_id"] = written{expression: p.reference.attribute("id")}
	}
	if p.options.protection {
		set["deletion_protection"] = cty.True
	}
	return p.prepare(p.ctx, m.importable, m.title(), set, instead)
}

// title names the machine in lists.
func (m *estateMachine) title() string {
	return fmt.Sprintf("virtual machine %q of group %q, account %q", m.name, m.group.name, m.group.account)
}

// comment describes the machine to people, in addition to its name.
func (m *estateMachine) comment() string {
	words := []string{m.text("hostname")}
	for _, address := range m.addresses {
		words = append(words, address.String())
	}
	return strings.Join(words, " ")
}

// placedMachine is a machine with its configuration and, once written, its block.
type placedMachine struct {
	*estateMachine
	prepared  prepared
	reference reference // nil: it has no block
}

// label returns the label of a disc, or "" if another disc of the machine has the same one.
func (m *estateMachine) label(disc string) string {
	label, same := "", 0
	for _, d := range blocksIn(m.state.GetAttr("disc")) {
		if textOf(d.GetAttr("id")) == disc {
			label = textOf(d.GetAttr("label"))
		}
	}
	for _, d := range blocksIn(m.state.GetAttr("disc")) {
		if textOf(d.GetAttr("label")) == label {
			same++
		}
	}
	if same != 1 {
		return ""
	}
	return label
}

// machines writes the machines of the group with their schedules and reverse names.
func (p *placement) machines() {
	var all []*placedMachine
	for _, m := range p.group.machines {
		placed := &placedMachine{estateMachine: m}
		var ok bool
		if placed.prepared, ok = p.prepareMachine(m); !ok {
			placed.prepared.config = cty.NilVal
		}
		all = append(all, placed)
	}
	for _, alike := range p.alike(all) {
		block := p.machineBlock(alike)
		for _, one := range p.schedulesAlike(alike) {
			p.scheduleBlock(one, block, len(one) == len(alike))
		}
		for _, m := range alike {
			for _, f := range m.names {
				p.nameBlock(m, f)
			}
		}
	}
}

// nameBlock writes a reverse name, which refers to the machine's address.
func (p *placement) nameBlock(m *placedMachine, f importable) {
	at, candidates := f.text("address"), []string{m.name}
	if strings.Contains(at, ":") {
		candidates = append(candidates, "ipv6")
	}
	instead := written{comment: m.text("hostname")}
	for _, attribute := range []string{"ipv4_address", "ipv6_address"} {
		if m.reference != nil && tfkit.SameAddress(at, m.text(attribute)) {
			instead = written{m.reference.attribute(attribute), at + " " + m.text("hostname")}
		}
	}
	one, ok := p.prepare(p.ctx, f, "reverse name of "+at+", "+m.title(), nil, map[string]written{"address": instead})
	if ok {
		p.write(
			p.out, nameType, p.take(nameType, p.candidates(candidates...)...), p.body(one),
			instance{id: f.importID(), comment: f.text("hostname")},
		)
	}
}
