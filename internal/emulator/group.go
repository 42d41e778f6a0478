package emulator

import "net/http"

// addGroup adds an empty group, whose name has to be free.
func (s *store) addGroup(a *account, name string, v *vlan) *group {
	g := &group{id: s.id(), name: name, account: a, vlan: v, machines: map[string]*machine{}}
	s.groups[g.id], a.groups[name] = g, g
	return g
}

// group finds the group that the path names.
func (c *call) group() (*group, error) {
	a, err := c.account()
	if err != nil {
		return nil, err
	}
	found, ok := byNameOrID(a.groups, c.store.groups, c.path["group"])
	if !ok || found.account != a {
		return nil, refuse(http.StatusNotFound, "no such group")
	}
	return found, nil
}

// listGroups is GET /accounts/{account}/groups (api.md §5).
func listGroups(c *call) (answer, error) {
	a, err := c.account()
	if err != nil {
		return answer{}, err
	}
	list := []groupWire{}
	for _, g := range a.sorted() {
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

// createGroup is POST /accounts/{account}/groups. The new group is on the
// public VLAN.
func createGroup(c *call) (answer, error) {
	a, err := c.account()
	if err != nil {
		return answer{}, err
	}
	name, err := c.groupName(a, nil)
	if err != nil {
		return answer{}, err
	}
	g := c.store.addGroup(a, name, c.store.public)
	return answer{http.StatusCreated, "group", c.groupWire(g)}, nil
}

// renameGroup is PUT /accounts/{account}/groups/{group}.
func renameGroup(c *call) (answer, error) {
	g, err := c.group()
	if err != nil {
		return answer{}, err
	}
	name, err := c.groupName(g.account, g)
	if err != nil {
		return answer{}, err
	}
	delete(g.account.groups, g.name)
	g.name = name
	g.account.groups[name] = g
	return reply("group", c.groupWire(g))
}

// groupName reads the name for a group, which has to be a hostname label and
// free in the account.
func (c *call) groupName(a *account, self *group) (string, error) {
	name := c.form.label("name", c.form.required("name"))
	if other, ok := a.groups[name]; ok && other != self {
		c.form.problems.add("name", taken)
	}
	return name, c.form.problems.err()
}

// deleteGroup is DELETE /accounts/{account}/groups/{group}: 400 while there
// are machines in it, soft-deleted ones included.
func deleteGroup(c *call) (answer, error) {
	g, err := c.group()
	if err != nil {
		return answer{}, err
	}
	if len(g.machines) > 0 {
		return answer{}, refuse(http.StatusBadRequest, "the group is not empty")
	}
	delete(c.store.groups, g.id)
	delete(g.account.groups, g.name)
	return gone()
}

// sorted lists a group's machines by id, soft-deleted ones only if wanted,
// and without those that cannot be described yet.
func (c *call) sorted(g *group) []*machine {
	deleted := c.flag("include_deleted")
	var list []*machine
	for _, m := range sortedByID(g.machines) {
		if (deleted || !m.Deleted) && !c.now.Before(m.describedAt) {
			list = append(list, m)
		}
	}
	return list
}
