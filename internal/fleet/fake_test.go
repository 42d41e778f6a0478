package fleet_test

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
)

// service stands in for the API. An answer is what was there when the request
// arrived, and takes the latency to come back: the worst case for staleness.
type service struct {
	latency time.Duration

	mu       sync.Mutex
	machines map[int64]*machine
	gets     []int64  // by id, in order
	lists    []string // groups, in order
	cancels  int      // calls whose context ended before the answer
	getErr   error
	listErr  error
}

// machine is one of the service's machines. Version counts writes.
type machine struct {
	group     string
	version   int64
	deleted   bool
	describe  time.Time // until then it cannot be described
	poweredOn time.Time
}

func newService(latency time.Duration) *service {
	return &service{latency: latency, machines: map[int64]*machine{}}
}

// add puts n more machines into a group, and returns what to call them by.
func (s *service) add(group string, n int) []fleet.Machine {
	s.mu.Lock()
	defer s.mu.Unlock()
	var added []fleet.Machine
	for range n {
		id := int64(len(s.machines) + 1)
		s.machines[id] = &machine{group: group}
		added = append(added, fleet.Machine{Account: "demo", Group: group, ID: id})
	}
	return added
}

// change does something to one machine.
func (s *service) change(id int64, do func(*machine)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	do(s.machines[id])
}

// purge takes a machine away.
func (s *service) purge(id int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.machines, id)
}

// failing sets the errors that calls by id and listings give, nil for none.
func (s *service) failing(get, list error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.getErr, s.listErr = get, list
}

func (s *service) VirtualMachine(ctx context.Context, id int64, _ ...cloudserver.ReadOption) (*cloudserver.VirtualMachine, error) {
	answer, err := s.get(id)
	if late := s.travel(ctx); late != nil {
		return nil, late
	}
	return answer, err
}

func (s *service) get(id int64) (*cloudserver.VirtualMachine, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gets = append(s.gets, id)
	m, ok := s.machines[id]
	switch {
	case s.getErr != nil:
		return nil, s.getErr
	case !ok:
		return nil, status(http.StatusNotFound)
	case m.describe.After(time.Now()):
		return nil, cloudserver.ErrNotDescribed
	}
	answer := m.show(id)
	return &answer, nil
}

func (s *service) VirtualMachines(ctx context.Context, _, group string, _ ...cloudserver.ReadOption) ([]cloudserver.VirtualMachine, error) {
	answer, err := s.list(group)
	if late := s.travel(ctx); late != nil {
		return nil, late
	}
	return answer, err
}

func (s *service) list(group string) ([]cloudserver.VirtualMachine, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lists = append(s.lists, group)
	if s.listErr != nil {
		return nil, s.listErr
	}
	var answer []cloudserver.VirtualMachine
	for id, m := range s.machines {
		if m.group == group && !m.deleted && !m.describe.After(time.Now()) {
			answer = append(answer, m.show(id))
		}
	}
	return answer, nil
}

func (s *service) travel(ctx context.Context) error {
	timer := time.NewTimer(s.latency)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		s.mu.Lock()
		defer s.mu.Unlock()
		s.cancels++
		return ctx.Err()
	}
}

// show is the machine as the service describes it; its version is in Cores.
func (m *machine) show(id int64) cloudserver.VirtualMachine {
	on, version := !m.poweredOn.After(time.Now()), m.version
	return cloudserver.VirtualMachine{ID: id, PowerOn: &on, Cores: &version, Deleted: m.deleted}
}

func status(code int) error {
	return &cloudserver.Error{Method: http.MethodGet, Path: "/", StatusCode: code}
}

// count is how many requests came so far: by id, and listings.
func (s *service) count() (gets, lists int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.gets), len(s.lists)
}

// wantCount checks how many requests came since the test began.
func (s *service) wantCount(t *testing.T, gets, lists int) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.gets) != gets || len(s.lists) != lists {
		t.Errorf("got %d reads by id (of %v) and %d listings, want %d and %d", len(s.gets), firstFew(s.gets), len(s.lists), gets, lists)
	}
}

func firstFew(ids []int64) []int64 { return slices.Clone(ids[:min(len(ids), 10)]) }

// together calls do for each machine, so many at a time, as Terraform does.
func together(machines []fleet.Machine, parallelism int, do func(fleet.Machine)) {
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

// mustRead reads a machine that is there.
func mustRead(t *testing.T, f *fleet.Fleet, m fleet.Machine) *cloudserver.VirtualMachine {
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
