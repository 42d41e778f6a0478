package fleet_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
)

// named returns a name in the group "web", or in another: "db/a".
func named(text string) fleet.Name {
	group, name, elsewhere := strings.Cut(text, "/")
	if !elsewhere {
		group, name = "web", text
	}
	return fleet.Name{Account: "demo", Group: group, Name: name}
}

// Each step is a call of Plan, "1 a b" for machine 1, of PlanNew, "1 - b" for the
// replacement of machine 1, "0 - b" for none and "? - b" where that is not known,
// or of PlanDestroy, "1 a -". The last one is judged; those before are no conflicts.
func TestPlan(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		steps string
		twice bool
		cycle string
	}{
		"one":                                          {steps: "0 - a"},
		"two new ones":                                 {steps: "0 - a, 0 - b"},
		"two new ones in two groups":                   {steps: "0 - a, 0 - db/a"},
		"two new ones of one name":                     {steps: "0 - a, 0 - a", twice: true},
		"planned again":                                {steps: "1 a a, 1 a a"},
		"planned again with another name":              {steps: "1 a b, 1 a c, 2 d b"},
		"replaced":                                     {steps: "1 a a, 1 - a"},
		"replaced and renamed":                         {steps: "1 a b, 1 - b"},
		"perhaps replaced":                             {steps: "1 a a, ? - a"},
		"perhaps replaced, and one more":               {steps: "1 a a, ? - a, ? - a", twice: true},
		"renamed to where one may replace":             {steps: "? - b, 1 a b", twice: true},
		"perhaps replaced, and planned again":          {steps: "1 a b, ? - b, 1 a b"},
		"replaced, and planned again":                  {steps: "1 a a, 1 - a, 1 a a"},
		"replaced, and another new one":                {steps: "1 a a, 1 - a, 0 - a", twice: true},
		"another new one, and replaced":                {steps: "0 - a, 1 a a", twice: true},
		"replaced by one with the name of another":     {steps: "2 b b, 1 a a, 1 - b", twice: true},
		"one that stays, and a new one of its name":    {steps: "1 a a, 0 - a", twice: true},
		"one that leaves, and a new one of its name":   {steps: "1 a b, 0 - a"},
		"a new one with the name of one that leaves":   {steps: "0 - a, 1 a b"},
		"one that is destroyed, and a new one":         {steps: "1 a -, 0 - a"},
		"a new one with the name of one that stays":    {steps: "0 - a, 1 a a", twice: true},
		"renamed to the name of a new one":             {steps: "0 - b, 1 a b", twice: true},
		"renamed to the name of one that stays":        {steps: "2 b b, 1 a b", twice: true},
		"two renamed to one name":                      {steps: "1 a c, 2 b c", twice: true},
		"moved to where its name is planned":           {steps: "1 db/a db/a, 2 a db/a", twice: true},
		"to the name of one that leaves":               {steps: "1 a b, 2 b c"},
		"to the name of one that is destroyed":         {steps: "1 a -, 2 b a"},
		"a chain of four":                              {steps: "1 a b, 2 b c, 3 c d, 4 d e"},
		"a chain that ends in a group of another name": {steps: "1 a db/a, 2 b a"},

		"exchanged":                                      {steps: "1 a b, 2 b a", cycle: "b a"},
		"exchanged between groups":                       {steps: "1 a db/a, 2 db/a a", cycle: "db/a a"},
		"exchanged by three":                             {steps: "1 a b, 2 b c, 3 c a", cycle: "c a b"},
		"the last of three in another order":             {steps: "3 c a, 1 a b, 2 b c", cycle: "b c a"},
		"beside an exchange":                             {steps: "1 a b, 3 c d, 2 b a", cycle: "b a"},
		"an exchange with one that is destroyed instead": {steps: "1 a -, 2 b a, 0 - b"},
	} {
		t.Run(name, func(t *testing.T) {
			f := fleet.NewNames()
			var conflict *fleet.NameConflict
			for step := range strings.SplitSeq(c.steps, ", ") {
				if conflict != nil {
					t.Fatalf("before %q: %+v", step, conflict)
				}
				part := strings.Fields(step)
				switch id := int64(part[0][0] - '0'); {
				case part[0] == "?":
					conflict = f.Plan(0, fleet.Name{}, named(part[2]))
				case part[1] == "-":
					conflict = f.PlanNew(id, named(part[2]))
				case part[2] == "-":
					f.PlanDestroy(named(part[1]))
				default:
					conflict = f.Plan(id, named(part[1]), named(part[2]))
				}
			}
			var cycle []fleet.Name
			for text := range strings.FieldsSeq(c.cycle) {
				cycle = append(cycle, named(text))
			}
			if got := conflict != nil; got != (c.twice || c.cycle != "") {
				t.Fatalf("got %+v", conflict)
			}
			if conflict != nil && (conflict.Twice != c.twice || !slices.Equal(conflict.Cycle, cycle)) {
				t.Errorf("got %+v", conflict)
			}
		})
	}
}

func TestLeaving(t *testing.T) {
	t.Parallel()
	f := fleet.NewNames()
	f.Plan(1, named("stays"), named("stays"))
	f.Plan(2, named("renamed"), named("other"))
	f.Plan(3, named("moved"), named("db/moved"))
	f.Plan(4, named("changed"), named("mind"))
	f.Plan(4, named("changed"), named("changed"))
	f.Plan(0, fleet.Name{}, named("new"))
	f.PlanDestroy(named("destroyed"))
	for name, want := range map[string]bool{
		"stays": false, "renamed": true, "other": false, "moved": true, "db/moved": false, "changed": false,
		"new": false, "destroyed": true, "db/destroyed": false, "unknown": false,
	} {
		if f.Leaving(named(name)) != want {
			t.Errorf("%s: want %t", name, want)
		}
	}
}

func TestSameGroup(t *testing.T) {
	t.Parallel()
	f := fleet.NewNames()
	f.PlanNew(0, named("id:5/new"))
	f.SameGroup("demo", "5", "web")
	f.Plan(1, named("a"), named("b"))
	if f.PlanNew(0, named("new")) == nil || f.Plan(2, named("c"), named("id:5/b")) == nil {
		t.Error("a name that is taken is not refused")
	}
	for name, want := range map[string]bool{"id:5/a": true, "id:5/b": false, "id:6/a": false, "a": true} {
		if f.Leaving(named(name)) != want {
			t.Errorf("%s: want %t", name, want)
		}
	}
}
