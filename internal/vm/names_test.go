package vm_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// shift returns machines of which each takes the name of the one before. The
// first is destroyed, as when the first element of a list is removed.
func shift(n int) func(*testing.T, *acctest.Driver) []renamed {
	return func(t *testing.T, d *acctest.Driver) []renamed {
		wishes := []renamed{{d.MustApply(t.Context(), vmType, nil, named("web1")), nil}}
		for i := 2; i <= n; i++ {
			wishes = append(wishes, renamed{d.MustApply(t.Context(), vmType, nil, named(fmt.Sprintf("web%d", i))), named(fmt.Sprintf("web%d", i-1))})
		}
		return wishes
	}
}

// ring returns machines of which each takes the name of the next.
func ring(n int) func(*testing.T, *acctest.Driver) []renamed {
	return func(t *testing.T, d *acctest.Driver) (wishes []renamed) {
		for i := range n {
			wishes = append(wishes, renamed{d.MustApply(t.Context(), vmType, nil, named(fmt.Sprintf("web%d", i))), named(fmt.Sprintf("web%d", (i+1)%n))})
		}
		return wishes
	}
}

// exchangedPlaces returns two machines of one name that exchange their groups.
func exchangedPlaces(t *testing.T, d *acctest.Driver) []renamed {
	one := d.MustApply(t.Context(), vmType, nil, named("web1"))
	two := d.MustApply(t.Context(), vmType, nil, named("web1", inPrivate))
	in := func(o *acctest.Object) object {
		config := named("web1", given{"group_id": o.Get("group_id")})
		delete(config, "group")
		return config
	}
	return []renamed{{one, in(two)}, {two, in(one)}}
}

// slowDestroy returns a shift whose first machine has a guest that does not shut down.
func slowDestroy(n int) func(*testing.T, *acctest.Driver) []renamed {
	return func(t *testing.T, d *acctest.Driver) []renamed {
		wishes := shift(n)(t, d)
		slow := named("web1", given{"shutdown_before_destroy": true, "shutdown_timeout": "3m"})
		wishes[0].o = d.MustApply(t.Context(), vmType, wishes[0].o, slow)
		return wishes
	}
}

// TestNamesWithinOneApply: names go round, however Terraform orders the machines.
func TestNamesWithinOneApply(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		make     func(*testing.T, *acctest.Driver) []renamed
		parallel int
		applies  int
		killed   time.Duration
	}{
		{"exchange", ring(2), 10, 1, 0},
		{"exchange", ring(2), 2, 1, 0},
		{"exchange", ring(2), 1, 3, 0},
		{"places", exchangedPlaces, 10, 1, 0},
		{"places", exchangedPlaces, 1, 3, 0},
		{"shift of 2", shift(2), 1, 3, 0},
		{"shift of 15", shift(15), 10, 1, 0},
		{"shift of 15", shift(15), 2, 3, 0},
		{"shift of 30", shift(30), 30, 1, 0},
		{"shift of 30", shift(30), 10, 2, 0},
		{"shift of 30", shift(30), 1, 3, 0},
		{"ring of 15", ring(15), 10, 1, 0},
		{"ring of 15", ring(15), 1, 3, 0},
		{"slow destroy", slowDestroy(5), 10, 1, 0},
		{"killed", ring(15), 10, 3, 2 * time.Second},
		{"killed", shift(15), 2, 4, 20 * time.Second},
	} {
		for _, order := range []string{"forwards", "backwards", "shuffled"} {
			t.Run(fmt.Sprintf("%s at %d %s", c.name, c.parallel, order), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					d, e := acctest.Drive(t, emulator.Options{Latency: 50 * time.Millisecond, BootTime: 5 * time.Second, ShutdownTime: time.Hour}, nil)
					wishes := c.make(t, d)
					run := terraform{t: t, e: e, parallel: c.parallel, killed: c.killed}
					e.ResetJournal()
					var log []string
					for applies := 1; ; applies++ {
						switch order {
						case "backwards":
							slices.Reverse(wishes)
						case "shuffled":
							rand.Shuffle(len(wishes), func(i, j int) { wishes[i], wishes[j] = wishes[j], wishes[i] })
						}
						failures, longest := run.apply(wishes)
						log = append(log, fmt.Sprintf("%d failed, %s", len(failures), longest.Round(time.Second)))
						for _, text := range failures {
							if run.killed == 0 && !strings.Contains(text, "apply again") {
								t.Errorf("apply %d:\n%s", applies, text)
							}
						}
						if order == "backwards" {
							slices.Reverse(wishes)
						}
						if len(failures) == 0 && run.killed == 0 {
							break
						}
						if applies == c.applies {
							t.Errorf("not done after %d applies: %v\n%s", applies, log, failures[0])
							break
						}
						run.killed = 0
					}
					t.Logf("%s at %d, %s: %v; %d requests", c.name, c.parallel, order, log, len(e.AllCalls()))
					run.expectNames(wishes)
				})
			})
		}
	}
}
