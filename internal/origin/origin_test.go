package origin_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/origin"
)

var demo = []origin.Place{{Group: "default", Account: "demo"}}

// TestDomain: a hostname is taken apart by names that may contain dots.
func TestDomain(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		hostname string
		places   []origin.Place
		names    []string
		want     string
	}{
		"plain":             {"web1.default.demo.cluster.example", demo, []string{"web1"}, ".cluster.example"},
		"letters":           {"Web1.Default.demo.Cluster.example", demo, []string{"WEB1"}, ".cluster.example"},
		"dots in names":     {"a.b.c.d.e.example", []origin.Place{{Group: "c.d", Account: "e"}}, []string{"a.b"}, ".example"},
		"the old name":      {"web1.default.demo.example", demo, []string{"web2", "web1"}, ".example"},
		"no domain":         {"web1.default.demo", demo, []string{"web1"}, ""},
		"another account":   {"web1.default.demolition.example", demo, []string{"web1"}, ""},
		"another name":      {"web10.default.demo.example", demo, []string{"web1"}, ""},
		"an unknown group":  {"web1..demo.example", []origin.Place{{Account: "demo"}}, []string{"web1"}, ""},
		"an unknown answer": {"", demo, []string{"web1"}, ""},
	} {
		if got := origin.Domain(test.hostname, test.places, test.names...); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

// TestCompare: domains are compared for equality, never by their end.
func TestCompare(t *testing.T) {
	t.Parallel()
	const ours = ".cluster.example"
	for hostname, want := range map[string]origin.Verdict{
		"web1.default.demo.cluster.example":         origin.Same,
		"WEB1.default.demo.CLUSTER.example":         origin.Same,
		"web1.default.demo.staging.cluster.example": origin.Other,
		"web1.default.demo.cluster.elsewhere":       origin.Other,
		"web1.default.demo.example":                 origin.Other,
		"web1.else.demo.cluster.example":            origin.Unplaced,
		"web1.else.demo.cluster.elsewhere":          origin.Other,
		"":                                          origin.Open,
	} {
		if got := origin.Compare(ours, hostname, demo, "web1"); got != want {
			t.Errorf("%q: %d, want %d", hostname, got, want)
		}
	}
	if got := origin.Compare("", "web1.default.demo.cluster.example", demo, "web1"); got != origin.Open {
		t.Errorf("an unknown domain: %d", got)
	}
}

// answer returns an answer about the machine 7.
func answer(name, hostname string, discs ...int64) *cloudserver.VirtualMachine {
	vm := &cloudserver.VirtualMachine{ID: 7, GroupID: 5, Name: name}
	if hostname != "" {
		vm.Hostname = &hostname
	}
	for _, id := range discs {
		vm.Discs = append(vm.Discs, cloudserver.Disc{ID: id})
	}
	return vm
}

// TestAnswerThatSaysNothing: an answer with nothing to compare is no look at a machine that was described, and is not
// another service's either. After a request that changes the machine, it is no error.
func TestAnswerThatSaysNothing(t *testing.T) {
	t.Parallel()
	const ours = "web1.default.demo.cluster.example"
	for name, test := range map[string]struct {
		hostname string // in the state
		discs    []int64
		before   *cloudserver.VirtualMachine // an earlier answer
		now      *cloudserver.VirtualMachine
		says     bool
	}{
		"never described":                    {now: answer("web1", ""), says: true},
		"the state has all":                  {hostname: ours, discs: []int64{1}, now: answer("alien", "")},
		"the state has the hostname":         {hostname: ours, now: answer("alien", "")},
		"the state has discs":                {discs: []int64{1}, now: answer("alien", "")},
		"an earlier answer has the hostname": {before: answer("web1", ours), now: answer("alien", "")},
		"discs alone, for a hostname alone":  {hostname: ours, now: answer("alien", "", 1)},
		"a hostname alone, for discs alone":  {discs: []int64{1}, now: answer("alien", ours)},
		"the hostname, without discs":        {hostname: ours, discs: []int64{1}, now: answer("web1", ours), says: true},
		"the discs, without a hostname":      {hostname: ours, discs: []int64{1}, now: answer("web1", "", 1), says: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			known := origin.Known(7, test.hostname, "web1", demo[0], test.discs, nil)
			if err := known.Admit(t.Context(), test.before, time.Now()); err != nil {
				t.Error(err)
			}
			err := known.Admit(t.Context(), test.now, time.Now())
			if errors.Is(err, cloudserver.ErrNotDescribed) == test.says || (err == nil) != test.says || origin.IsOther(err) {
				t.Errorf("admitted: %v", err)
			}
			if (known.Fresh() == test.now) != test.says || !test.says && known.Fresh() != nil {
				t.Errorf("the look is %v", known.Fresh())
			}
			if err := known.Check(t.Context(), test.now); err != nil {
				t.Errorf("after a request: %v", err)
			}
		})
	}
}

