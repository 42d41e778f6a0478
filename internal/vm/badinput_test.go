package vm_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// badInput is one mistake of a user, and what the provider makes of it.
type badInput struct {
	settings map[string]any          // of the provider block
	world    func(*acctest.Emulator) // what is there before
	config   given                   // of the new machine
	at       string                  // the attribute to blame, "" for none
	summary  string                  // what was tried, on what
	says     []string                // what is wrong, and what to do next
	sent     []string                // every request of plan and apply, in the words of asked
}

// TestBadInputIsRefusedAtApply shows what only the service can refuse: the state
// stays empty, and so does the service.
func TestBadInputIsRefusedAtApply(t *testing.T) {
	t.Parallel()
	for name, b := range refusedAtApply() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				settings := map[string]any{"plan_checks": false, "max_retries": 0}
				for name, value := range b.settings {
					settings[name] = value
				}
				d, e := acctest.Drive(t, emulator.Options{}, settings)
				if b.world != nil {
					b.world(e)
				}
				before := e.Machines()
				o, diags := d.Apply(t.Context(), vmType, d.Plan(t.Context(), vmType, nil, configured(b.config)))
				if o != nil {
					t.Errorf("there is something in the state: %v", o.Get(""))
				}
				if diff := cmp.Diff(before, e.Machines()); diff != "" {
					t.Errorf("the service has changed (-before +after)\n%s", diff)
				}
				b.check(t, acctest.Errors(diags))
				b.checkSent(t, e)
			})
		})
	}
}

// check wants one error, at the attribute and with the words.
func (b badInput) check(t *testing.T, diags []*tfprotov6.Diagnostic) {
	t.Helper()
	text := acctest.DiagText(diags)
	head := "error: "
	if b.at != "" {
		head = "error at " + b.at + ": "
	}
	if len(diags) != 1 || !strings.HasPrefix(text, head+b.summary+"\n") {
		t.Errorf("want one %s%s\ngot\n%s", head, b.summary, text)
	}
	for _, phrase := range b.says {
		if !strings.Contains(text, phrase) {
			t.Errorf("want %q in\n%s", phrase, text)
		}
	}
}

func (b badInput) checkSent(t *testing.T, e *acctest.Emulator) {
	t.Helper()
	if got := asked(e); !slices.Equal(got, b.sent) {
		t.Errorf("sent\n %q, want\n %q", got, b.sent)
	}
}

// asked are all requests, without the query, and without what all paths of a
// group begin with.
func asked(e *acctest.Emulator) []string {
	var calls []string
	for _, call := range e.AllCalls() {
		call, _, _ = strings.Cut(call, "?")
		method, path, _ := strings.Cut(call, " ")
		for _, group := range []string{emulator.DefaultGroup, emulator.PrivateGroup} {
			path = strings.TrimPrefix(path, "/accounts/"+emulator.DemoAccount+"/groups/"+group+"/")
		}
		calls = append(calls, method+" "+path)
	}
	return calls
}
