package emulator

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"time"
)

// World is the service's data as JSON: the contents of seeds, dumps and saved states (world.schema.json).
type World struct {
	Schema string `json:"$schema,omitempty" description:"Where this schema is; editors use it."`
	NextID int64  `json:"next_id,omitempty" minimum:"0" maximum:"9007199254740991" description:"Number after which IDs are assigned; in saved states."`
	// ClockOffset is how far the emulator's clock is ahead, as a duration; "" leaves the clock unchanged.
	ClockOffset string `json:"clock_offset,omitempty" description:"How far the emulator's clock is ahead of the system's, such as 48h; negative: behind."`
	// Guests gives new machines addresses in GuestIPv4, like Options.Guests.
	Guests bool    `json:"guests,omitempty" description:"Whether new machines get addresses on which guests answer (--guest-port)."`
	Events []Event `json:"events,omitempty" description:"What happened last; in saved states."`
	// Faults replace the injected ones; nil leaves them unchanged.
	Faults      []WorldFault      `json:"faults,omitzero" description:"Faults that act from the start."`
	Power       *WorldPower       `json:"power,omitempty" description:"Counts of machines that were down; in saved states."`
	Users       []*User           `json:"users" required:"false" description:"Users. Default: demo with the password demo."`
	APIKeys     []WorldKey        `json:"api_keys" required:"false" description:"API keys. Default, when there are no users either: apikey.demo."`
	Accounts    []WorldAccount    `json:"accounts" description:"Accounts."`
	RDNS        map[string]string `json:"rdns,omitempty" description:"Reverse names of addresses that machines have."`
	Definitions map[string]any    `json:"definitions,omitempty" description:"Sets of GET /definitions by ID. A set replaces the default one; null removes it."`
	// Images are the HTTP statuses of guests, by distribution.
	Images map[string]WorldImage `json:"images,omitempty" description:"What guests answer, by distribution."`
}

// WorldImage is the HTTP status of guests with an image.
type WorldImage struct {
	HTTPStatus int `json:"http_status" minimum:"200" maximum:"599" description:"What guests with this image answer over HTTP, unless they have a status of their own."`
}

// WorldKey is an API key.
type WorldKey struct {
	Key       string    `json:"key" pattern:"^apikey\\..+$" description:"API key."`
	User      string    `json:"user" description:"Name of its user."`
	ExpiresAt time.Time `json:"expires_at,omitzero" description:"When it expires. Default: never."`
}

// WorldAccount is an account with its groups.
type WorldAccount struct {
	ID        int64        `json:"id,omitempty" minimum:"1" maximum:"9007199254740991" description:"Numeric ID. Assigned when absent."`
	Name      string       `json:"name" pattern:"^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$" description:"Name."`
	Suspended bool         `json:"suspended,omitempty" description:"Whether changes are refused with 403."`
	Closed    bool         `json:"closed,omitempty" description:"Whether nobody sees the account."`
	Groups    []WorldGroup `json:"groups,omitempty" description:"Groups."`
}

// WorldGroup is a group with its machines.
type WorldGroup struct {
	ID          int64          `json:"id,omitempty" minimum:"1" maximum:"9007199254740991" description:"Numeric ID. Assigned when absent."`
	Name        string         `json:"name" pattern:"^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$" description:"Name, unique in the account."`
	PrivateVLAN *WorldVLAN     `json:"private_vlan,omitempty" description:"Private VLAN of the group, in which addresses can be chosen. Without it, the group is on the public VLAN."`
	Machines    []WorldMachine `json:"virtual_machines,omitempty" description:"Virtual machines."`
}

// WorldVLAN is a private VLAN.
type WorldVLAN struct {
	Number int64  `json:"number,omitempty" minimum:"1" maximum:"9007199254740991" description:"Number."`
	IPv4   string `json:"ipv4,omitempty" description:"IPv4 range, such as 192.0.2.0/24. Chosen when absent."`
	IPv6   string `json:"ipv6,omitempty" description:"IPv6 range. Chosen when absent."`
}

// WorldMachine is a machine with what is happening to it. Power and Tasks are in a View only.
type WorldMachine struct {
	Machine
	background
	// Power is the machine's power, or the one that it is changing to: on, off, starting, shutting down, installing.
	Power string `json:"-"`
	Tasks []Task `json:"-"`
}

// Dump returns the world as JSON. Loading it results in the same world.
func (e *Emulator) Dump() []byte { return e.dump(false) }

// State returns the world with everything that another process needs to continue it: the next ID, so that IDs are never
// reused, the clock, the faults, the counts of power and the last events. It does not contain sessions.
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
	// This cannot fail: a part of a world that cannot be encoded would be a mistake in its types, which tests would
	// find.
	_ = encoder.Encode(w)
	return b.Bytes()
}

// hideHostKeys removes the private keys in first boot scripts, because they may be real ones.
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
	w := World{
		Users: []*User{}, APIKeys: []WorldKey{}, Accounts: []WorldAccount{}, RDNS: map[string]string{},
		Definitions: map[string]any{},
	}
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
