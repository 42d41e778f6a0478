// SPDX-License-Identifier: MPL-2.0

package inventory_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/inventory"
)

// service simulates the API. An answer has the data at the arrival of the request, and is returned after the latency,
// which is the worst case for staleness.
type service struct {
	*cloudserver.Client // nil: what is not played is not called

	latency     time.Duration
	listLatency time.Duration // of listings; 0: as of everything else

	mu       sync.Mutex
	groups   []*serviceGroup
	machines map[int64]*machine
	requests []string // in order: "get 7", "list 101", "names 101", "name 101/web7", "group default"
	getErr   error
	listErr  error
	hidden   bool // the account
}

// serviceGroup is one of the service's groups, all in one account.
type serviceGroup struct {
	id   int64
	name string
}

// machine is one of the service's machines. Version counts writes.
type machine struct {
	group     *serviceGroup
	name      string
	version   int64
	deleted   bool
	appears   time.Time // until then it does not exist
	describe  time.Time // until then it cannot be described
	poweredOn time.Time
}

func newService(latency time.Duration) *service {
	return &service{latency: latency, machines: map[int64]*machine{}}
}

// add adds n machines to a group, and returns them as the fleet identifies them. Machine 7 is named web7.
func (s *service) add(group string, n int) []inventory.Location {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.groupNamed(group)
	var added []inventory.Location
	for range n {
		id := int64(len(s.machines) + 1)
		s.machines[id] = &machine{group: g, name: fmt.Sprintf("web%d", id)}
		added = append(added, inventory.Location{Account: "demo", GroupID: g.id, ID: id})
	}
	return added
}

// groupNamed returns the group with the name. It creates the group if necessary. The caller holds the lock.
func (s *service) groupNamed(name string) *serviceGroup {
	for _, g := range s.groups {
		if g.name == name {
			return g
		}
	}
	g := &serviceGroup{id: int64(101 + len(s.groups)), name: name}
	s.groups = append(s.groups, g)
	return g
}

// groupAt returns the group that a path addresses, or nil if there is none.
func (s *service) groupAt(element string) *serviceGroup {
	byName := slices.IndexFunc(s.groups, func(g *serviceGroup) bool { return g.name == element })
	byID := slices.IndexFunc(s.groups, func(g *serviceGroup) bool { return strconv.FormatInt(g.id, 10) == element })
	if byName < 0 {
		byName = byID
	}
	if byName < 0 {
		return nil
	}
	return s.groups[byName]
}

// change does something to one machine.
func (s *service) change(id int64, do func(*machine)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	do(s.machines[id])
}

// purge removes a machine.
func (s *service) purge(id int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.machines, id)
}

// Endpoint plays the client's method.
func (s *service) Endpoint() string { return "https://api.example.com" }

// Account plays the client's call.
func (s *service) Account(context.Context, string) (*cloudserver.Account, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, "account")
	if s.hidden {
		return nil, status(http.StatusNotFound)
	}
	return &cloudserver.Account{ID: 1, Name: "demo"}, nil
}

// failing sets the errors of calls by ID and of listings; nil for none.
func (s *service) failing(get, list error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.getErr, s.listErr = get, list
}

func (s *service) VirtualMachine(
	ctx context.Context, id int64, options ...cloudserver.ReadOption,
) (*cloudserver.VirtualMachine, error) {
	return answered(ctx, s, fmt.Sprintf("get %d", id), func() (*cloudserver.VirtualMachine, error) {
		return s.describe(id, includesDeleted(options))
	})
}

// describe answers a read of one machine. The caller holds the lock.
func (s *service) describe(id int64, deleted bool) (*cloudserver.VirtualMachine, error) {
	m, ok := s.machines[id]
	switch {
	case s.getErr != nil:
		return nil, s.getErr
	case !ok, m.deleted && !deleted, m.appears.After(time.Now()):
		return nil, status(http.StatusNotFound)
	case m.describe.After(time.Now()):
		return nil, cloudserver.ErrNotDescribed
	}
	return new(m.show(id)), nil
}

func (s *service) VirtualMachines(
	ctx context.Context, _, group string, options ...cloudserver.ReadOption,
) ([]cloudserver.VirtualMachine, error) {
	deleted, what := includesDeleted(options), "list "
	if deleted {
		what = "names "
	}
	return answered(ctx, s, what+group, func() (answer []cloudserver.VirtualMachine, err error) {
		g := s.groupAt(group)
		if g == nil || s.listErr != nil {
			return nil, cmp.Or(s.listErr, status(http.StatusNotFound))
		}
		for id, m := range s.machines {
			if m.group == g && (deleted || !m.deleted) && !m.describe.After(time.Now()) && !m.appears.After(time.Now()) {
				answer = append(answer, m.show(id))
			}
		}
		return answer, nil
	})
}