// TestLook: the last answer is kept with the time of its own request. An answer to a request that changes the machine does
// not renew it, and neither does one that was requested before it.
func TestLook(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		known, began := origin.Known(7, "", "web1", demo[0], nil, nil), time.Now()
		admit := func(asked time.Time) *cloudserver.VirtualMachine {
			vm := answer("web1", "web1.default.demo.cluster.example", 1)
			if err := known.Admit(t.Context(), vm, asked); err != nil {
				t.Error(err)
			}
			return vm
		}
		first := admit(began)
		time.Sleep(3 * time.Second)
		if err := known.Check(t.Context(), answer("web1", "", 1)); err != nil {
			t.Error(err)
		}
		admit(time.Time{})
		if known.Fresh() != first {
			t.Error("not the first look")
		}
		admit(began.Add(-time.Second))
		if known.Fresh() != first {
			t.Error("an older answer is the look")
		}
		time.Sleep(2 * time.Second)
		if known.Fresh() != nil {
			t.Error("five seconds later it is no look any more")
		}
		if second := admit(time.Now()); known.Fresh() != second {
			t.Error("not the second look")
		}
		if known.Expire(); known.Fresh() != nil {
			t.Error("it has expired")
		}
	})
}

// TestMachineAdmits: what is known of a machine decides, from a state or from the first answer that has it; the
// directory is asked only for a hostname that the names of state and answer do not explain.
func TestMachineAdmits(t *testing.T) {
	t.Parallel()
	const ours, theirs = "web1.default.demo.cluster.example", "web1.default.demo.cluster.elsewhere"
	for name, test := range map[string]struct {
		hostname string // in the state
		discs    []int64
		moved    *origin.Place
		again    bool // the directory knows the place only when it is asked again
		answers  []*cloudserver.VirtualMachine
		refused  bool // the last one
		doubt    bool
		asks     int // the directory
	}{
		"as in the state":            {hostname: ours, answers: []*cloudserver.VirtualMachine{answer("web1", ours)}},
		"renamed":                    {hostname: ours, answers: []*cloudserver.VirtualMachine{answer("web2", "web2.default.demo.cluster.example")}},
		"renamed, the hostname lags": {hostname: ours, answers: []*cloudserver.VirtualMachine{answer("web2", ours)}},
		"renamed by a step aside, the hostname lags": {
			hostname: ours, answers: []*cloudserver.VirtualMachine{answer("web2", "renaming-7.default.demo.cluster.example")},
		},
		"another domain": {hostname: ours, answers: []*cloudserver.VirtualMachine{answer("web1", theirs, 1)}, discs: []int64{1}, refused: true},
		"a domain below ours": {
			hostname: ours, answers: []*cloudserver.VirtualMachine{answer("web1", "web1.default.demo.staging.cluster.example")}, refused: true, asks: 2,
		},
		"moved": {
			hostname: ours, moved: &origin.Place{Group: "blue", Account: "other"}, asks: 1,
			answers: []*cloudserver.VirtualMachine{answer("web1", "web1.blue.other.cluster.example")},
		},
		"moved to a new group": {
			hostname: ours, moved: &origin.Place{Group: "blue", Account: "demo"}, again: true, asks: 2,
			answers: []*cloudserver.VirtualMachine{answer("web1", "web1.blue.demo.cluster.example")},
		},
		"nobody knows where": {
			hostname: ours, answers: []*cloudserver.VirtualMachine{answer("web1", "web1.blue.demo.cluster.example")}, refused: true, doubt: true, asks: 2,
		},
		"the state's hostname lags": {
			hostname: "renaming-7.default.demo.cluster.example", answers: []*cloudserver.VirtualMachine{answer("web1", ours)},
		},
		"the state's hostname lags, its domain is below the answer's": {
			hostname: "renaming-7.default.demo.staging.cluster.example", answers: []*cloudserver.VirtualMachine{answer("web1", ours)}, refused: true,
		},
		"the group was renamed": {
			hostname: "web1.old.demo.cluster.example", answers: []*cloudserver.VirtualMachine{answer("web1", ours)},
		},
		"the group was renamed, its domain is below the answer's": {
			hostname: "web1.old.demo.staging.cluster.example", answers: []*cloudserver.VirtualMachine{answer("web1", ours)}, refused: true,
		},
		"the account was renamed, nobody can tell the domain": {
			hostname: "web1.default.old.cluster.example", answers: []*cloudserver.VirtualMachine{answer("web1", ours)}, refused: true, asks: 2,
		},
		"the account stands twice, nobody can tell the domain": {
			hostname: "web1.old.demo.demo.cluster.example", answers: []*cloudserver.VirtualMachine{answer("web1", ours)}, refused: true, asks: 2,
		},
		"the state's hostname lags, another domain": {
			hostname: "renaming-7.default.demo.cluster.example", answers: []*cloudserver.VirtualMachine{answer("web1", theirs)}, refused: true,
		},
		"created":               {answers: []*cloudserver.VirtualMachine{answer("web1", ""), answer("web1", ours, 1), answer("web1", ours, 1, 2)}},
		"created, then another": {answers: []*cloudserver.VirtualMachine{answer("web1", ours, 1), answer("web1", theirs, 1)}, refused: true},
		"created, then other discs, without a hostname": {
			answers: []*cloudserver.VirtualMachine{answer("web1", "", 1), answer("web1", ours, 2)}, refused: true,
		},
		"no hostname, a disc in common": {hostname: ours, discs: []int64{1, 2}, answers: []*cloudserver.VirtualMachine{answer("web1", "", 2, 3)}},
		"no hostname, other discs":      {hostname: ours, discs: []int64{1, 2}, answers: []*cloudserver.VirtualMachine{answer("web1", "", 3)}, refused: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			asks := 0
			known := origin.Known(7, test.hostname, "web1", demo[0], test.discs, func(_ context.Context, group int64, again bool) ([]origin.Place, error) {
				if asks++; group != 5 || test.moved == nil || test.again && !again {
					return nil, nil
				}
				return []origin.Place{*test.moved}, nil
			})
			for i, vm := range test.answers {
				err := known.Admit(t.Context(), vm, time.Now())
				if refused := test.refused && i == len(test.answers)-1; origin.IsOther(err) != refused || (err != nil) != refused {
					t.Errorf("answer %d: %v", i, err)
				}
				if other, ok := err.(*origin.Error); ok && other.Doubt != test.doubt { //nolint:errorlint // it is not wrapped
					t.Errorf("doubt is %t: %v", other.Doubt, err)
				}
			}
			if asks != test.asks {
				t.Errorf("the directory was asked %d times, want %d", asks, test.asks)
			}
			if (known.Fresh() != nil) == test.refused {
				t.Error("a refused answer leaves no look")
			}
		})
	}
}
