package emulator

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"slices"
	"strings"
)

// maxID is the highest ID that every JSON decoder reads exactly.
const maxID = 1<<53 - 1

// Load replaces the world by one that Dump returned or a person wrote. Sessions end, and new IDs continue after the
// current ones. If data is invalid, Load returns an error with the path of the mistake, and the world stays as it is.
func (e *Emulator) Load(data []byte) error { return e.replace(data, true) }

// Resume replaces the world by a state that State has returned, in this process or another one. Sessions continue.
func (e *Emulator) Resume(state []byte) error { return e.replace(state, false) }

// Dump returns the world as JSON. Loading it results in the same world.
func (e *Emulator) Dump() []byte { return e.dump(false) }

// State returns the world with everything that another process needs to continue it, such as the next ID, so that IDs
// are never reused. It does not contain sessions.
func (e *Emulator) State() []byte { return e.dump(true) }

// Changes counts possible changes of the state: while it stays the same, so does the state.
func (e *Emulator) Changes() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.changes
}

func (e *Emulator) dump(whole bool) []byte {
	var b bytes.Buffer
	e.update(func() {
		w := *e.world
		if !whole {
			w.NextID, w.Guests = 0, false
		}
		encoder := json.NewEncoder(&b)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		_ = encoder.Encode(w) // only a mistake in the types above could make this fail, and tests would find it
	})
	return b.Bytes()
}

// replace replaces the world. fresh ends sessions, and forgets what was counted.
func (e *Emulator) replace(data []byte, fresh bool) error {
	w, err := parseWorld(data)
	if err != nil {
		return err
	}
	defer e.changed()
	e.mu.Lock()
	defer e.mu.Unlock()
	if fresh || w.NextID == 0 {
		w.NextID = max(w.NextID, e.world.NextID)
	}
	faults := e.faults
	if fresh || !slices.Equal(w.Faults, e.world.Faults) {
		if faults, err = e.faultsWith(w.Faults); err != nil {
			return err
		}
	}
	if err := e.adopt(w); err != nil {
		return err
	}
	e.faults = faults
	if fresh {
		clear(e.sessions)
		clear(e.usedCodes)
		e.power = Power{}
	}
	return nil
}

// adopt checks and completes a world, and makes it the emulator's. The caller holds the lock, or nobody else has the
// emulator yet.
func (e *Emulator) adopt(w *world) error {
	w.Guests = w.Guests || e.options.Guests
	w.NextID = max(w.NextID, w.lastID())
	if err := w.complete(); err != nil {
		return err
	}
	e.world = w
	e.changes++
	for _, m := range w.sorted() {
		e.watch(m)
		e.keepUp(m, now())
	}
	return nil
}

// parseWorld decodes a world. Unknown keys are errors.
func parseWorld(data []byte) (*world, error) {
	w := &world{}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(w)
	if mistake, ok := errors.AsType[*json.SyntaxError](err); ok {
		line := 1 + bytes.Count(data[:mistake.Offset], []byte("\n"))
		return nil, fmt.Errorf("is not JSON: line %d: %w", line, err)
	}
	if wrongType, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		if wrongType.Field == "" {
			return nil, errors.New("is not a JSON object")
		}
		return nil, wrong(strings.ReplaceAll(wrongType.Field, ".Machine.", "."), "cannot be "+wrongType.Value)
	}
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, errors.New("is not JSON: it ends too early")
	case err != nil:
		return nil, errors.New(strings.TrimPrefix(err.Error(), "json: "))
	case decoder.More():
		return nil, errors.New("has more than one JSON object")
	case w.Accounts == nil:
		return nil, wrong("accounts", "is missing")
	}
	return w, nil
}

// wrong returns the error for a position, such as accounts[0].groups[1].name.
func wrong(at, problem string) error { return fmt.Errorf("%s: %s", at, problem) }

// lastID returns the highest ID in a world.
func (w *world) lastID() int64 {
	last := int64(0)
	for _, a := range w.Accounts {
		last = max(last, a.ID)
		for _, g := range a.Groups {
			last = max(last, g.ID)
			for _, m := range g.Machines {
				last = max(last, m.lastID())
			}
		}
	}
	return last
}

// lastID returns the highest ID in a machine.
func (m *machine) lastID() int64 {
	last := m.ID
	for _, face := range m.Interfaces {
		last = max(last, face.ID)
	}
	for _, d := range m.Discs {
		last = max(last, d.ID)
		for _, b := range d.taken() {
			last = max(last, b.ID)
		}
		for _, b := range d.schedules() {
			last = max(last, b.ID)
		}
	}
	return last
}

