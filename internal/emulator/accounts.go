// SPDX-License-Identifier: MPL-2.0

package emulator

import (
	"cmp"
	"net/http"
	"slices"
)

// accountWire is an account object (API.md §5).
type accountWire struct {
	Type      string      `json:"type"`
	ID        int64       `json:"id"`
	Name      string      `json:"name"`
	Suspended bool        `json:"suspended"`
	Groups    []groupWire `json:"groups,omitzero"`
}

// groupWire is a group object (API.md §5).
type groupWire struct {
	Type            string        `json:"type"`
	ID              int64         `json:"id"`
	Name            string        `json:"name"`
	AccountID       int64         `json:"account_id"`
	VirtualMachines []machineWire `json:"virtual_machines,omitzero"`
}

func (c *call) accountWire(a *account) accountWire {
	wire := accountWire{Type: mediaType("account"), ID: a.ID, Name: a.Name, Suspended: a.Suspended}
	if c.overview() {
		wire.Groups = []groupWire{}
		for _, g := range a.Groups {
			wire.Groups = append(wire.Groups, c.groupWire(g))
		}
	}
	return wire
}

func (c *call) groupWire(g *group) groupWire {
	wire := groupWire{Type: mediaType("group"), ID: g.ID, Name: g.Name, AccountID: g.account.ID}
	if c.overview() {
		wire.VirtualMachines = c.listed(g)
	}
	return wire
}

// sees reports whether a user can see an account.
func (u *User) sees(a *account) bool {
	return u != nil && !a.Closed && (len(u.Accounts) == 0 || slices.Contains(u.Accounts, a.Name))
}

// findAccount finds the account with a name or ID, if the user can see it. A suspended account can be read but not
// changed.
func (c *call) findAccount(key string) error {
	id := idOf(key)
	found := cmp.Or(c.world.account(key), findIn(c.world.Accounts, func(a *account) bool { return a.ID == id }))
	if found == nil || !c.user.sees(found) {
		return refuse(http.StatusNotFound, "no such account")
	}
	if found.Suspended && c.writes() {
		return refuse(http.StatusForbidden, "the account is suspended")
	}
	c.account, c.reached.Account = found, found.ID
	return nil
}

// findGroup finds a group of the account.
func (c *call) findGroup(key string) error {
	id := idOf(key)
	found := cmp.Or(c.account.group(key), findIn(c.account.Groups, func(g *group) bool { return g.ID == id }))
	if found == nil {
		return refuse(http.StatusNotFound, "no such group")
	}
	c.group, c.reached.Group = found, found.ID
	return nil
}

// listAccounts is GET /accounts (API.md §5).
func listAccounts(c *call) (answer, error) {
	list := []accountWire{}
	for _, a := range c.world.Accounts {
		if c.user.sees(a) {
			list = append(list, c.accountWire(a))
		}
	}
	return reply("", list)
}

// showAccount is GET /accounts/{account}.
func showAccount(c *call) (answer, error) {
	return reply("account", c.accountWire(c.account))
}

// listGroups is GET /accounts/{account}/groups.
func listGroups(c *call) (answer, error) {
	list := []groupWire{}
	for _, g := range c.account.Groups {
		list = append(list, c.groupWire(g))
	}
	return reply("", list)
}

// showGroup is GET /accounts/{account}/groups/{group}.
func showGroup(c *call) (answer, error) {
	return reply("group", c.groupWire(c.group))
}

// createGroup is POST /accounts/{account}/groups. The new group is on the public VLAN.
func createGroup(c *call) (answer, error) {
	name, err := c.groupName(c.account, nil)
	if err != nil {
		return answer{}, err
	}
	g := c.world.addGroup(c.account, name)
	c.reached.Group = g.ID
	return answer{http.StatusCreated, "group", c.groupWire(g)}, nil
}

// updateGroup is PUT /accounts/{account}/groups/{group}.
func updateGroup(c *call) (answer, error) {
	g := c.group
	if c.form.has("name") {
		name, err := c.groupName(g.account, g)
		if err != nil {
			return answer{}, err
		}
		g.Name = name
	}
	return reply("group", c.groupWire(g))
}

// groupName decodes the name of a group, which must be a hostname label and free in the account.
func (c *call) groupName(a *account, self *group) (string, error) {
	name := c.form.required("name")
	if name != "" && !isLabel(name) {
		c.form.problems.add("name", invalid)
	}
	if other := a.group(name); other != nil && other != self {
		c.form.problems.add("name", taken)
	}
	return name, c.form.problems.err()
}

// deleteGroup is DELETE /accounts/{account}/groups/{group}. It answers 400 while the group has machines, including
// soft-deleted ones.
func deleteGroup(c *call) (answer, error) {
	g := c.group
	if len(g.Machines) > 0 {
		return answer{}, refuse(http.StatusBadRequest, "the group is not empty")
	}
	g.account.Groups = slices.DeleteFunc(g.account.Groups, func(other *group) bool { return other == g })
	delete(c.world.groups, g.ID)
	return gone()
}
