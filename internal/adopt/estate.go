// SPDX-License-Identifier: MPL-2.0

package adopt

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/cmd"
)

// estate is the selection of what the credentials see, in order.
type estate struct {
	groups  []*group
	deleted []string // soft-deleted machines
	unread  []string // what could not be read
}

// group is a group with its machines and their reverse names.
type group struct {
	object   object // without a state if the service does not list the group
	account  string
	name     string
	machines []*machine
	names    []object
}

// hasOther reports whether another account has a group of the same name.
func (e *estate) hasOther(g *group) bool {
	return slices.ContainsFunc(e.groups, func(other *group) bool { return other != g && other.name == g.name })
}

// hasOtherMachine reports whether another account has a machine of the same name.
func (e *estate) hasOtherMachine(account, name string) bool {
	return slices.ContainsFunc(e.groups, func(g *group) bool {
		return g.account != account && slices.ContainsFunc(g.machines, func(m *machine) bool { return m.text("name") == name })
	})
}

// machine is a machine with its backup schedules.
type machine struct {
	object
	schedules []object
}

// accounts returns the sorted names of the selected accounts, and the provider's default account, or "".
func (c *Command) accounts(ctx context.Context, environment cmd.Environment) (selected []string, own string, err error) {
	config, own, _, err := environment()
	if err != nil {
		return nil, "", err
	}
	client, err := cloudserver.New(config)
	if err != nil {
		return nil, "", err
	}
	accounts, err := client.Accounts(ctx)
	if err != nil {
		return nil, "", fmt.Errorf("cannot list the accounts: %w", err)
	}
	var all []string
	for _, account := range accounts {
		all = append(all, account.Name)
		if matches(c.account, account.Name) {
			selected = append(selected, account.Name)
		}
	}
	if len(selected) == 0 {
		return nil, "", fmt.Errorf("no account matches; these credentials see: %s", strings.Join(all, ", "))
	}
	slices.Sort(selected)
	return selected, own, nil
}

// read adds an account to the estate.
func (c *Command) read(ctx context.Context, p *plugin, e *estate, account string) {
	list := func(typeName, what string, scope map[string]cty.Value) []object {
		scope["account"] = cty.StringVal(account)
		all, err := p.list(ctx, typeName, scope)
		if err != nil {
			e.unread = append(e.unread, fmt.Sprintf("%s of account %s: %s", what, account, err))
		}
		return all
	}
	groups := map[string]*group{}
	for _, o := range list(groupType, "groups", map[string]cty.Value{}) {
		groups[o.text("name")] = &group{object: o, account: account, name: o.text("name")}
	}
	machines := map[string]*machine{}
	for _, o := range list(machineType, "machines", c.scope()) {
		in := groups[o.text("group")]
		if in == nil {
			in = &group{account: account, name: o.text("group")}
			groups[in.name] = in
		}
		one := &machine{object: o}
		in.machines = append(in.machines, one)
		machines[o.text("id")] = one
	}
	for _, o := range list(scheduleType, "backup schedules", c.scope()) {
		if m := machines[o.text("virtual_machine_id")]; m != nil {
			m.schedules = append(m.schedules, o)
		}
	}
	for _, g := range groups {
		if !matches(c.group, g.name) || c.name != "" && len(g.machines) == 0 {
			delete(groups, g.name)
		} else if c.reverseNames && len(g.machines) > 0 {
			scope := c.scope()
			scope["group"] = cty.StringVal(g.name)
			g.names = list(nameType, "reverse names of group "+g.name, scope)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		e.groups = append(e.groups, groups[name])
	}
	c.readDeleted(ctx, p, e, account)
}

// scope returns the argument of lists that selects machines.
func (c *Command) scope() map[string]cty.Value {
	if c.name == "" {
		return map[string]cty.Value{}
	}
	return map[string]cty.Value{"name_pattern": cty.StringVal(c.name)}
}

// readDeleted adds the soft-deleted machines of the selection.
func (c *Command) readDeleted(ctx context.Context, p *plugin, e *estate, account string) {
	scope := c.scope()
	scope["account"], scope["include_deleted"] = cty.StringVal(account), cty.True
	found, err := cmd.ReadData(ctx, p.server, "cloudserver_vms", scope)
	if err != nil {
		e.unread = append(e.unread, fmt.Sprintf("soft-deleted machines of account %s: %s", account, err))
		return
	}
	for _, vm := range found.GetAttr("virtual_machines").AsValueSlice() {
		group := textOf(vm.GetAttr("group"))
		if vm.GetAttr("deleted").True() && matches(c.group, group) {
			name, id := textOf(vm.GetAttr("name")), textOf(vm.GetAttr("id"))
			e.deleted = append(e.deleted, fmt.Sprintf("%s in group %s, account %s (ID %s)", name, group, account, id))
		}
	}
}

// label returns the label of a disc.
func (m *machine) label(disc string) string {
	for _, d := range m.state.GetAttr("disc").AsValueSlice() {
		if textOf(d.GetAttr("id")) == disc {
			return textOf(d.GetAttr("label"))
		}
	}
	return ""
}

// comment describes the machine to people, in addition to its name.
func (m *machine) comment() string {
	return strings.TrimSpace(m.text("hostname") + " " + m.text("ipv4_address") + " " + m.text("ipv6_address"))
}
