// SPDX-License-Identifier: MPL-2.0

package inventory_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/inventory"
)

const latency = 50 * time.Millisecond

// The first twenty machines are read by ID, at once and always. After them a group is listed.
func TestRefreshCosts(t *testing.T) {
	t.Parallel()
	for _, parallelism := range []int{1, 10, 50} {
		for machines, want := range map[int]string{1: "get 1", 5: "get 5", 20: "get 20", 21: "get 20, list 1", 1000: "get 20, list 1"} {
			t.Run(fmt.Sprintf("%d machines, %d at a time", machines, parallelism), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := newService(latency)
					f := inventory.New(s)
					all, first := s.add("default", machines), min(machines, 20)
					began := time.Now()
					together(all[:first], parallelism, func(m inventory.Location) { mustRead(t, f, m) })
					if rounds := (first + parallelism - 1) / parallelism; time.Since(began) != time.Duration(rounds)*latency {
						t.Errorf("the first %d took %v", first, time.Since(began))
					}
					together(all[first:], parallelism, func(m inventory.Location) { mustRead(t, f, m) })
					s.want(t, want)
					s.requests = nil
					mustRead(t, f, all[0])
					s.want(t, "get 1")
				})
			})
		}
	}
}

// readings are cases of reads after the first twenty.
func readings(
	t *testing.T, machines int, test func(t *testing.T, s *service, f *inventory.Inventory, machines []inventory.Location),
) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		all := s.add("default", machines)
		test(t, s, pastTheFirst(t, s), all)
	})
}

// Twelve machines of 9,000: the listing is too slow to wait for, but continues and answers later callers.
func TestReadsDoNotWaitForASlowListing(t *testing.T) {
	readings(t, 9000, func(t *testing.T, s *service, f *inventory.Inventory, machines []inventory.Location) {
		s.listLatency = 12 * time.Second
		began := time.Now()
		together(machines[:12], 10, func(m inventory.Location) { mustRead(t, f, m) })
		if took := time.Since(began); took > 3500*time.Millisecond {
			t.Errorf("took %v", took)
		}
		time.Sleep(12 * time.Second)
		together(machines[12:200], 10, func(m inventory.Location) { mustRead(t, f, m) })
		s.want(t, "get 12, list 1")
		together(machines[:12], 10, func(m inventory.Location) { mustRead(t, f, m) }) // it was slow: not again at once
		s.want(t, "get 24, list 1")
	})
}

func TestSlowRefreshListsAgainOnlyWhenOld(t *testing.T) {
	readings(t, 180, func(t *testing.T, s *service, f *inventory.Inventory, machines []inventory.Location) {
		for _, m := range machines { // one a second: three minutes
			mustRead(t, f, m)
			time.Sleep(time.Second)
		}
		s.want(t, "list 3")
	})
}

func TestReadingAgainAsksAgain(t *testing.T) {
	readings(t, 50, func(t *testing.T, s *service, f *inventory.Inventory, machines []inventory.Location) {
		for pass := range int64(3) {
			if pass == 1 {
				s.failing(nil, status(http.StatusBadGateway)) // by ID
			}
			together(machines, 10, func(m inventory.Location) {
				if got := *mustRead(t, f, m).Cores; got != pass {
					t.Errorf("machine %d in pass %d is as of pass %d", m.ID, pass, got)
				}
			})
			s.failing(nil, nil)
			time.Sleep(time.Minute)
			for _, m := range machines { // elsewhere, unknown to the fleet
				s.change(m.ID, func(m *machine) { m.version++ })
			}
		}
		s.want(t, "get 50, list 3")
	})
}

// A listing of 5,000 machines for ten is used, but not repeated, however old it is.
func TestFarTooLargeListingIsNotRepeated(t *testing.T) {
	readings(t, 5000, func(t *testing.T, s *service, f *inventory.Inventory, machines []inventory.Location) {
		for range 10 {
			together(machines[:10], 10, func(m inventory.Location) { mustRead(t, f, m) })
			time.Sleep(15 * time.Second)
		}
		s.want(t, "get 90, list 1")
		together(machines[:30], 10, func(m inventory.Location) { mustRead(t, f, m) }) // twenty are enough
		s.want(t, "get 109, list 2")
	})
}

func TestMachineThatIsNotListedIsReadByID(t *testing.T) {
	readings(t, 20, func(t *testing.T, s *service, f *inventory.Inventory, machines []inventory.Location) {
		s.change(16, func(m *machine) { m.group = s.groupNamed("private") }) // moved elsewhere
		s.purge(15)
		machines[3].GroupID = 0 // not known
		together(machines, 10, func(m inventory.Location) {
			if _, err := f.Read(t.Context(), m); inventory.IsGone(err) != (m.ID == 15) {
				t.Errorf("machine %d: %v", m.ID, err)
			}
		})
		s.want(t, "account 1, get 3, list 1")
	})
}

