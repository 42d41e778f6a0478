package emulator

import (
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"time"
)

// AddAccount adds an account with a group DefaultGroup on the public VLAN, and returns its ID, or 0 if the name is
// taken. A suspended account can be read, but changing it is answered with 403.
func (e *Emulator) AddAccount(name string, suspended bool) (id int64) {
	e.update(func(s *store) {
		if s.accountsByName[name] != nil {
			return
		}
		a := s.addAccount(s.id(), name)
		a.suspended = suspended
		s.addGroup(s.id(), a, DefaultGroup, s.public)
		id = a.id
	})
	return id
}

// CloseAccount hides an account from everybody, or shows it again, and reports whether the account exists.
func (e *Emulator) CloseAccount(name string, closed bool) (found bool) {
	e.update(func(s *store) {
		if a := s.accountsByName[name]; a != nil {
			a.closed, found = closed, true
		}
	})
	return found
}

// SuspendAccount suspends an account, or reactivates it, and reports whether the account exists.
func (e *Emulator) SuspendAccount(name string, suspended bool) (found bool) {
	e.update(func(s *store) {
		if a := s.accountsByName[name]; a != nil {
			a.suspended, found = suspended, true
		}
	})
	return found
}

// AddGroup adds a group, optionally on a private VLAN of its own, and returns its ID, or 0 if the account is unknown or
// the name is taken.
func (e *Emulator) AddGroup(account, name string, privateVLAN bool) (id int64) {
	e.update(func(s *store) {
		a := s.accountsByName[account]
		if a == nil || a.groups[name] != nil {
			return
		}
		network := s.public
		if privateVLAN {
			network = s.newPrivateVLAN()
		}
		id = s.addGroup(s.id(), a, name, network).id
	})
	return id
}

// GroupNames returns the names of an account's groups, sorted.
func (e *Emulator) GroupNames(account string) (names []string) {
	e.update(func(s *store) {
		if a := s.accountsByName[account]; a != nil {
			names = slices.Sorted(maps.Keys(a.groups))
		}
	})
	return names
}

// ReverseName returns the reverse name that somebody has set for an address, or "" if nobody has, or no machine has the
// address.
func (e *Emulator) ReverseName(address string) (name string) {
	e.update(func(s *store) {
		if a, err := netip.ParseAddr(address); err == nil && s.addresses[a] != nil {
			name = s.addresses[a].rdns
		}
	})
	return name
}

// RenameGroup renames a group. It returns an error when the group is unknown or the name is taken.
func (e *Emulator) RenameGroup(account, name, renamed string) (err error) {
	e.update(func(s *store) {
		g := s.groupNamed(account, name)
		switch {
		case g == nil:
			err = fmt.Errorf("no group %s in account %s", name, account)
		case g.account.groups[renamed] != nil:
			err = fmt.Errorf("name %q %s", renamed, taken)
		default:
			g.rename(renamed)
		}
	})
	return err
}

// AddUser adds or replaces a user who sees every account. If there are codes, opening a session requires one of them as
// the second factor, as 2fa or as yubikey. Each code works once.
func (e *Emulator) AddUser(name, password string, codes ...string) {
	codes = slices.DeleteFunc(slices.Clone(codes), func(code string) bool { return code == "" })
	e.update(func(s *store) {
		s.users[name] = &User{Name: name, Password: password, SecondFactor: len(codes) > 0, Codes: codes}
	})
}

// RestrictUser limits a user to accounts, by name.
func (e *Emulator) RestrictUser(name string, accounts ...string) {
	e.update(func(s *store) {
		if u := s.users[name]; u != nil {
			u.Accounts = accounts
		}
	})
}

// AddAPIKey adds an API key of a user. It must begin with "apikey.".
func (e *Emulator) AddAPIKey(key, user string) {
	e.update(func(s *store) { s.apiKeys[key] = apiKey{user: user} })
}

// ExpireAPIKey sets when an API key expires.
func (e *Emulator) ExpireAPIKey(key string, at time.Time) {
	e.update(func(s *store) {
		if k, ok := s.apiKeys[key]; ok {
			k.expires = at
			s.apiKeys[key] = k
		}
	})
}

// ExpireSessions ends every session. API keys stay.
func (e *Emulator) ExpireSessions() {
	e.update(func(s *store) { clear(s.sessions) })
}

// SetDefinitions calls f to add, remove and reshape the sets of GET /definitions, by ID. f must not keep the map.
func (e *Emulator) SetDefinitions(f func(map[string]any)) {
	e.update(func(s *store) { f(s.definitions) })
}
