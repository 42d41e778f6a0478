package emulator

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"time"
)

// NewFrom returns a service with the world that data describes.
func NewFrom(options Options, data []byte) (*Emulator, error) {
	e := New(options)
	return e, e.Load(data)
}

// Load replaces the world by one that Dump returned or a person wrote (world.schema.json). Sessions end, and new IDs
// continue after the current ones. If data is invalid, Load returns an error with the path of the mistake, and the
// world stays as it is.
func (e *Emulator) Load(data []byte) error {
	return e.replace(data, false, func(*store) {})
}

// replace replaces the current world, after it has called prepare with the new store. New IDs continue after the
// current ones or, with resume, after those of the state.
func (e *Emulator) replace(data []byte, resume bool, prepare func(*store)) error {
	w, err := parseWorld(data)
	if err != nil {
		return err
	}
	defer e.changed()
	e.mu.Lock()
	defer e.mu.Unlock()
	s := emptyStore(e.options, e.options.Guests || w.Guests)
	if s.nextID = max(w.NextID, w.lastID()); !resume || w.NextID == 0 {
		s.nextID = max(s.nextID, e.store.nextID)
	}
	if err := (&loader{s, map[int64]bool{}}).load(w); err != nil {
		return err
	}
	if err := e.loadRest(w, s); err != nil {
		return err
	}
	prepare(s)
	now := e.now()
	for _, m := range s.machines {
		s.watch(m)
		s.keepUp(m, now)
	}
	e.store, e.changes = s, e.changes+1
	return nil
}

// loadRest loads the part of a world beyond the service's data: clock, faults, counts and events. After an error
// nothing has changed.
func (e *Emulator) loadRest(w World, s *store) error {
	offset, err := e.clockOffset(w.ClockOffset)
	if err != nil {
		return err
	}
	if w.Faults != nil {
		faults, err := e.loadFaults(w.Faults)
		if err != nil {
			return err
		}
		e.faults, e.others, e.lastID = faults.faults, faults.others, faults.last
	}
	if p := w.Power; p != nil {
		s.power = Power{MaxDown: p.MaxDown, MaxOutOfService: p.MaxOutOfService, Changes: p.Changes}
	}
	s.events.load(w.Events, e.store.events.number)
	e.offset = offset
	return nil
}

// clockOffset parses how far the clock is ahead; "" leaves it unchanged.
func (e *Emulator) clockOffset(written string) (time.Duration, error) {
	if written == "" {
		return e.offset, nil
	}
	offset, err := time.ParseDuration(written)
	if err != nil {
		return 0, wrong("is not a duration, such as 48h", path{"clock_offset"})
	}
	if year := e.options.Now().Add(offset).Year(); year < 2000 || year >= 2200 { // backups would be due endlessly
		return 0, wrong(fmt.Sprintf("puts the clock to the year %d, which is not between 2000 and 2200", year), path{"clock_offset"})
	}
	return offset, nil
}

// IsWorld reports whether data is a world with accounts, as Dump returns it.
func IsWorld(data []byte) bool {
	w, err := parseWorld(data)
	return err == nil && w.Accounts != nil
}

// parseWorld decodes a world and checks it against the schema.
func parseWorld(data []byte) (World, error) {
	var w World
	if err := checkSchema(data); err != nil {
		return w, err
	}
	if err := json.Unmarshal(data, &w); err != nil {
		return w, err
	}
	if w.Users == nil {
		w.Users = []*User{{Name: DemoUser, Password: DemoPassword}}
		if w.APIKeys == nil {
			w.APIKeys = []WorldKey{{Key: DemoAPIKey, User: DemoUser}}
		}
	}
	return w, nil
}

