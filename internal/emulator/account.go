package emulator

import "net/http"

// addAccount adds an account without groups.
func (s *store) addAccount(id int64, name string) *account {
	a := &account{id: id, name: name, groups: map[string]*storedGroup{}}
	s.accounts[a.id], s.accountsByName[name] = a, a
	return a
}

// account returns the account that the path names.
func (c *call) account() (*account, error) {
	return c.accountNamed(c.path["account"])
}

// accountNamed returns an account that the user can see. A suspended account can be read but not changed.
func (c *call) accountNamed(key string) (*account, error) {
	found, ok := resolve(c.store, key,
		func(name string) (*account, bool) { a, ok := c.store.accountsByName[name]; return a, ok },
		func(id int64) (*account, bool) { a, ok := c.store.accounts[id]; return a, ok })
	if !ok || !c.user.sees(found) {
		return nil, refuse(http.StatusNotFound, "no such account")
	}
	if found.suspended && c.writes() {
		return nil, refuse(http.StatusForbidden, "the account is suspended")
	}
	c.reached.Account = found.id
	return found, nil
}

// accounts returns the accounts that the user can see.
func (c *call) accounts() []*account {
	var list []*account
	for _, a := range sortedByID(c.store.accounts) {
		if c.user.sees(a) {
			list = append(list, a)
		}
	}
	return list
}

// listAccounts is GET /accounts (API.md §5).
func listAccounts(c *call) (answer, error) {
	list := []accountWire{}
	for _, a := range c.accounts() {
		list = append(list, c.accountWire(a))
	}
	return reply("", list)
}

// showAccount is GET /accounts/{account}.
func showAccount(c *call) (answer, error) {
	a, err := c.account()
	if err != nil {
		return answer{}, err
	}
	return reply("account", c.accountWire(a))
}
