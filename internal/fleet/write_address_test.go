package fleet_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
)

// target is the machine that a write is for: number 1, in the group "web" (101).
var target = fleet.Machine{Account: "demo", Group: "web", GroupID: 101, ID: 1}

// hostile returns a service with the target, another machine in its group, and
// one in the group "db" (102).
func hostile(idsWin bool) *service {
	s := newService(latency)
	s.idsWin = idsWin
	s.add("web", 2)
	s.add("db", 1)
	return s
}

// The worlds that a write has to come through. Each is tried with a service that
// prefers names and with one that prefers ids.
var refCases = map[string]struct {
	world    func(*service)
	machine  func(*fleet.Machine)
	want     string   // the group in the address; "" when the write is refused
	byName   string   // instead of want where names win, if not ""
	requests []string // where ids win
	check    func(error) string
}{
	"nothing in the way": {want: "101", requests: []string{"at 101/1"}},
	"another machine of the group is named like the id": {
		world: func(s *service) { s.machines[2].name = "1" }, want: "101", byName: "refused", check: unsafeBecauseOf(2),
		requests: []string{"at 101/1"},
	},
	"a soft-deleted one is": {
		world: func(s *service) { s.machines[2].name, s.machines[2].deleted = "1", true }, want: "101", byName: "refused", check: unsafeBecauseOf(2),
		requests: []string{"at 101/1"},
	},
	"a machine of another group is": {world: func(s *service) { s.machines[3].name = "1" }, want: "101", requests: []string{"at 101/1"}},
	"its own name is its id":        {world: func(s *service) { s.machines[1].name = "1" }, want: "101", requests: []string{"at 101/1"}},
	"its own name is another's id":  {world: func(s *service) { s.machines[1].name = "2" }, want: "101", requests: []string{"at 101/1"}},
	"it is soft-deleted":            {world: func(s *service) { s.machines[1].deleted = true }, want: "101", requests: []string{"at 101/1"}},
	"another group is named like the group's id": {
		world: func(s *service) { s.groups[1].name = "101" }, want: "101", byName: "web", requests: []string{"at 101/1"},
	},
	"and has a machine that is named like the id": {
		world: func(s *service) { s.groups[1].name = "101"; s.machines[3].name = "1" }, want: "101", byName: "web", requests: []string{"at 101/1"},
	},
	"and the group's own name is the other one's id": {
		world:   func(s *service) { s.groups[0].name, s.groups[1].name = "102", "101" },
		machine: func(m *fleet.Machine) { m.Group = "102" },
		want:    "101", byName: "refused", check: unsafeElsewhere, requests: []string{"at 101/1"},
	},
	"its group is named with digits, the id not known": {
		world:   func(s *service) { s.groups[0].name = "555" },
		machine: func(m *fleet.Machine) { m.Group, m.GroupID = "555", 0 },
		want:    "101", requests: []string{"get 1", "at 101/1"},
	},
	"it was moved elsewhere": {
		world: func(s *service) { s.machines[1].group = s.groups[1] },
		want:  "102", requests: []string{"at 101/1", "at web/1", "get 1", "at 102/1"},
	},
	"and is not alone in its name there": {
		world: func(s *service) { s.machines[1].group = s.groups[1]; s.machines[3].name = "1" },
		want:  "102", byName: "refused", check: unsafeBecauseOf(3), requests: []string{"at 101/1", "at web/1", "get 1", "at 102/1"},
	},
	"it was moved, and its place taken by name": {
		world: func(s *service) { s.machines[1].group = s.groups[1]; s.machines[2].name = "1" },
		want:  "102", requests: []string{"at 101/1", "at web/1", "get 1", "at 102/1"},
	},
	"its group was renamed": {world: func(s *service) { s.groups[0].name = "www" }, want: "101", requests: []string{"at 101/1"}},
	"its group was renamed, the id not known": {
		world: func(s *service) { s.groups[0].name = "www" }, machine: func(m *fleet.Machine) { m.GroupID = 0 },
		want: "101", requests: []string{"at web/1", "get 1", "at 101/1"},
	},
	"its group was renamed and another took the name": {
		world: func(s *service) { s.groups[0].name, s.groups[1].name = "www", "web" }, machine: func(m *fleet.Machine) { m.GroupID = 0 },
		want: "101", requests: []string{"at web/1", "get 1", "at 101/1"},
	},
	"only its id is known": {machine: func(m *fleet.Machine) { m.Group, m.GroupID = "", 0 }, want: "101", requests: []string{"get 1", "at 101/1"}},
	"it is gone": {
		world: func(s *service) { s.purge(1) }, check: notFound, requests: []string{"at 101/1", "at web/1", "get 1"},
	},
	"it is gone, and another has its id as a name": {
		world: func(s *service) { s.purge(1); s.machines[2].name = "1" },
		check: notFound, requests: []string{"at 101/1", "at web/1", "get 1"},
	},
	"it cannot be described yet": {
		world: func(s *service) { s.machines[1].describe = time.Now().Add(time.Hour) },
		want:  "101", requests: []string{"at 101/1", "get 1"},
	},
	"it cannot be described yet, and another is named like the id": {
		world: func(s *service) { s.machines[1].describe = time.Now().Add(time.Hour); s.machines[2].name = "1" },
		want:  "101", byName: "refused", check: notDescribed, requests: []string{"at 101/1", "get 1"},
	},
	"listings fail": {
		world: func(s *service) { s.listErr = status(http.StatusInternalServerError) }, want: "101", requests: []string{"at 101/1"},
	},
	"nothing can be read": {
		world: func(s *service) { s.listErr, s.getErr = status(http.StatusBadGateway), status(http.StatusBadGateway) },
		check: func(err error) string {
			if cloudserver.StatusCode(err) != http.StatusBadGateway {
				return "want the service's error"
			}
			return ""
		},
		requests: []string{"at 101/1"},
	},
}

