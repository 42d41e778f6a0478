// SPDX-License-Identifier: MPL-2.0

package emulator

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strings"
)

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
	if err := w.complete(); err != nil {
		return err
	}
	e.world = w
	e.changes++
	for _, m := range w.sorted() {
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
	if mistake, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		at := strings.ReplaceAll(mistake.Field, ".Machine.", ".") // a path without the embedded type
		return nil, wrong(cmp.Or(at, "the world"), "cannot be "+mistake.Value)
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("is not a world: %s", strings.TrimPrefix(err.Error(), "json: "))
	case decoder.More():
		return nil, errors.New("has more than one JSON object")
	case w.Accounts == nil:
		return nil, wrong("accounts", "is missing")
	}
	return w, nil
}

// wrong returns the error for a position, such as accounts[0].groups[1].name.
func wrong(at, problem string) error { return fmt.Errorf("%s: %s", at, problem) }

// complete checks a world, and sets what it leaves to the service.
func (w *world) complete() error {
	w.groups, w.machines, w.holders = map[int64]*group{}, map[int64]*machine{}, map[netip.Addr]*machine{}
	w.public = newPublicVLAN(w.Guests)
	c := &checker{discs: map[int64]bool{}}
	w.completeUsers(c)
	for n, a := range w.Accounts {
		w.completeAccount(c, a, fmt.Sprintf("accounts[%d]", n))
	}
	if w.RDNS == nil {
		w.RDNS = map[string]string{}
	}
	for written := range w.RDNS {
		a, err := netip.ParseAddr(written)
		known := err == nil && w.holders[a] != nil && a.String() == written
		c.expect(known, "rdns."+written, "is not an address of a virtual machine")
	}
	definitions := defaultDefinitions()
	maps.Copy(definitions, w.Definitions)
	w.Definitions = definitions
	return c.first
}

// checker remembers the first mistake in a world.
type checker struct {
	first error
	discs map[int64]bool // IDs of discs so far
}

// expect adds a mistake unless ok.
func (c *checker) expect(ok bool, at, problem string) {
	if !ok && c.first == nil {
		c.first = wrong(at, problem)
	}
}

// completeUsers checks users and API keys. Without any, there are those of the default world.
func (w *world) completeUsers(c *checker) {
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
		at := fmt.Sprintf("users[%d].name", n)
		c.expect(u.Name != "", at, blank)
		c.expect(w.user(u.Name) == u, at, taken)
	}
	for n, key := range w.APIKeys {
		c.expect(w.user(key.User) != nil, fmt.Sprintf("api_keys[%d].user", n), "is not the name of a user")
	}
}

func (w *world) completeAccount(c *checker, a *account, at string) {
	c.expect(isLabel(a.Name), at+".name", invalid)
	c.expect(w.account(a.Name) == a, at+".name", taken)
	a.ID = w.idOr(a.ID)
	c.expect(findIn(w.Accounts, func(other *account) bool { return other.ID == a.ID }) == a, at+".id", taken)
	for n, g := range a.Groups {
		g.account = a
		w.completeGroup(c, g, fmt.Sprintf("%s.groups[%d]", at, n))
	}
}

func (w *world) completeGroup(c *checker, g *group, at string) {
	c.expect(isDomain(g.Name), at+".name", invalid)
	c.expect(g.account.group(g.Name) == g, at+".name", taken)
	g.ID = w.idOr(g.ID)
	c.expect(w.groups[g.ID] == nil, at+".id", taken)
	w.groups[g.ID] = g
	if g.PrivateVLAN != nil {
		err := w.completePrivateVLAN(g.PrivateVLAN)
		c.expect(err == nil, at+".private_vlan", fmt.Sprint(err))
	}
	machines := g.Machines
	g.Machines = nil
	for n, m := range machines {
		w.completeMachine(c, m, g, fmt.Sprintf("%s.virtual_machines[%d]", at, n))
	}
}

func (w *world) completeMachine(c *checker, m *machine, g *group, at string) {
	c.expect(isLabel(m.Name), at+".name", invalid)
	c.expect(g.machine(m.Name) == nil, at+".name", taken)
	c.expect(w.machines[m.ID] == nil, at+".id", taken)
	for n := range m.Discs {
		d, at := &m.Discs[n], fmt.Sprintf("%s.discs[%d]", at, n)
		w.completeDisc(d)
		c.expect(strings.TrimSpace(d.Label) != "", at+".label", blank)
		c.expect(labelled(m.Discs[:n], d.Label) == nil, at+".label", taken)
		c.expect(d.Size > 0, at+".size", fmt.Sprintf(atLeast, 1))
		c.expect(!c.discs[d.ID], at+".id", taken)
		c.discs[d.ID] = true
		for k, b := range d.Backups.Schedules {
			_, ok := parseStart(b.StartAt)
			ok = ok && b.IntervalSeconds > 0 && b.Capacity > 0
			c.expect(ok, fmt.Sprintf("%s.backups.schedules[%d]", at, k), invalid)
		}
	}
	if c.first == nil {
		err := w.add(m, g, ips{})
		c.expect(err == nil, at+".network_interfaces", fmt.Sprint(err))
	}
}
