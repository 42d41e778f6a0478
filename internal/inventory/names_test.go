// SPDX-License-Identifier: MPL-2.0

package inventory_test

import (
	"errors"
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/inventory"
)

// wantHolder checks whether a machine has the name web<id>.
func wantMachineNamed(t *testing.T, f *inventory.Inventory, group string, id int64, want bool) {
	t.Helper()
	got, err := f.MachineNamed(t.Context(), "demo", group, fmt.Sprintf("web%d", id))
	if err != nil || (got != nil) != want || got != nil && got.ID != id {
		t.Errorf("web%d in %s: got %+v, %v, want a machine: %t", id, group, got, err, want)
	}
}

// alsoListed runs a test with the first name that a fleet asks for, and with one that
// it looks for in a listing. The requests before that are not counted.
func alsoListed(t *testing.T, test func(t *testing.T, s *service, f *inventory.Inventory, listed bool)) {
	t.Helper()
	for _, listed := range []bool{false, true} {
		t.Run(fmt.Sprintf("listed: %t", listed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newService(latency)
				s.add("default", 1)
				f := inventory.New(s)
				for n := int64(1000); listed && n < 1020; n++ {
					wantMachineNamed(t, f, "default", n, false)
				}
				s.requests = nil
				test(t, s, f, listed)
			})
		})
	}
}

// The first twenty names cost a GET each, the others one listing for each group. An answer is remembered for a minute.
func TestNamesCost(t *testing.T) {
	t.Parallel()
	for names, want := range map[int]string{1: "name 1", 20: "name 20", 21: "name 20, names 1", 1000: "name 20, names 1"} {
		synctest.Test(t, func(t *testing.T) {
			s := newService(latency)
			f := inventory.New(s)
			s.add("default", 30)
			wanted := make([]inventory.Location, names)
			for i := range wanted {
				wanted[i].ID = int64(1000 + i)
			}
			for range 2 {
				together(wanted, 10, func(m inventory.Location) { wantMachineNamed(t, f, "default", m.ID, false) })
			}
			s.want(t, want)
			time.Sleep(time.Minute)
			s.requests = nil
			wantMachineNamed(t, f, "default", 1000, false)
			s.want(t, "name 1")
		})
	}
}

// A soft-deleted machine keeps its name. In a group that does not exist, no machine has a name.
func TestMachineNamed(t *testing.T) {
	t.Parallel()
	alsoListed(t, func(t *testing.T, s *service, f *inventory.Inventory, _ bool) {
		s.change(1, func(m *machine) { m.deleted = true })
		wantMachineNamed(t, f, "default", 1, true)
		wantMachineNamed(t, f, "default", 2, false)
		wantMachineNamed(t, f, "missing", 1, false)
	})
}

// A list of names is not older than a minute, however often it is asked.
func TestNamesAreNotOld(t *testing.T) {
	t.Parallel()
	alsoListed(t, func(t *testing.T, s *service, f *inventory.Inventory, _ bool) {
		wantMachineNamed(t, f, "default", 1, true)
		s.add("default", 1)
		time.Sleep(59 * time.Second)
		wantMachineNamed(t, f, "default", 1, true)
		time.Sleep(2 * time.Second)
		wantMachineNamed(t, f, "default", 2, true)
	})
}

// A name that this process has just given to a machine is looked up again.
func TestChangedName(t *testing.T) {
	t.Parallel()
	alsoListed(t, func(t *testing.T, s *service, f *inventory.Inventory, _ bool) {
		wantMachineNamed(t, f, "default", 1, true)
		wantMachineNamed(t, f, "default", 2, false)
		s.add("default", 2)
		wantMachineNamed(t, f, "default", 2, false)
		f.NameChanged("demo", "web2")
		wantMachineNamed(t, f, "default", 2, true)
		f.NameChanged("demo", "web3") // before anybody has asked for it
		wantMachineNamed(t, f, "default", 3, true)
	})
}

func TestFailedLookAtANameIsAnError(t *testing.T) {
	t.Parallel()
	alsoListed(t, func(t *testing.T, s *service, f *inventory.Inventory, _ bool) {
		s.failing(status(http.StatusBadGateway), status(http.StatusForbidden))
		if _, err := f.MachineNamed(t.Context(), "demo", "default", "web1"); cloudserver.StatusCode(err) != http.StatusBadGateway {
			t.Errorf("got %v", err)
		}
		s.failing(nil, nil)
		wantMachineNamed(t, f, "default", 1, true) // a failure is not kept
	})
}

// The name of a machine that cannot be described yet is not free. That is not kept.
func TestNamedMachineThatIsNotDescribed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		s.add("default", 1)
		f := inventory.New(s)
		s.failing(cloudserver.ErrNotDescribed, nil)
		if _, err := f.MachineNamed(t.Context(), "demo", "default", "web1"); !errors.Is(err, cloudserver.ErrNotDescribed) {
			t.Errorf("got %v", err)
		}
		s.failing(nil, nil)
		wantMachineNamed(t, f, "default", 1, true)
	})
}
