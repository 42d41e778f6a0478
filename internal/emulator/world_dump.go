package emulator

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"time"
)

// World is the service's data as JSON: what seeds, dumps and saved states hold (world.schema.json).
type World struct {
	Schema string `json:"$schema,omitempty"`
	NextID int64  `json:"next_id,omitempty"`
	// ClockOffset is how far the emulator's clock is ahead, a duration; "" leaves the clock alone.
	ClockOffset string `json:"clock_offset,omitempty"`
	// Guests gives new machines addresses in GuestIPv4, as Options.Guests.
	Guests bool    `json:"guests,omitempty"`
	Events []Event `json:"events,omitempty"`
	// Faults replace the injected ones; nil leaves them alone.
	Faults      []WorldFault      `json:"faults,omitzero"`
	Power       *WorldPower       `json:"power,omitempty"`
	Users       []*User           `json:"users"`
	APIKeys     []WorldKey        `json:"api_keys"`
	Accounts    []WorldAccount    `json:"accounts"`
	RDNS        map[string]string `json:"rdns,omitempty"`
	Definitions map[string]any    `json:"definitions,omitempty"`
	// Images are what guests answer, by distribution.
	Images map[string]WorldImage `json:"images,omitempty"`
}

// WorldImage is what guests with an image answer over HTTP.
type WorldImage struct {
	HTTPStatus int `json:"http_status"`
}

// WorldKey is an API key.
type WorldKey struct {
	Key       string    `json:"key"`
	User      string    `json:"user"`
	ExpiresAt time.Time `json:"expires_at,omitzero"`
}

// WorldAccount is an account with its groups.
type WorldAccount struct {
	ID        int64        `json:"id,omitempty"`
	Name      string       `json:"name"`
	Suspended bool         `json:"suspended,omitempty"`
	Closed    bool         `json:"closed,omitempty"`
	Groups    []WorldGroup `json:"groups,omitempty"`
}

// WorldGroup is a group with its machines.
type WorldGroup struct {
	ID          int64          `json:"id,omitempty"`
	Name        string         `json:"name"`
	PrivateVLAN *WorldVLAN     `json:"private_vlan,omitempty"`
	Machines    []WorldMachine `json:"virtual_machines,omitempty"`
}

// WorldVLAN is a private VLAN.
type WorldVLAN struct {
	Number int64  `json:"number,omitempty"`
	IPv4   string `json:"ipv4,omitempty"`
	IPv6   string `json:"ipv6,omitempty"`
}

// WorldMachine is a machine with what is happening to it. Power and Tasks are in a View only.
type WorldMachine struct {
	Machine
	background
	// Power is what the machine's power is, or is becoming: on, off, starting, shutting down, installing.
	Power string `json:"-"`
	Tasks []Task `json:"-"`
}

// Dump returns the world as JSON. Load of it results in the same world.
func (e *Emulator) Dump() []byte { return e.dump(false) }

// State returns the world with all that another process needs to go on with it: the next id, so that ids never repeat, the
// clock, the faults, the counts of power and the last events. Sessions are not part of it.
func (e *Emulator) State() []byte { return e.dump(true) }

func (e *Emulator) dump(whole bool) []byte {
	var w World
	e.update(func(s *store) {
		if w = s.world(); whole {
			w.NextID, w.ClockOffset, w.Guests = s.nextID, e.offset.String(), s.guests
			w.Faults, w.Power, w.Events = e.worldFaults(), s.power.world(), s.events.world()
		} else {
			w.hideHostKeys()
		}
	})
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	// Every part of a world can be encoded: a failure would be a mistake in its types, which a test would find.
	_ = encoder.Encode(w)
	return b.Bytes()
}

// hideHostKeys removes the private keys that first boot scripts contain: they may be real ones.
func (w *World) hideHostKeys() {
	for _, a := range w.Accounts {
		for _, g := range a.Groups {
			for n := range g.Machines {
				m := &g.Machines[n]
				if m.ScriptHostKey = ""; m.Image != nil {
					withoutKey := *m.Image
					withoutKey.HostKey = ""
					m.Image = &withoutKey
				}
			}
		}
	}
}

// world returns a copy of the data.
func (s *store) world() World {
	w := World{Users: []*User{}, APIKeys: []WorldKey{}, Accounts: []WorldAccount{}, RDNS: map[string]string{}, Definitions: map[string]any{}}
	for _, name := range slices.Sorted(maps.Keys(s.users)) {
		u := *s.users[name]
		w.Users = append(w.Users, &u)
	}
	for _, key := range slices.Sorted(maps.Keys(s.apiKeys)) {
		w.APIKeys = append(w.APIKeys, WorldKey{key, s.apiKeys[key].user, s.apiKeys[key].expires})
	}
	for _, a := range sortedByID(s.accounts) {
		w.Accounts = append(w.Accounts, a.world())
	}
	for address, held := range s.addresses {
		if held.rdns != "" {
			w.RDNS[address.String()] = held.rdns
		}
	}
	for distribution, status := range s.images {
		if w.Images == nil {
			w.Images = map[string]WorldImage{}
		}
		w.Images[distribution] = WorldImage{status}
	}
	for id := range defaultDefinitions() {
		w.Definitions[id] = nil // a set that is missing here
	}
	for id, data := range s.definitions {
		w.Definitions[id] = data
	}
	return w
}

func (a *account) world() WorldAccount {
	w := WorldAccount{ID: a.id, Name: a.name, Suspended: a.suspended, Closed: a.closed}
	for _, g := range sortedByID(a.groups) {
		group := WorldGroup{ID: g.id, Name: g.name}
		if g.vlan.private {
			group.PrivateVLAN = &WorldVLAN{g.vlan.num, g.vlan.ipv4.ranges[0].String(), g.vlan.ipv6.ranges[0].String()}
		}
		for _, m := range sortedByID(g.machines) {
			group.Machines = append(group.Machines, WorldMachine{Machine: m.export(), background: m.background})
		}
		w.Groups = append(w.Groups, group)
	}
	return w
}