func (s *service) VirtualMachineByName(
	ctx context.Context, _, group, name string, options ...cloudserver.ReadOption,
) (*cloudserver.VirtualMachine, error) {
	return answered(ctx, s, fmt.Sprintf("name %s/%s", group, name), func() (*cloudserver.VirtualMachine, error) {
		for id, m := range s.machines {
			if m.name == name && m.group == s.groupAt(group) {
				return s.describe(id, includesDeleted(options))
			}
		}
		return nil, cmp.Or(s.getErr, status(http.StatusNotFound))
	})
}

// Groups plays the client's call.
func (s *service) Groups(ctx context.Context, _ string) ([]cloudserver.Group, error) {
	return answered(ctx, s, "groups", func() (groups []cloudserver.Group, _ error) {
		for _, g := range s.groups {
			groups = append(groups, cloudserver.Group{ID: g.id, Name: g.name, AccountID: 1})
		}
		return groups, nil
	})
}

// Overview plays the client's call.
func (s *service) Overview(ctx context.Context, _ string, options ...cloudserver.ReadOption) (*cloudserver.Account, error) {
	return answered(ctx, s, "overview", func() (*cloudserver.Account, error) {
		all := &cloudserver.Account{ID: 1, Name: "demo", Groups: []cloudserver.Group{}}
		for _, g := range s.groups {
			shown := cloudserver.Group{ID: g.id, Name: g.name, AccountID: 1, VirtualMachines: []cloudserver.VirtualMachine{}}
			for id, m := range s.machines {
				if m.group == g && (includesDeleted(options) || !m.deleted) && !m.appears.After(time.Now()) {
					shown.VirtualMachines = append(shown.VirtualMachines, m.show(id))
				}
			}
			all.Groups = append(all.Groups, shown)
		}
		return all, nil
	})
}

// includesDeleted reports whether a read asks for soft-deleted machines, too.
func includesDeleted(options []cloudserver.ReadOption) bool {
	query := url.Values{}
	for _, apply := range options {
		apply(query)
	}
	return query.Has("include_deleted")
}

// answered computes an answer at once, and returns it after the latency.
func answered[T any](ctx context.Context, s *service, request string, answer func() (T, error)) (T, error) {
	s.mu.Lock()
	s.requests = append(s.requests, request)
	result, err := answer()
	latency := s.latency
	if _, listing := any(result).([]cloudserver.VirtualMachine); listing && s.listLatency != 0 {
		latency = s.listLatency
	}
	s.mu.Unlock()
	if late := cloudserver.Pause(ctx, latency); late != nil {
		return *new(T), late
	}
	return result, err
}

// show returns the machine as the service describes it; its version is in Cores.
func (m *machine) show(id int64) cloudserver.VirtualMachine {
	on, version := !m.poweredOn.After(time.Now()), m.version
	vm := cloudserver.VirtualMachine{
		ID: id, GroupID: m.group.id, Name: m.name, PowerOn: &on, Cores: &version, Deleted: m.deleted, Discs: []cloudserver.Disc{},
	}
	return vm
}

func status(code int) error {
	return &cloudserver.Error{Method: http.MethodGet, Path: "/", StatusCode: code}
}

// together calls do for each machine, with a limited number of calls at the same time, as Terraform does.
func together(machines []inventory.Location, parallelism int, do func(inventory.Location)) {
	var wg sync.WaitGroup
	slots := make(chan struct{}, parallelism)
	for _, m := range machines {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			do(m)
		})
	}
	wg.Wait()
}

// pastTheFirst returns a fleet that has read its first twenty machines, which are in a separate group. Those requests
// are not counted.
func pastTheFirst(t *testing.T, s *service) *inventory.Inventory {
	t.Helper()
	f := inventory.New(s)
	latency := s.latency
	s.latency = 0
	for _, m := range s.add("first", 20) {
		mustRead(t, f, m)
	}
	s.latency, s.requests = latency, nil
	return f
}

// mustRead reads a machine that exists.
func mustRead(t *testing.T, f *inventory.Inventory, m inventory.Location) *cloudserver.VirtualMachine {
	t.Helper()
	got, err := f.Read(t.Context(), m)
	if err != nil {
		t.Errorf("reading machine %d: %v", m.ID, err)
		return &cloudserver.VirtualMachine{}
	}
	if got.ID != m.ID {
		t.Errorf("asked for machine %d, got %d", m.ID, got.ID)
	}
	return got
}

// want checks how many requests of each kind came so far: "get 3, list 1".
func (s *service) want(t *testing.T, want string) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	counts := map[string]int{}
	for _, request := range s.requests {
		kind, _, _ := strings.Cut(request, " ")
		counts[kind]++
	}
	var got []string
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		got = append(got, fmt.Sprint(kind, " ", counts[kind]))
	}
	if text := strings.Join(got, ", "); text != want {
		t.Errorf("requests: %s, want %s; the first: %q", text, want, s.requests[:min(len(s.requests), 20)])
	}
}
