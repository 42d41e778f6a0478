package acctest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

const thingType = "probe_thing"

func probeServer(w *world) tfprotov6.ProviderServer {
	return providerserver.NewProtocol6(&probe{world: w})()
}

func probeDriver(t testing.TB, w *world) *acctest.Driver {
	t.Helper()
	return acctest.NewDriver(t, probeServer(w), nil)
}

func discs(labels ...string) []map[string]any {
	blocks := []map[string]any{}
	for _, label := range labels {
		blocks = append(blocks, map[string]any{"label": label})
	}
	return blocks
}

func equal[T comparable](t *testing.T, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

// witness is a test that notes its failures instead of failing.
type witness struct {
	testing.TB
	failures []string
}

func (w *witness) Errorf(format string, args ...any) {
	w.failures = append(w.failures, fmt.Sprintf(format, args...))
}

func (w *witness) Error(args ...any) { w.failures = append(w.failures, fmt.Sprint(args...)) }

func TestDriverFailsTheTestWhenTheProviderBreaksCoresRules(t *testing.T) {
	t.Parallel()
	for fault, want := range map[string]string{
		"plan drops blocks":       "disc: 0 are planned, 2 configured",
		"create changes the name": "name: was planned as a, now it is other",
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			seen := &witness{TB: t}
			d := probeDriver(seen, newWorld(fault))
			plan := d.Plan(t.Context(), thingType, nil, map[string]any{"name": "a", "disc": discs("vda", "vdb")})
			if strings.HasPrefix(fault, "create") {
				if _, diags := d.Apply(t.Context(), thingType, plan); acctest.HasErrors(diags) {
					t.Fatal(acctest.DiagText(diags))
				}
			}
			if text := strings.Join(seen.failures, "\n"); !strings.Contains(text, want) {
				t.Errorf("want %q in %q", want, text)
			}
		})
	}
}

// What core keeps of an object after an error.
func TestDriverKeepsWhatCoreKeeps(t *testing.T) {
	t.Parallel()
	before, after := map[string]any{"name": "a"}, map[string]any{"name": "b"}
	for _, tt := range []struct {
		fault        string
		exists       bool // before the change
		config       map[string]any
		want         any // name; an error: nothing is kept
		tainted      bool
		failsAtApply bool
	}{
		{fault: "create fails", config: after, failsAtApply: true},
		{fault: "create fails half-way", config: after, want: "b", tainted: true, failsAtApply: true},
		{fault: "update fails", exists: true, config: after, want: "a", failsAtApply: true},
		{fault: "delete fails", exists: true, want: "a", failsAtApply: true},
		{fault: "destroy refused", exists: true},
	} {
		t.Run(tt.fault, func(t *testing.T) {
			t.Parallel()
			w := newWorld(tt.fault)
			d := probeDriver(t, w)
			var prior *acctest.Object
			if tt.exists {
				prior = d.MustApply(t.Context(), thingType, nil, before)
			}
			plan := d.Plan(t.Context(), thingType, prior, tt.config)
			equal(t, plan.Action == acctest.ActionError, !tt.failsAtApply)
			if !tt.failsAtApply {
				equal(t, len(plan.Errors()), 1)
				return
			}
			o, diags := d.Apply(t.Context(), thingType, plan)
			equal(t, acctest.HasErrors(diags), true)
			if tt.want == nil {
				equal(t, o == nil, true)
				return
			}
			equal(t, o.Get("name"), tt.want)
			equal(t, o.Tainted, tt.tainted)
			clear(w.faults)
			equal(t, d.MustApply(t.Context(), thingType, o, after).Get("name"), any("b"))
			equal(t, len(w.things), 1)
		})
	}
}
