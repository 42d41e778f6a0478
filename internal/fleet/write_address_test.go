package fleet_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
)

// inWeb returns a machine in the group "web" (101).
func inWeb(id int64) fleet.Machine {
	return fleet.Machine{Account: "demo", Group: "web", GroupID: 101, ID: id}
}

// hostile returns a service with two machines in the group "web" (101), and one in
// the group "db" (102).
func hostile(idsWin bool) *service {
	s := newService(latency)
	s.idsWin = idsWin
	s.add("web", 2)
	s.add("db", 1)
	return s
}

// outcome returns the group of an address, or the reason why there is no address.
func outcome(ref cloudserver.Ref, err error) string {
	unsafe, isUnsafe := errors.AsType[*fleet.UnsafeError](err)
	switch {
	case err == nil && ref.ID == 1:
		return ref.Group
	case isUnsafe && unsafe.Other != nil && strings.Contains(err.Error(), fmt.Sprintf("ID %d", unsafe.Other.ID)):
		return fmt.Sprint("unsafe because of ", unsafe.Other.ID)
	case isUnsafe && strings.Contains(err.Error(), fmt.Sprintf("/groups/%d/virtual_machines/1 does not show it", unsafe.Machine.GroupID)):
		return "elsewhere"
	case errors.Is(err, cloudserver.ErrNotDescribed):
		return "not described"
	}
	return fmt.Sprint(cloudserver.StatusCode(err))
}

// TestRef lists worlds in which machine 1 is written to. Each is tried with a service that prefers IDs and with one
// that prefers names.
func TestRef(t *testing.T) {
	t.Parallel()
	const there, moved = "at 101/1", "at 101/1, get 1, at 102/1"
	for name, c := range map[string]struct {
		world        func(*service)
		ids, names   string // the outcome where they win
		requests     string // where IDs win
		withoutGroup bool   // the state has no group
	}{
		"nothing in the way":       {ids: "101", names: "101", requests: there},
		"another is named like it": {world: func(s *service) { s.machines[2].name = "1" }, ids: "101", names: "unsafe because of 2", requests: there},
		"a soft-deleted one is": {
			world: func(s *service) { s.machines[2].name, s.machines[2].deleted = "1", true }, ids: "101", names: "unsafe because of 2", requests: there,
		},
		"its own name is its ID":     {world: func(s *service) { s.machines[1].name = "1" }, ids: "101", names: "101", requests: there},
		"it is soft-deleted":         {world: func(s *service) { s.machines[1].deleted = true }, ids: "101", names: "101", requests: there},
		"a group is named like its":  {world: func(s *service) { s.groups[1].name = "101" }, ids: "101", names: "elsewhere", requests: there},
		"its group was renamed":      {world: func(s *service) { s.groups[0].name = "www" }, ids: "101", names: "101", requests: there},
		"only its ID is known":       {ids: "101", names: "101", requests: "get 1, at 101/1", withoutGroup: true},
		"it was moved elsewhere":     {world: func(s *service) { s.machines[1].group = s.groups[1] }, ids: "102", names: "102", requests: moved},
		"and is not alone by name":   {world: func(s *service) { s.machines[1].group, s.machines[3].name = s.groups[1], "1" }, ids: "102", names: "unsafe because of 3", requests: moved},
		"and its place taken":        {world: func(s *service) { s.machines[1].group, s.machines[2].name = s.groups[1], "1" }, ids: "102", names: "102", requests: moved},
		"it is gone":                 {world: func(s *service) { s.purge(1) }, ids: "404", names: "404", requests: "at 101/1, get 1"},
		"it is gone, and not its ID": {world: func(s *service) { s.purge(1); s.machines[2].name = "1" }, ids: "404", names: "404", requests: "at 101/1, get 1"},
		"it cannot be described yet": {world: func(s *service) { s.machines[1].describe = time.Now().Add(time.Hour) }, ids: "101", names: "101", requests: "at 101/1, get 1"},
		"and is not alone in its ID": {
			world: func(s *service) { s.machines[1].describe = time.Now().Add(time.Hour); s.machines[2].name = "1" },
			ids:   "101", names: "not described", requests: "at 101/1, get 1",
		},
		"nothing can be read": {
			world: func(s *service) { s.getErr = status(http.StatusBadGateway) }, ids: "502", names: "502", requests: there,
		},
	} {
		for _, idsWin := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, ids win: %t", name, idsWin), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s, m := hostile(idsWin), inWeb(1)
					f := fleet.New(s)
					if c.world != nil {
						c.world(s)
					}
					if c.withoutGroup {
						m.Group, m.GroupID = "", 0
					}
					ref, read, err := f.Ref(t.Context(), m)
					want := map[bool]string{true: c.ids, false: c.names}[idsWin]
					if got := outcome(ref, err); got != want {
						t.Errorf("got %s (%v), want %s", got, err, want)
					}
					if read != nil && read.ID != 1 {
						t.Errorf("read %+v", read)
					}
					if idsWin {
						s.wantRequests(t, strings.Split(c.requests, ", ")...)
					}
				})
			})
		}
	}
}

