package adopt

import (
	"cmp"
	"fmt"
	"net/netip"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// object is an object of the service for which a resource is looked for in the configuration.
type object struct {
	found
	title   string
	comment string // how people know it
	account string
	address string // of its resource; "": none yet
}

// index finds objects by the arguments of a configuration.
type index struct {
	objects  []*object
	accounts []string
	account  string // the environment's
	group    string
}

func newIndex(e *estate, account, group string) *index {
	i := &index{accounts: e.accounts, account: account, group: group}
	add := func(f found, account, title, comment string) {
		i.objects = append(i.objects, &object{found: f, title: title, comment: comment, account: account})
	}
	for _, g := range e.groups {
		if g.state != cty.NilVal {
			add(g.found, g.account, fmt.Sprintf("group %q of account %q", g.name, g.account), "")
		}
		for _, m := range g.machines {
			title := fmt.Sprintf("virtual machine %q of group %q", m.name, g.name)
			add(m.found, g.account, title, m.text("hostname"))
			for _, f := range m.schedules {
				add(f, g.account, "a backup schedule of "+title, m.text("hostname"))
			}
			for _, f := range m.names {
				add(
					f, g.account, fmt.Sprintf("reverse name %q of %s", f.text("hostname"), f.text("address")),
					f.text("hostname"),
				)
			}
		}
	}
	return i
}

// match looks for the object that an instance describes.
func (l *lost) match(s *scope, b *block, r *resourceBlock, e *element) {
	before := l.instances[r.address()][e.key]
	if before.found != nil {
		e.found = before.found
		return
	}
	of := argument(func(name string) cty.Value { return s.value(b.arguments[name], e.self) })
	var fits func(*object) bool
	switch r.typeName {
	case groupType:
		fits, e.why = s.describedGroup(b, of)
	case machineType:
		e.sought, e.why = s.describedMachine(b, of)
		fits = e.describesMachine
	case scheduleType:
		fits, e.why = describedSchedule(of)
	case nameType:
		fits, e.why = describedName(of)
	}
	if e.why != "" {
		return
	}
	for _, o := range l.index.objects {
		if o.typeName != r.typeName || !fits(o) {
			continue
		}
		if o.address != "" {
			e.why = fmt.Sprintf("%s, which it describes, is %s already", o.title, o.address)
			continue
		}
		o.address, e.found, e.why = r.address()+e.brackets(), o, ""
		return
	}
	e.why = cmp.Or(e.why, "the service has no such object, or these credentials cannot see it")
}

// unknown is the reason for not evaluating an argument.
func unknown(name string) string {
	return "its " + name + " is not known from the configuration alone"
}

// argument returns the value of an argument of an instance.
type argument func(name string) cty.Value

// given returns the value of an argument, or the reason why it is unknown. Both are "" if the argument is not set.
func (a argument) given(name string) (value, why string) {
	found := a(name)
	if !found.IsWhollyKnown() {
		return "", unknown(name)
	}
	if found, err := convert.Convert(found, cty.String); err == nil {
		return textOf(found), ""
	}
	return "", ""
}

// describedGroup returns a function that reports whether an object is the group that an instance describes, or why it
// is unknown.
func (s *scope) describedGroup(b *block, a argument) (fits func(*object) bool, why string) {
	name, whyName := a.given("name")
	account, whyAccount := s.accountOf(b, a)
	return func(o *object) bool { return o.text("name") == name && o.account == account }, cmp.Or(whyName, whyAccount)
}

// machineName is where a machine is, and what it is called: no two machines have the same.
type machineName struct{ Account, Group, Name string }

// describedMachine returns the name and location of the machine that an instance describes, or why they are unknown.
func (s *scope) describedMachine(b *block, a argument) (sought machineName, why string) {
	name, whyName := a.given("name")
	id, whyID := a.given("group_id")
	group, whyGroup := a.given("group")
	account, whyAccount := s.accountOf(b, a)
	if why := cmp.Or(whyName, whyID, whyGroup); why != "" {
		return machineName{}, why
	}
	switch {
	case id != "":
		account, group, whyAccount = s.index.groupWithID(id)
	case group == "":
		group, whyGroup = s.setting(b, "group", s.index.group)
	}
	return machineName{Account: account, Group: group, Name: name}, cmp.Or(whyGroup, whyAccount)
}

// describesMachine reports whether the object is the machine that the element describes.
func (e *element) describesMachine(o *object) bool {
	return e.sought == machineName{Account: o.account, Group: o.text("group"), Name: o.text("name")}
}

// describedSchedule does the same for backup schedules.
func describedSchedule(a argument) (fits func(*object) bool, why string) {
	disc, whyDisc := a.given("disc_id")
	start, whyStart := a.given("start_at")
	interval, whyInterval := a.given("interval_seconds")
	capacity, whyCapacity := a.given("capacity")
	return func(o *object) bool {
		return o.text("disc_id") == disc && cloudserver.SameTime(o.text("start_at"), start) &&
			o.plain("interval_seconds") == interval && (capacity == "" || o.plain("capacity") == capacity)
	}, cmp.Or(whyDisc, whyStart, whyInterval, whyCapacity)
}

// describedName does the same for reverse names.
func describedName(a argument) (fits func(*object) bool, why string) {
	text, why := a.given("address")
	address, err := netip.ParseAddr(text)
	if err != nil {
		return nil, cmp.Or(why, fmt.Sprintf("its address is %q", text))
	}
	return func(o *object) bool { return o.text("address") == address.Unmap().String() }, why
}

// plain returns an attribute as text, whatever its type is.
func (o *object) plain(attribute string) string {
	value, err := convert.Convert(o.state.GetAttr(attribute), cty.String)
	if err != nil {
		return ""
	}
	return textOf(value)
}

// groupWithID returns the account and the name of a group.
func (i *index) groupWithID(id string) (account, name, why string) {
	for _, o := range i.objects {
		if o.typeName == groupType && o.text("id") == id {
			return o.account, o.text("name"), ""
		}
	}
	return "", "", "the service has no group with the ID " + id + ", or these credentials cannot see it"
}

// accountOf returns the account of an instance: its own, the provider's, or the only one.
func (s *scope) accountOf(b *block, a argument) (account, why string) {
	if account, why = a.given("account"); account != "" || why != "" {
		return account, why
	}
	account, why = s.setting(b, "account", s.index.account)
	if account == "" && why == "" && len(s.index.accounts) == 1 {
		return s.index.accounts[0], ""
	}
	return account, why
}

// setting returns an argument of the provider block that a resource uses, or the value of the environment variable.
func (s *scope) setting(b *block, name, environment string) (value, why string) {
	if s.isGuest {
		return "", "its module uses a provider of another module"
	}
	alias := ""
	if expr := b.arguments["provider"]; expr != nil {
		if reference, diags := hcl.AbsTraversalForExpr(expr); !diags.HasErrors() && len(reference) > 1 {
			if step, ok := reference[1].(hcl.TraverseAttr); ok {
				alias = step.Name
			}
		}
	}
	for _, p := range s.root.config.providers {
		get := argument(func(name string) cty.Value { return s.root.value(p.arguments[name], nil) })
		if own, _ := get.given("alias"); p.labels[0] != "cloudserver" || own != alias {
			continue
		}
		if value, why = get.given(name); value != "" || why != "" {
			return value, why
		}
	}
	return environment, ""
}
