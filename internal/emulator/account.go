package emulator

import "net/http"

// addAccount adds an account without groups.
func (s *store) addAccount(name string) *account {
	a := &account{id: s.id(), name: name, groups: map[string]*group{}}
	s.accounts[a.id], s.accountsByName[name] = a, a
	return a
}

// account finds the account that the path names. A suspended one can be read
// but not changed.
func (c *call) account() (*account, error) {
	return c.accountNamed(c.path["account"])
}

func (c *call) accountNamed(key string) (*account, error) {
	found, ok := byNameOrID(c.store.accountsByName, c.store.accounts, key)
	if !ok {
		return nil, refuse(http.StatusNotFound, "no such account")
	}
	if found.suspended && c.writes() {
		return nil, refuse(http.StatusForbidden, "the account is suspended")
	}
	return found, nil
}

// listAccounts is GET /accounts (api.md §5).
func listAccounts(c *call) (answer, error) {
	list := []accountWire{}
	for _, a := range sortedByID(c.store.accounts) {
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

// sorted lists an account's groups by id.
func (a *account) sorted() []*group {
	return sortedByID(a.groups)
}
