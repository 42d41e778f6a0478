package emulator

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"time"
)

// world is the service's data as JSON: what seeds, dumps and saved states hold (world.schema.json).
type world struct {
	Schema      string            `json:"$schema,omitempty"`
	NextID      int64             `json:"next_id,omitempty"`
	Users       []*user           `json:"users"`
	APIKeys     []worldKey        `json:"api_keys"`
	Accounts    []worldAccount    `json:"accounts"`
	RDNS        map[string]string `json:"rdns,omitempty"`
	Definitions map[string]any    `json:"definitions,omitempty"`
}

type worldKey struct {
	Key       string    `json:"key"`
	User      string    `json:"user"`
	ExpiresAt time.Time `json:"expires_at,omitzero"`
}

type worldAccount struct {
	ID        int64        `json:"id,omitempty"`
	Name      string       `json:"name"`
	Suspended bool         `json:"suspended,omitempty"`
	Closed    bool         `json:"closed,omitempty"`
	Groups    []worldGroup `json:"groups,omitempty"`
}

type worldGroup struct {
	ID          int64          `json:"id,omitempty"`
	Name        string         `json:"name"`
	PrivateVLAN *worldVLAN     `json:"private_vlan,omitempty"`
	Machines    []worldMachine `json:"virtual_machines,omitempty"`
}

type worldVLAN struct {
	Number int64  `json:"number,omitempty"`
	IPv4   string `json:"ipv4,omitempty"`
	IPv6   string `json:"ipv6,omitempty"`
}

type worldMachine struct {
	Machine
	background
}

// Dump returns the world as JSON. Load of it results in the same world.
func (e *Emulator) Dump() []byte { return e.dump(false) }

// State returns the world with its next id, so that ids never repeat.
func (e *Emulator) State() []byte { return e.dump(true) }

func (e *Emulator) dump(counted bool) []byte {
	var w world
	e.update(func(s *store) { w = s.world(counted) })
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	// Every part of a world can be encoded: a failure would be a mistake in its types, which a test would find.
	_ = encoder.Encode(w)
	return b.Bytes()
}

// world returns a copy of the data.
func (s *store) world(counted bool) world {
	w := world{Users: []*user{}, APIKeys: []worldKey{}, Accounts: []worldAccount{}, RDNS: map[string]string{}, Definitions: map[string]any{}}
	if counted {
		w.NextID = s.nextID
	}
	for _, name := range slices.Sorted(maps.Keys(s.users)) {
		u := *s.users[name]
		w.Users = append(w.Users, &u)
	}
	for _, key := range slices.Sorted(maps.Keys(s.apiKeys)) {
		w.APIKeys = append(w.APIKeys, worldKey{key, s.apiKeys[key].user, s.apiKeys[key].expires})
	}
	for _, a := range sortedByID(s.accounts) {
		w.Accounts = append(w.Accounts, a.world())
	}
	for address, held := range s.addresses {
		if held.rdns != "" {
			w.RDNS[address.String()] = held.rdns
		}
	}
	for id := range defaultDefinitions() {
		w.Definitions[id] = nil // a set that is missing here
	}
	for id, data := range s.definitions {
		w.Definitions[id] = data
	}
	return w
}

func (a *account) world() worldAccount {
	w := worldAccount{ID: a.id, Name: a.name, Suspended: a.suspended, Closed: a.closed}
	for _, g := range a.sorted() {
		group := worldGroup{ID: g.id, Name: g.name}
		if g.vlan.private {
			group.PrivateVLAN = &worldVLAN{g.vlan.num, g.vlan.ipv4.ranges[0].String(), g.vlan.ipv6.ranges[0].String()}
		}
		for _, m := range sortedByID(g.machines) {
			copied := worldMachine{m.clone(), m.background}
			group.Machines = append(group.Machines, copied)
		}
		w.Groups = append(w.Groups, group)
	}
	return w
}