// Whatever the names are, a write reaches its own machine or is refused, and it is refused only because of names of
// digits.
func TestRefNeverReachesAnotherMachine(t *testing.T) {
	t.Parallel()
	random := acctest.Random(t)
	var given, refused int
	for range 3000 {
		synctest.Test(t, func(t *testing.T) {
			s := newService(0)
			s.idsWin = random.IntN(2) == 0
			for g := range 3 {
				s.add(fmt.Sprintf("group%d", g), 2)
			}
			digits := s.scramble(random)
			f := fleet.New(s)
			for id := range int64(6) {
				m := fleet.Machine{Account: "demo", Group: fmt.Sprintf("group%d", id/2), GroupID: 101 + id/2, ID: id + 1}
				if random.IntN(3) == 0 {
					m.GroupID = 0
				}
				ref, _, err := f.Ref(t.Context(), m)
				if err != nil {
					refused++
					if _, ok := errors.AsType[*fleet.UnsafeError](err); !ok || !digits {
						t.Errorf("machine %d: %v", m.ID, err)
					}
					continue
				}
				given++
				if reached, ok := s.reached(ref); !ok || reached != m.ID {
					t.Errorf("a write to machine %d in %q would reach %d", m.ID, ref.Group, reached)
				}
			}
		})
	}
	if given < refused || refused < 100 {
		t.Errorf("%d addresses, %d refusals: the worlds are not as hostile as they should be", given, refused)
	}
}

// scramble moves, renames and deletes at random, and reports whether a name is a
// number then.
func (s *service) scramble(random *rand.Rand) (digits bool) {
	isTaken := func(g *serviceGroup, name string) bool {
		for _, m := range s.machines {
			if m.group == g && m.name == name {
				return true
			}
		}
		return false
	}
	for g, name := range []string{"101", "102", "103"} {
		if random.IntN(3) == 0 {
			s.groups[(g+1+random.IntN(2))%3].name, digits = name, true
		}
	}
	for _, m := range s.machines {
		if name := fmt.Sprint(1 + random.IntN(6)); random.IntN(3) == 0 && !isTaken(m.group, name) {
			m.name, digits = name, true
		}
		if to := s.groups[random.IntN(3)]; random.IntN(4) == 0 && !isTaken(to, m.name) {
			m.group = to
		}
		m.deleted = random.IntN(4) == 0
	}
	return digits
}

// TestRefIsProvedEachTime: somebody has given another machine our machine's ID as its name, or moved ours, since the
// address was last used, however recently. This is also so for machines of which others are read in listings.
func TestRefIsProvedEachTime(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		do       func(s *service)
		reached  string // "": the write is refused
		requests []string
	}{
		"nothing":                  {do: func(*service) {}, reached: "101", requests: []string{"at 101/1"}},
		"another is named like it": {do: func(s *service) { s.change(2, func(m *machine) { m.name = "1" }) }, requests: []string{"at 101/1", "get 1"}},
		"another is moved there": {
			do:       func(s *service) { s.change(3, func(m *machine) { m.group, m.name = s.groups[0], "1" }) },
			requests: []string{"at 101/1", "get 1"},
		},
		"it was moved": {
			do:      func(s *service) { s.change(1, func(m *machine) { m.group = s.groups[1] }) },
			reached: "102", requests: []string{"at 101/1", "get 1", "at 102/1"},
		},
	} {
		for _, after := range []time.Duration{0, 45 * time.Second} {
			t.Run(fmt.Sprint(name, " after ", after), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := hostile(false)
					f := pastTheFirst(t, s)
					mustRead(t, f, inWeb(1)) // from a listing
					if _, _, err := f.Ref(t.Context(), inWeb(1)); err != nil {
						t.Fatal(err)
					}
					s.wantRequests(t, "list web", "at 101/1")
					time.Sleep(after)
					c.do(s)
					ref, read, err := f.Ref(t.Context(), inWeb(1))
					_, unsafe := errors.AsType[*fleet.UnsafeError](err)
					if reached, ok := s.reached(ref); c.reached != "" && (err != nil || !ok || reached != 1 || ref.Group != c.reached || read.ID != 1) {
						t.Errorf("got %v, %v, which leads to %d", ref, err, reached)
					}
					if c.reached == "" && (!unsafe || ref != cloudserver.Ref{}) {
						t.Errorf("got %v, %v, want no address", ref, err)
					}
					s.wantRequests(t, c.requests...)
				})
			})
		}
	}
}