// The listing fails: its body is too large, or the service is down.
func TestReadsByIDWhereTheListingFails(t *testing.T) {
	for _, failure := range []error{
		status(http.StatusInternalServerError), status(http.StatusNotFound),
		&cloudserver.TransportError{Err: errors.New("the answer is larger than 64 MB")}, cloudserver.ErrNotDescribed,
	} {
		t.Run(failure.Error(), func(t *testing.T) {
			readings(t, 30, func(t *testing.T, s *service, f *inventory.Inventory, machines []inventory.Location) {
				s.failing(nil, failure)
				together(machines, 10, func(m inventory.Location) { mustRead(t, f, m) })
				s.want(t, "get 30, list 1")
				time.Sleep(time.Minute)
				s.failing(nil, nil)
				together(machines, 10, func(m inventory.Location) { mustRead(t, f, m) })
				s.want(t, "get 30, list 2")
			})
		})
	}
}

func TestRefusedCredentialsReachEachReader(t *testing.T) {
	readings(t, 10, func(t *testing.T, s *service, f *inventory.Inventory, machines []inventory.Location) {
		s.failing(nil, status(http.StatusUnauthorized))
		together(machines, 10, func(m inventory.Location) {
			if _, err := f.Read(t.Context(), m); !cloudserver.IsUnauthorized(err) {
				t.Errorf("machine %d: got %v", m.ID, err)
			}
		})
		s.want(t, "list 1")
	})
}

func TestCallersMayChangeWhatTheyGot(t *testing.T) {
	readings(t, 8, func(t *testing.T, s *service, f *inventory.Inventory, machines []inventory.Location) {
		got := make(chan *cloudserver.VirtualMachine, 2)
		together([]inventory.Location{machines[7], machines[7]}, 2, func(m inventory.Location) { got <- mustRead(t, f, m) })
		s.want(t, "list 1") // both are of one listing
		one, other := <-got, <-got
		one.ID, one.Name, one.Discs = 0, "changed", nil
		if other.ID != 8 || other.Name != "web8" || other.Discs == nil {
			t.Errorf("one caller's change has reached another: %+v", other)
		}
	})
}

// write changes a machine through this process.
func write(s *service, f *inventory.Inventory, m inventory.Location) {
	s.change(m.ID, func(m *machine) { m.version++ })
	f.Wrote(m.ID)
}

// mustReadWritten reads a machine that was written to once.
func mustReadWritten(t *testing.T, f *inventory.Inventory, m inventory.Location) {
	t.Helper()
	if got := *mustRead(t, f, m).Cores; got != 1 {
		t.Errorf("machine %d is older than the write", m.ID)
	}
}

// A listing does not answer for a machine that was written to after the listing was requested, whether the listing has
// arrived or not.
func TestReadSeesOwnWrite(t *testing.T) {
	for _, underWay := range []bool{false, true} {
		t.Run(fmt.Sprintf("under way: %t", underWay), func(t *testing.T) {
			readings(t, 40, func(t *testing.T, s *service, f *inventory.Inventory, machines []inventory.Location) {
				var early sync.WaitGroup
				early.Go(func() { together(machines[:20], 20, func(m inventory.Location) { mustRead(t, f, m) }) })
				time.Sleep(latency / 2)
				if !underWay {
					early.Wait()
				}
				together(machines[20:], 20, func(m inventory.Location) { // none of them read before
					write(s, f, m)
					mustReadWritten(t, f, m)
				})
				early.Wait()
				s.want(t, "get 20, list 1")
			})
		})
	}
}

// A thousand updates, each with a read before and one after: the listing serves
// those before, and those after go by ID.
func TestUpdatesOfAThousandDoNotListEachTime(t *testing.T) {
	readings(t, 1000, func(t *testing.T, s *service, f *inventory.Inventory, machines []inventory.Location) {
		together(machines, 10, func(m inventory.Location) {
			mustRead(t, f, m)
			write(s, f, m)
			mustReadWritten(t, f, m)
		})
		s.want(t, "get 1000, list 1")
	})
}

// A caller that gives up returns at once, and does not cancel the listing of others.
func TestListingOutlivesItsCallers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newService(latency)
		machines := s.add("default", 10)
		f := pastTheFirst(t, s)
		impatient, cancel := context.WithTimeout(t.Context(), latency/2)
		defer cancel()
		began := time.Now()
		together(machines[:4], 4, func(m inventory.Location) {
			if _, err := f.Read(impatient, m); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("got %v", err)
			}
		})
		if waited := time.Since(began); waited != latency/2 {
			t.Errorf("cancellation took %v", waited)
		}
		together(machines[4:], 6, func(m inventory.Location) { mustRead(t, f, m) })
		s.want(t, "list 1")
	})
}