// lastID returns the highest id in a world.
func (w World) lastID() int64 {
	var last int64
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

// lastID returns the highest id in a machine.
func (m Machine) lastID() int64 {
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

// loader fills an empty store.
type loader struct {
	*store
	discs map[int64]bool // ids so far
}

// load fills the store with a world.
func (s *loader) load(w World) error {
	for n, u := range w.Users {
		if s.users[u.Name] != nil {
			return wrong(taken, path{"users", n, "name"})
		}
		s.users[u.Name] = u
	}
	for distribution, i := range w.Images {
		s.images[distribution] = i.HTTPStatus
	}
	for n, key := range w.APIKeys {
		if s.users[key.User] == nil {
			return wrong("is not the name of a user", path{"api_keys", n, "user"})
		}
		s.apiKeys[key.Key] = apiKey{key.User, key.ExpiresAt}
	}
	for n, a := range w.Accounts {
		if err := s.loadAccount(a, path{"accounts", n}); err != nil {
			return err
		}
	}
	for written, name := range w.RDNS {
		address, err := netip.ParseAddr(written)
		if err != nil || s.addresses[address] == nil {
			return wrong("is not an address of a virtual machine", path{"rdns", written})
		}
		s.addresses[address].rdns = name
	}
	for id, data := range w.Definitions {
		if s.definitions[id] = texts(data); data == nil {
			delete(s.definitions, id)
		}
	}
	return nil
}

func (s *loader) loadAccount(w WorldAccount, at path) error {
	if s.accountsByName[w.Name] != nil {
		return wrong(taken, append(at, "name"))
	}
	if w.ID != 0 && s.accounts[w.ID] != nil {
		return wrong(taken, append(at, "id"))
	}
	a := s.addAccount(s.idOr(w.ID), w.Name)
	a.suspended, a.closed = w.Suspended, w.Closed
	for n, g := range w.Groups {
		if err := s.loadGroup(a, g, append(at, "groups", n)); err != nil {
			return err
		}
	}
	return nil
}

func (s *loader) loadGroup(a *account, w WorldGroup, at path) error {
	if a.groups[w.Name] != nil {
		return wrong(taken, append(at, "name"))
	}
	if w.ID != 0 && s.groups[w.ID] != nil {
		return wrong(taken, append(at, "id"))
	}
	network := s.public
	if w.PrivateVLAN != nil {
		var err error
		if network, err = s.loadVLAN(*w.PrivateVLAN); err != nil {
			return wrong(err.Error(), append(at, "private_vlan"))
		}
	}
	g := s.addGroup(s.idOr(w.ID), a, w.Name, network)
	for n, m := range w.Machines {
		if err := s.loadMachine(g, m, append(at, "virtual_machines", n)); err != nil {
			return err
		}
	}
	return nil
}

// loadVLAN returns a private network with the given ranges, or with free ones.
func (s *store) loadVLAN(w WorldVLAN) (*vlan, error) {
	v := s.newPrivateVLAN()
	v.num = orElse(w.Number, v.num)
	s.vlans = max(s.vlans, v.num-100)
	for written, pool := range map[string]*pool{w.IPv4: &v.ipv4, w.IPv6: &v.ipv6} {
		if written == "" {
			continue
		}
		r, err := netip.ParsePrefix(written)
		if err != nil || r.Addr().Is4() != (pool == &v.ipv4) {
			return nil, fmt.Errorf("%q is not an address range of that kind", written)
		}
		*pool = newPool(r)
	}
	return v, nil
}

func (s *loader) loadMachine(g *storedGroup, w WorldMachine, at path) error {
	if g.machines[w.Name] != nil {
		return wrong(taken, append(at, "name"))
	}
	if s.machines[w.ID] != nil {
		return wrong(taken, append(at, "id"))
	}
	labels := map[string]bool{}
	for n, d := range w.Discs {
		if labels[d.Label] {
			return wrong(taken, append(at, "discs", n, "label"))
		}
		labels[d.Label] = true
		if d.ID != 0 && s.discs[d.ID] {
			return wrong(taken, append(at, "discs", n, "id"))
		}
		s.discs[d.ID] = true
	}
	m := &storedMachine{Machine: w.Machine, background: w.background, group: g}
	if err := s.add(m, ips{}); err != nil {
		return wrong(err.Error(), append(at, "network_interfaces"))
	}
	return nil
}

// idOr returns an ID, or a new one for 0.
func (s *store) idOr(id int64) int64 {
	if id == 0 {
		return s.id()
	}
	return id
}

// texts returns a list of strings as []string, and everything else unchanged.
func texts(data any) any {
	list, ok := data.([]any)
	if !ok {
		return data
	}
	values := make([]string, 0, len(list))
	for _, element := range list {
		value, ok := element.(string)
		if !ok {
			return data
		}
		values = append(values, value)
	}
	return values
}

// path is a position in a world.
type path []any

// wrong returns the error for a position, such as accounts[0].groups[1].name.
func wrong(problem string, at path) error {
	if len(at) == 0 {
		return errors.New(problem)
	}
	written := ""
	for _, part := range at {
		if n, ok := part.(int); ok {
			written += fmt.Sprintf("[%d]", n)
		} else {
			written += fmt.Sprint(".", part)
		}
	}
	return fmt.Errorf("%s: %s", strings.TrimPrefix(written, "."), problem)
}
