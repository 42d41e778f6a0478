// SPDX-License-Identifier: MPL-2.0

package e2e_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// slowBoot gives sessions time to end while machines boot.
var slowBoot = emulator.Options{BootTime: 80 * time.Second, ShutdownTime: 80 * time.Second, Latency: 100 * time.Millisecond}

// inBubble runs a test in simulated time.
func inBubble(t *testing.T, options emulator.Options, test func(t *testing.T, w *world)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) { test(t, newWorldWith(t, options)) })
}

// logIns counts the requests for a session.
func (w *world) logIns() (count int) {
	for _, call := range w.service.AllCalls() {
		if call == "POST /session" {
			count++
		}
	}
	return count
}

// TestSessionsEndInALongApply ends the session three times while forty machines are created: each time it is renewed
// once for all of them.
func TestSessionsEndInALongApply(t *testing.T) {
	inBubble(t, slowBoot, func(t *testing.T, w *world) {
		const machines, ends = 40, 3
		d := w.process()
		var all sync.WaitGroup
		for i := range machines {
			all.Go(func() {
				config := web(object{"name": fmt.Sprintf("web%d", i)})
				state, diags := d.Apply(t.Context(), vmType, d.Plan(t.Context(), vmType, nil, config))
				if acctest.HasErrors(diags) || state.Tainted {
					t.Errorf("machine %d:\n%s", i, acctest.DiagText(diags))
				}
			})
		}
		for range ends {
			time.Sleep(20 * time.Second)
			w.service.ExpireSessions()
		}
		all.Wait()
		if got := w.logIns(); got != 1+ends {
			t.Errorf("%d log-ins, want one and one for each end", got)
		}
		if refused := w.answered(http.StatusUnauthorized); refused > ends*machines {
			t.Errorf("%d requests were refused: a storm", refused)
		}
	})
}

// answered counts the requests that were answered with a status.
func (w *world) answered(status int) (count int) {
	for _, request := range w.service.Journal() {
		if request.Status == status {
			count++
		}
	}
	return count
}

// TestTokenEndsInAnApply: a token cannot be renewed. The error explains that, the state contains what exists, and an
// apply with a new token continues.
func TestTokenEndsInAnApply(t *testing.T) {
	for name, before := range map[string]object{"create": nil, "update": web(nil)} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, slowBoot, func(t *testing.T, w *world) {
				w.token = "apikey.first"
				w.service.AddAPIKey(emulator.APIKey{Key: w.token, User: user})
				after := web(object{"cores": 4, "timeouts": object{"update": "10m"}})
				if before != nil {
					if diags := w.apply(before); acctest.HasErrors(diags) {
						t.Fatal(acctest.DiagText(diags))
					}
				}
				machine := w.state.Get("id")
				w.service.AddAPIKey(emulator.APIKey{Key: w.token, User: user, ExpiresAt: time.Now().Add(30 * time.Second)})
				diags := w.apply(after)
				text := acctest.DiagText(acctest.Errors(diags))
				for _, wanted := range []string{`"web1"`, "does not accept the token", "401", "token in the provider block"} {
					if !strings.Contains(text, wanted) {
						t.Errorf("the message lacks %q:\n%s", wanted, text)
					}
				}
				if w.state == nil || before != nil && (w.state.Tainted || w.state.Get("id") != machine) {
					t.Fatalf("the state is not intact: %+v", w.state)
				}
				w.token = "apikey.second"
				w.service.AddAPIKey(emulator.APIKey{Key: w.token, User: user})
				if diags := w.apply(after); acctest.HasErrors(diags) {
					t.Fatalf("with a new token:\n%s", acctest.DiagText(diags))
				}
				w.expectOne(t, 4)
			})
		})
	}
}

// expectOne checks that there is one machine, that it is on, and that the state has it with the number of cores.
func (w *world) expectOne(t *testing.T, cores int64) {
	t.Helper()
	machines := w.service.Machines()
	if len(machines) != 1 || w.state.Get("id") != idOf(machines[0]) || machines[0].Cores != cores || !machines[0].PowerOn {
		t.Errorf("state %v, machines %+v", w.state.Get("id"), machines)
	}
}

// TestAuthEndpointIsDown: the auth endpoint fails when the session ends. An apply outlasts a short failure, and an
// error reports a permanent one.
func TestAuthEndpointIsDown(t *testing.T) {
	for name, test := range map[string]struct {
		back time.Duration // when it works again
		says string
	}{
		"not at all":  {0, ""},
		"for a while": {30 * time.Second, ""},
		"for good":    {time.Hour, "cannot open a session at http://127.0.0.1"},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, slowBoot, func(t *testing.T, w *world) {
				time.AfterFunc(20*time.Second, func() {
					remove := w.service.Inject(emulator.Fault{Status: 503, Match: func(r emulator.Request) bool { return r.Path == "/session" }})
					time.AfterFunc(test.back, remove)
					w.service.ExpireSessions()
				})
				diags := w.apply(web(nil))
				text := acctest.DiagText(diags)
				if len(diags) > 0 != (test.says != "") || !strings.Contains(text, test.says) {
					t.Errorf("it says\n%s", text)
				}
				if w.state == nil {
					t.Fatal("the machine is not tracked")
				}
				time.Sleep(time.Hour)
				if diags := w.apply(web(nil)); acctest.HasErrors(diags) {
					t.Errorf("the next apply:\n%s", acctest.DiagText(diags))
				}
				w.expectOne(t, 2)
			})
		})
	}
}
