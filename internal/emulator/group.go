package emulator

import (
	"net/http"
	"strings"
)

// addGroup adds an empty group, whose name must be free.
func (s *store) addGroup(id int64, a *account, name string, v *vlan) *storedGroup {
	g := &storedGroup{id: id, name: name, account: a, vlan: v, machines: map[string]*storedMachine{}}
	s.groups[g.id], a.groups[name] = g, g
	return g
}

// group returns the group that the path names.
func (c *call) group() (*storedGroup, error) {
	a, err := c.account()
	if err != nil {
		return nil, err
	}
	found, ok := resolve(c.store, c.path["group"],
		func(name string) (*storedGroup, bool) { g, ok := a.groups[name]; return g, ok },
		func(id int64) (*storedGroup, bool) { g, ok := c.store.groups[id]; return g, ok && g.account == a })
	if !ok {
		return nil, refuse(http.StatusNotFound, "no such group")
	}
	c.reached.Group = found.id
	return found, nil
}

// listGroups is GET /accounts/{account}/groups (API.md §5).
func listGroups(c *call) (answer, error) {
	a, err := c.account()
	if err != nil {
		return answer{}, err
	}
	list := []groupWire{}
	for _, g := range sortedByID(a.groups) {
		list = append(list, c.groupWire(g))
	}
	return reply("", list)
}

// showGroup is GET /accounts/{account}/groups/{group}.
func showGroup(c *call) (answer, error) {
	g, err := c.group()
	if err != nil {
		return answer{}, err
	}
	return reply("group", c.groupWire(g))
}

// createGroup is POST /accounts/{account}/groups. The new group is on the public VLAN.
func createGroup(c *call) (answer, error) {
	a, err := c.account()
	if err != nil {
		return answer{}, err
	}
	name, err := c.groupName(a, nil)
	if err != nil {
		return answer{}, err
	}
	g := c.store.addGroup(c.store.id(), a, name, c.store.public)
	c.reached.Group = g.id
	c.note("group %s was created", name)
	return answer{http.StatusCreated, "group", c.groupWire(g)}, nil
}

// updateGroup is PUT /accounts/{account}/groups/{group}.
func updateGroup(c *call) (answer, error) {
	g, err := c.group()
	if err != nil {
		return answer{}, err
	}
	if c.form.has("name") {
		name, err := c.groupName(g.account, g)
		if err != nil {
			return answer{}, err
		}
		if name != g.name {
			c.note("group %s is called %s now", g.name, name)
		}
		g.rename(name)
	}
	return reply("group", c.groupWire(g))
}

// rename renames a group. The name must be free.
func (g *storedGroup) rename(name string) {
	delete(g.account.groups, g.name)
	g.name = name
	g.account.groups[name] = g
}

// groupName decodes the name of a group, which must be a hostname label and free in the account. With
// Options.DottedGroups it may consist of several labels.
func (c *call) groupName(a *account, self *storedGroup) (string, error) {
	name := c.form.required("name")
	labels := []string{name}
	if c.store.options.DottedGroups {
		labels = strings.Split(name, ".")
	}
	for _, label := range labels {
		if name != "" && !labelShape().MatchString(label) {
			c.form.problems.add("name", invalid)
			break
		}
	}
	if other, ok := a.groups[name]; ok && other != self {
		c.form.problems.add("name", taken)
	}
	return name, c.form.problems.err()
}

// deleteGroup is DELETE /accounts/{account}/groups/{group}. It answers 400 while the group has machines, including
// soft-deleted ones.
func deleteGroup(c *call) (answer, error) {
	g, err := c.group()
	if err != nil {
		return answer{}, err
	}
	if len(g.machines) > 0 {
		return answer{}, refuse(http.StatusBadRequest, "the group is not empty")
	}
	c.note("group %s was deleted", g.name)
	delete(c.store.groups, g.id)
	delete(g.account.groups, g.name)
	return gone()
}

// sorted returns the machines of a group that a list shows, by ID: soft-deleted ones only on request, and none that
// cannot be described yet.
func (c *call) sorted(g *storedGroup) []*storedMachine {
	deleted := c.flag("include_deleted")
	var list []*storedMachine
	for _, m := range sortedByID(g.machines) {
		if (deleted || !m.Deleted) && !c.now.Before(m.DescribedAt) {
			list = append(list, m)
		}
	}
	return list
}
