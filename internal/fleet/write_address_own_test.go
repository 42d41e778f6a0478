package fleet_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
)

// What this process has done since the names were listed.
func TestRefAfterOwnWrites(t *testing.T) {
	t.Parallel()
	place := func(id int64) fleet.Machine {
		return fleet.Machine{Account: "demo", Group: "web", GroupID: 101, ID: id}
	}
	for name, c := range map[string]struct {
		do       func(s *service, f *fleet.Fleet)
		machine  fleet.Machine
		want     string // "" when the write is refused
		requests []string
	}{
		"created here": {func(s *service, f *fleet.Fleet) {
			f.Wrote(place(s.add("web", 1)[0].ID))
		}, place(4), "101", nil},
		"created elsewhere": {func(s *service, _ *fleet.Fleet) {
			s.add("web", 1)
		}, place(4), "web", []string{"names web"}},
		"created here, and the name was taken all along": {func(s *service, f *fleet.Fleet) {
			f.Wrote(place(s.add("web", 1)[0].ID))
		}, place(4), "", nil},
		"created in a group that was empty": {func(s *service, f *fleet.Fleet) {
			s.add("empty", 0)
			_, _ = f.Ref(context.Background(), fleet.Machine{Account: "demo", Group: "empty", GroupID: 103, ID: 77})
			s.requests = nil
			m := s.add("empty", 1)[0]
			m.GroupID = 103
			f.Wrote(m)
		}, fleet.Machine{Account: "demo", Group: "empty", GroupID: 103, ID: 4}, "103", []string{"names 103"}},
		"moved here": {func(s *service, f *fleet.Fleet) {
			s.change(3, func(m *machine) { m.group = s.groups[0] })
			f.Wrote(place(3), "db")
		}, place(3), "101", []string{"names 101"}},
		"moved away": {func(s *service, f *fleet.Fleet) {
			s.change(1, func(m *machine) { m.group = s.groups[1] })
			f.Wrote(fleet.Machine{Account: "demo", Group: "db", GroupID: 102, ID: 1}, "web", "101")
		}, place(1), "102", []string{"names 101", "names web", "get 1", "names 102"}},
		"moved away, and noted as being there": {func(s *service, f *fleet.Fleet) {
			s.change(1, func(m *machine) { m.group = s.groups[1] })
			f.Wrote(fleet.Machine{Account: "demo", GroupID: 102, ID: 1})
		}, place(1), "102", []string{"names 101", "names web", "get 1", "names 102"}},
		"moved away, and noted under its old group": {func(s *service, f *fleet.Fleet) {
			s.change(1, func(m *machine) { m.group = s.groups[1] })
			f.Wrote(place(1), "db")
		}, place(1), "102", []string{"names 101", "names web", "get 1", "names 102"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := hostile(false)
				taken := strings.Contains(name, "taken all along")
				if taken {
					s.machines[2].name = "4"
				}
				f := fleet.New(s)
				if _, err := f.Ref(t.Context(), place(1)); err != nil {
					t.Fatal(err)
				}
				s.requests = nil
				c.do(s, f)
				ref, err := f.Ref(t.Context(), c.machine)
				_, unsafe := errors.AsType[*fleet.UnsafeError](err)
				if c.want != "" && (err != nil || ref.Group != c.want) || c.want == "" && !unsafe {
					t.Errorf("got %v, %v", ref, err)
				}
				if c.requests != nil {
					s.wantRequests(t, c.requests...)
				}
				if reached, ok := s.reached(ref); err == nil && (!ok || reached != c.machine.ID) {
					t.Errorf("a write would reach %d", reached)
				}
			})
		})
	}
}

func TestRefAfterTheMachineInTheWayWasRenamed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := hostile(false)
		s.machines[2].name = "1"
		f := fleet.New(s)
		if _, err := f.Ref(t.Context(), target); err == nil {
			t.Error("want the write refused")
		}
		s.change(2, func(m *machine) { m.name = "web2" })
		f.Wrote(fleet.Machine{Account: "demo", Group: "web", GroupID: 101, ID: 2})
		if ref, err := f.Ref(t.Context(), target); err != nil || ref.Group != "101" {
			t.Errorf("got %v, %v", ref, err)
		}
		s.wantRequests(t, "names 101", "names 101")
	})
}