func unsafeBecauseOf(other int64) func(error) string {
	return func(err error) string {
		unsafe, ok := errors.AsType[*fleet.UnsafeError](err)
		if !ok || unsafe.Other == nil || unsafe.Other.ID != other || !strings.Contains(err.Error(), fmt.Sprintf("ID %d", other)) {
			return fmt.Sprintf("want an unsafe address because of machine %d", other)
		}
		return ""
	}
}

func unsafeElsewhere(err error) string {
	if unsafe, ok := errors.AsType[*fleet.UnsafeError](err); !ok || unsafe.Other != nil || !strings.Contains(err.Error(), `"101"`) {
		return "want an unsafe address because the path leads elsewhere"
	}
	return ""
}

func notFound(err error) string {
	if !cloudserver.IsNotFound(err) {
		return "want the client's not-found error"
	}
	return ""
}

func notDescribed(err error) string {
	if !errors.Is(err, cloudserver.ErrNotDescribed) {
		return "want the client's error for a machine that cannot be described"
	}
	return ""
}

// TestRef: one of the first machines is asked for at its path, and another is
// looked for in a listing before. Both come to the same address.
func TestRef(t *testing.T) {
	t.Parallel()
	for name, c := range refCases {
		for _, idsWin := range []bool{true, false} {
			for _, listed := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s, ids win: %t, listed: %t", name, idsWin, listed), func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						s, m, want := hostile(idsWin), target, c.want
						f := fleet.New(s)
						if listed {
							f = pastTheFirst(t, s)
						}
						if c.world != nil {
							c.world(s)
						}
						if c.machine != nil {
							c.machine(&m)
						}
						if !idsWin && c.byName != "" {
							want = strings.TrimPrefix(c.byName, "refused")
						}
						ref, err := f.Ref(t.Context(), m)
						if want == "" {
							if complaint := c.check(err); complaint != "" {
								t.Errorf("%s, got %v", complaint, err)
							}
						} else if err != nil || ref != (cloudserver.Ref{Account: "demo", Group: want, ID: 1}) {
							t.Errorf("got %v, %v, want group %s", ref, err, want)
						} else if reached, ok := s.reached(ref); !ok || reached != 1 {
							t.Errorf("a write would reach %d", reached)
						}
						if idsWin && !listed {
							s.wantRequests(t, c.requests...)
						}
					})
				})
			}
		}
	}
}

// Whatever the names are, a write reaches its own machine or is refused, and it
// is refused only where digits are in the way.
func TestRefNeverReachesAnotherMachine(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	random := rand.New(rand.NewPCG(seed, 0))
	var given, refused int
	for round := range 3000 {
		synctest.Test(t, func(t *testing.T) {
			s := newService(0)
			s.idsWin = random.IntN(2) == 0
			for g := range 3 {
				s.add(fmt.Sprintf("group%d", g), 2)
			}
			for g, name := range []string{"101", "102", "103"} {
				if random.IntN(3) == 0 {
					s.groups[(g+1+random.IntN(2))%3].name = name
				}
			}
			digits := false
			for id := range s.machines {
				if random.IntN(3) == 0 {
					s.rename(id, fmt.Sprint(1+random.IntN(6)))
				}
				s.machines[id].deleted = random.IntN(4) == 0
				if random.IntN(4) == 0 {
					s.move(id, s.groups[random.IntN(3)])
				}
			}
			for _, g := range s.groups {
				digits = digits || !strings.HasPrefix(g.name, "group")
			}
			for _, m := range s.machines {
				digits = digits || !strings.HasPrefix(m.name, "web")
			}
			if random.IntN(4) == 0 {
				s.listErr = status(http.StatusInternalServerError)
			}
			f := fleet.New(s)
			if round%2 == 0 {
				f = pastTheFirst(t, s)
			}
			for id := range int64(6) {
				m := fleet.Machine{Account: "demo", Group: fmt.Sprintf("group%d", id/2), GroupID: 101 + id/2, ID: id + 1}
				if random.IntN(3) == 0 {
					m.GroupID = 0
				}
				ref, err := f.Ref(t.Context(), m)
				if err != nil {
					refused++
					if _, ok := errors.AsType[*fleet.UnsafeError](err); !ok || !digits {
						t.Errorf("seed %d: machine %d: %v", seed, m.ID, err)
					}
					continue
				}
				given++
				if reached, ok := s.reached(ref); !ok || reached != m.ID {
					t.Errorf("seed %d: a write to machine %d in %q would reach %d", seed, m.ID, ref.Group, reached)
				}
			}
		})
	}
	if given < refused || refused < 100 {
		t.Errorf("%d addresses, %d refusals: the worlds are not as hostile as they should be", given, refused)
	}
}

