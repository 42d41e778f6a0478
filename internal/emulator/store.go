package emulator

import (
	"cmp"
	"maps"
	"net/netip"
	"slices"
	"strconv"
	"time"
)

// store is the data of the service. Whoever holds it holds the emulator's
// lock.
type store struct {
	options Options
	nextID  int64

	users    map[string]user
	apiKeys  map[string]string // key → user name
	sessions map[string]*session

	accounts       map[int64]*account
	accountsByName map[string]*account
	groups         map[int64]*group
	machines       map[int64]*machine
	pending        map[int64]*machine // those with a transition due

	public      *vlan
	vlans       int64
	privates    int
	addresses   map[netip.Addr]*address
	definitions map[string]any
}

// account owns groups (api.md §5).
type account struct {
	id        int64
	name      string
	suspended bool
	groups    map[string]*group
}

// group owns machines (api.md §5). Their names are unique in it, those of
// soft-deleted ones included.
type group struct {
	id       int64
	name     string
	account  *account
	vlan     *vlan
	machines map[string]*machine
}

// machine is a Machine in its place, with what is due to happen to it.
type machine struct {
	Machine
	group       *group
	held        []netip.Addr
	describedAt time.Time // until then it cannot be described
	next        *transition
	imaging     bool // next is the end of a reimage
}

// transition is something that will happen to a machine by itself.
type transition struct {
	at time.Time
	do func(m *machine, at time.Time)
}

func newStore(options Options) *store {
	s := &store{
		options:        options,
		nextID:         1000,
		users:          map[string]user{},
		apiKeys:        map[string]string{},
		sessions:       map[string]*session{},
		accounts:       map[int64]*account{},
		accountsByName: map[string]*account{},
		groups:         map[int64]*group{},
		machines:       map[int64]*machine{},
		pending:        map[int64]*machine{},
		addresses:      map[netip.Addr]*address{},
	}
	s.public = s.newVLAN(false, publicRanges(), prefixes("2001:db8::/64")[0])
	s.seed()
	return s
}

// id gives a number that was never given before, to anything.
func (s *store) id() int64 {
	s.nextID++
	return s.nextID
}

// schedule makes do happen to m after a delay, instead of what was due before.
func (s *store) schedule(m *machine, at time.Time, do func(*machine, time.Time)) {
	m.next = &transition{at, do}
	s.pending[m.ID] = m
}

// unschedule forgets what was due.
func (s *store) unschedule(m *machine) {
	m.next, m.imaging = nil, false
	delete(s.pending, m.ID)
}

// settle lets everything happen that is due by now. What happens may make
// more due, counted from its own time.
func (s *store) settle(now time.Time) {
	for _, m := range s.pending {
		for m.next != nil && !m.next.at.After(now) {
			due := m.next
			s.unschedule(m)
			due.do(m, due.at)
		}
	}
}

// byNameOrID finds what a path names: by its name, then by its numeric id.
func byNameOrID[T any](names map[string]T, ids map[int64]T, key string) (T, bool) {
	if found, ok := names[key]; ok {
		return found, true
	}
	id, err := strconv.ParseInt(key, 10, 64)
	if err != nil {
		var none T
		return none, false
	}
	found, ok := ids[id]
	return found, ok
}

// sortedByID lists the values of an index in the order of their ids.
func sortedByID[K comparable, T interface{ number() int64 }](index map[K]T) []T {
	return slices.SortedFunc(maps.Values(index), func(a, b T) int { return cmp.Compare(a.number(), b.number()) })
}

func (a *account) number() int64 { return a.id }
func (g *group) number() int64   { return g.id }
func (m *machine) number() int64 { return m.ID }