// complete checks a world, and sets what it leaves to the service.
func (w *world) complete() error {
	w.groups, w.machines, w.holders = map[int64]*group{}, map[int64]*machine{}, map[netip.Addr]*machine{}
	w.public = newPublicVLAN(w.Guests)
	if w.NextID < 0 || w.NextID > maxID {
		return errors.New("has an ID that is too large")
	}
	if err := w.completeUsers(); err != nil {
		return err
	}
	discs := map[int64]bool{}
	for n, a := range w.Accounts {
		if err := w.completeAccount(a, fmt.Sprintf("accounts[%d]", n), discs); err != nil {
			return err
		}
	}
	if w.RDNS == nil {
		w.RDNS = map[string]string{}
	}
	for written := range w.RDNS {
		if a, err := netip.ParseAddr(written); err != nil || w.holders[a] == nil || a.String() != written {
			return wrong("rdns."+written, "is not an address of a virtual machine")
		}
	}
	definitions := defaultDefinitions()
	for id, data := range w.Definitions {
		definitions[id] = data
	}
	w.Definitions = definitions
	return nil
}

// completeUsers checks users and API keys. Without any, there are those of the default world.
func (w *world) completeUsers() error {
	if w.Users == nil {
		w.Users = []*User{{Name: DemoUser, Password: DemoPassword}}
		if w.APIKeys == nil {
			w.APIKeys = []*APIKey{{Key: DemoAPIKey, User: DemoUser}}
		}
	}
	if w.APIKeys == nil {
		w.APIKeys = []*APIKey{}
	}
	for n, u := range w.Users {
		if u.Name == "" || w.user(u.Name) != u {
			return wrong(fmt.Sprintf("users[%d].name", n), takenOr(u.Name != "", blank))
		}
	}
	for n, key := range w.APIKeys {
		if w.user(key.User) == nil {
			return wrong(fmt.Sprintf("api_keys[%d].user", n), "is not the name of a user")
		}
	}
	return nil
}

// takenOr returns the problem of a name that is taken, or of one that is not valid.
func takenOr(valid bool, problem string) string {
	if valid {
		return taken
	}
	return problem
}

func (w *world) completeAccount(a *account, at string, discs map[int64]bool) error {
	if !isLabel(a.Name) || w.account(a.Name) != a {
		return wrong(at+".name", takenOr(isLabel(a.Name), invalid))
	}
	if a.ID = w.idOr(a.ID); findIn(w.Accounts, func(other *account) bool { return other.ID == a.ID }) != a {
		return wrong(at+".id", taken)
	}
	for n, g := range a.Groups {
		g.account = a
		if err := w.completeGroup(g, fmt.Sprintf("%s.groups[%d]", at, n), discs); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) completeGroup(g *group, at string, discs map[int64]bool) error {
	valid := !slices.ContainsFunc(strings.Split(g.Name, "."), func(label string) bool { return !isLabel(label) })
	if !valid || g.account.group(g.Name) != g {
		return wrong(at+".name", takenOr(valid, invalid))
	}
	if g.ID = w.idOr(g.ID); w.groups[g.ID] != nil {
		return wrong(at+".id", taken)
	}
	w.groups[g.ID] = g
	if g.PrivateVLAN != nil {
		if err := w.completePrivateVLAN(g.PrivateVLAN); err != nil {
			return wrong(at+".private_vlan", err.Error())
		}
	}
	machines := g.Machines
	g.Machines = nil
	for n, m := range machines {
		at := fmt.Sprintf("%s.virtual_machines[%d]", at, n)
		if !isLabel(m.Name) || g.machine(m.Name) != nil {
			return wrong(at+".name", takenOr(isLabel(m.Name), invalid))
		}
		if w.machines[m.ID] != nil {
			return wrong(at+".id", taken)
		}
		if min(m.ID, m.Cores, m.Memory) < 0 {
			return wrong(at, "has a negative number")
		}
		if err := checkDiscs(m.Discs, at, discs); err != nil {
			return err
		}
		if err := w.add(m, g, ips{}); err != nil {
			return wrong(at+".network_interfaces", err.Error())
		}
	}
	return nil
}

// checkDiscs checks the discs of a machine. known are the IDs of all discs so far.
func checkDiscs(discs []Disc, at string, known map[int64]bool) error {
	for n, d := range discs {
		at := fmt.Sprintf("%s.discs[%d]", at, n)
		switch {
		case strings.TrimSpace(d.Label) == "":
			return wrong(at+".label", blank)
		case labelled(discs[:n], d.Label) != nil:
			return wrong(at+".label", taken)
		case d.Size < 1:
			return wrong(at+".size", fmt.Sprintf(atLeast, 1))
		case d.ID < 0:
			return wrong(at+".id", invalid)
		case d.ID != 0 && known[d.ID]:
			return wrong(at+".id", taken)
		}
		known[d.ID] = true
		for k, b := range d.schedules() {
			if _, ok := parseStart(b.StartAt); !ok || b.IntervalSeconds < 1 || b.Capacity < 1 || b.Capacity > maxBackups {
				return wrong(fmt.Sprintf("%s.backups.schedules[%d]", at, k), invalid)
			}
		}
	}
	return nil
}
