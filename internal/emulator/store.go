package emulator

import (
	"cmp"
	"maps"
	"net/netip"
	"slices"
	"strconv"
	"time"
)

// store is the data of the service. It may be used only with the emulator's lock held.
type store struct {
	options Options
	guests  bool // new machines get addresses in GuestIPv4
	nextID  int64

	users    map[string]*User
	apiKeys  map[string]apiKey
	sessions map[string]*session

	accounts       map[int64]*account
	accountsByName map[string]*account
	groups         map[int64]*storedGroup
	machines       map[int64]*storedMachine
	due            []queued
	power          Power
	events         events

	public      *vlan
	vlans       int64
	privates    int
	addresses   map[netip.Addr]*address
	images      map[string]int // what guests answer over HTTP, by distribution
	definitions map[string]any
}

// account owns groups.
type account struct {
	id        int64
	name      string
	suspended bool
	closed    bool // hidden from everybody
	groups    map[string]*storedGroup
}

// storedGroup owns machines. Their names are unique in it, including those of soft-deleted ones.
type storedGroup struct {
	id       int64
	name     string
	account  *account
	vlan     *vlan
	machines map[string]*storedMachine
}

// storedMachine is a Machine in its group, with its background activity.
type storedMachine struct {
	Machine
	background
	group   *storedGroup
	held    []netip.Addr
	watched time.Time // its time in the queue; zero: not queued
}

// newStore returns an empty store.
func newStore(options Options) *store {
	s := emptyStore(options, options.Guests)
	s.addDefaultWorld()
	return s
}

func emptyStore(options Options, guests bool) *store {
	s := &store{
		options:        options,
		guests:         guests,
		nextID:         orElse(options.FirstID, 1000),
		users:          map[string]*User{},
		apiKeys:        map[string]apiKey{},
		sessions:       map[string]*session{},
		accounts:       map[int64]*account{},
		accountsByName: map[string]*account{},
		groups:         map[int64]*storedGroup{},
		machines:       map[int64]*storedMachine{},
		addresses:      map[netip.Addr]*address{},
		definitions:    defaultDefinitions(),
		images:         map[string]int{},
		events:         events{touched: map[*storedMachine]*picture{}, recent: map[int64]recent{}},
	}
	ranges := publicRanges()
	if guests {
		ranges = prefixes(GuestIPv4)
	}
	s.public = s.newVLAN(false, ranges, prefixes("2001:db8::/64")[0])
	return s
}

// id returns a number that was never used as an ID before.
func (s *store) id() int64 {
	s.nextID++
	return s.nextID
}

// resolve returns the object that a path element names. If a name and an ID are the same digits, Options.IDsWin
// decides.
func resolve[T any](s *store, key string, named func(string) (T, bool), numbered func(int64) (T, bool)) (T, bool) {
	byID := func() (found T, ok bool) {
		id, err := strconv.ParseInt(key, 10, 64)
		if err != nil {
			return found, false
		}
		return numbered(id)
	}
	if s.options.IDsWin {
		if found, ok := byID(); ok {
			return found, true
		}
		return named(key)
	}
	if found, ok := named(key); ok {
		return found, true
	}
	return byID()
}

// sortedByID returns the values of an index in the order of their ids.
func sortedByID[K comparable, T interface{ number() int64 }](index map[K]T) []T {
	return slices.SortedFunc(maps.Values(index), func(a, b T) int { return cmp.Compare(a.number(), b.number()) })
}

func (a *account) number() int64       { return a.id }
func (g *storedGroup) number() int64   { return g.id }
func (m *storedMachine) number() int64 { return m.ID }