// rename renames a machine, unless another one of its group has the name.
func (s *service) rename(id int64, name string) {
	if m := s.machines[id]; !s.isTaken(m.group, name) {
		m.name = name
	}
}

// move puts a machine into a group, unless another one has its name there.
func (s *service) move(id int64, to *serviceGroup) {
	if m := s.machines[id]; !s.isTaken(to, m.name) {
		m.group = to
	}
}

func (s *service) isTaken(g *serviceGroup, name string) bool {
	for _, m := range s.machines {
		if m.group == g && m.name == name {
			return true
		}
	}
	return false
}

func TestRefsOfAGroupCostOneListing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		machines := append(s.add("blue", 100), s.add("green", 100)...)
		f := pastTheFirst(t, s)
		began := time.Now()
		together(machines, 10, func(m fleet.Machine) {
			m.GroupID = map[string]int64{"blue": 101, "green": 102}[m.Group]
			if ref, err := f.Ref(t.Context(), m); err != nil || ref.Group != fmt.Sprint(m.GroupID) {
				t.Errorf("machine %d: %v, %v", m.ID, ref, err)
			}
			s.purge(m.ID)
			f.Wrote(m)
		})
		if took := time.Since(began); took != 2*latency {
			t.Errorf("took %v", took)
		}
		s.wantRequests(t, "names 101", "names 102")
	})
}

// What has happened since the names were listed, by this process or elsewhere.
func TestRefAfterAListing(t *testing.T) {
	t.Parallel()
	place := func(id int64) fleet.Machine {
		return fleet.Machine{Account: "demo", Group: "web", GroupID: 101, ID: id}
	}
	for name, c := range map[string]struct {
		do       func(s *service, f *fleet.Fleet)
		machine  int64
		want     string // "" when the write is refused
		requests []string
	}{
		"nothing":     {func(*service, *fleet.Fleet) {}, 1, "101", nil},
		"a minute":    {func(*service, *fleet.Fleet) { time.Sleep(time.Minute) }, 1, "101", []string{"names 101"}},
		"it was made": {func(s *service, _ *fleet.Fleet) { s.change(3, func(m *machine) { m.group = s.groups[0] }) }, 3, "101", []string{"at 101/3"}},
		"it was moved by this process": {func(s *service, f *fleet.Fleet) {
			s.change(1, func(m *machine) { m.group = s.groups[1] })
			f.Moved()
		}, 1, "102", []string{"at 101/1", "names web", "at web/1", "get 1", "names 102"}},
		"this process moved another here": {func(s *service, f *fleet.Fleet) {
			s.change(3, func(m *machine) { m.group, m.name = s.groups[0], "1" })
			f.Moved()
		}, 1, "", []string{"at 101/1", "names web", "at web/1", "get 1"}},
		"the one in the way was renamed": {func(s *service, f *fleet.Fleet) {
			s.change(2, func(m *machine) { m.name = "1" })
			time.Sleep(time.Minute)
			if _, err := f.Ref(context.Background(), place(1)); err == nil {
				t.Error("want the write refused")
			}
			s.change(2, func(m *machine) { m.name = "web2" })
			s.requests = nil
		}, 1, "101", []string{"at 101/1"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := hostile(false)
				f := pastTheFirst(t, s)
				if _, err := f.Ref(t.Context(), place(1)); err != nil {
					t.Fatal(err)
				}
				s.wantRequests(t, "names 101")
				c.do(s, f)
				ref, err := f.Ref(t.Context(), place(c.machine))
				_, unsafe := errors.AsType[*fleet.UnsafeError](err)
				if c.want != "" && (err != nil || ref.Group != c.want) || c.want == "" && !unsafe {
					t.Errorf("got %v, %v", ref, err)
				}
				s.wantRequests(t, c.requests...)
			})
		})
	}
}
