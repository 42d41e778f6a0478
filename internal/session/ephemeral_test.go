// SPDX-License-Identifier: MPL-2.0

package session_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

const sessionType = "cloudserver_session"

func TestMain(m *testing.M) { acctest.Main(m) }

// withCredentials returns provider settings with a user's password instead of a token.
func withCredentials() map[string]any {
	return map[string]any{"token": nil, "username": emulator.DemoUser, "password": emulator.DemoPassword}
}

// TestSessionIsKeptOpen: a session that is renewed lasts an hour, twelve times its lifetime.
func TestSessionIsKeptOpen(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ settings, config map[string]any }{
		"of the provider": {withCredentials(), nil},
		"of its own":      {nil, map[string]any{"username": emulator.DemoUser, "password": emulator.DemoPassword}},
		"of its own service": {nil, map[string]any{
			"username": emulator.DemoUser, "password": emulator.DemoPassword, "auth_endpoint": "http://127.0.0.1",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx := t.Context()
				d, e := acctest.Drive(t, emulator.Options{}, test.settings)
				open, diags := d.Open(ctx, sessionType, test.config)
				if acctest.HasErrors(diags) {
					t.Fatal(acctest.DiagText(diags))
				}
				token := open.Get("token")
				started, renewals := time.Now(), 0
				for ; time.Since(started) < time.Hour; renewals++ {
					if left := time.Until(open.RenewAt); left <= 0 || left >= 5*time.Minute {
						t.Fatalf("renewal is due in %v", left)
					}
					time.Sleep(time.Until(open.RenewAt))
					if open, diags = d.Renew(ctx, open); acctest.HasErrors(diags) {
						t.Fatal(acctest.DiagText(diags))
					}
				}
				if calls := e.AllCalls(); len(calls) != 1+renewals || calls[0] != "POST /session" || calls[1] != "GET /session/…" {
					t.Errorf("%d renewals, requests: %v", renewals, calls)
				}
				used := e.NewDriver(t, map[string]any{"token": token})
				if o, diags := used.ReadData(ctx, "cloudserver_account", nil); acctest.HasErrors(diags) || o.Get("name") != "demo" {
					t.Errorf("with the token: %s", acctest.DiagText(diags))
				}
				if diags := d.Close(ctx, open); len(diags) > 0 {
					t.Errorf("close: %s", acctest.DiagText(diags))
				}
			})
		})
	}
}

func TestSessionThatEndedEarly(t *testing.T) {
	t.Parallel()
	d, e := acctest.Drive(t, emulator.Options{}, withCredentials())
	open, diags := d.Open(t.Context(), sessionType, nil)
	if acctest.HasErrors(diags) {
		t.Fatal(acctest.DiagText(diags))
	}
	token, _ := open.Get("token").(string)
	e.ExpireSessions()
	_, diags = d.Renew(t.Context(), open)
	if text := acctest.DiagText(diags); !strings.Contains(text, "Cannot renew a session\nThe service does not know the session any more") || token == "" || strings.Contains(text, token) {
		t.Errorf("got:\n%s", text)
	}
}

func TestSessionRefused(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		settings, config map[string]any
		want             string
	}{
		"a wrong password": {
			config: map[string]any{"username": "demo", "password": "hunter22"},
			want:   "Bad login credentials. Set or correct username and password of this block.",
		},
		"a token alone": {want: "A session is opened with a username and password, and none are configured"},
		"half of the credential": {
			config: map[string]any{"username": "demo"},
			want:   "These attributes must be configured together: [username,password]",
		},
		"a second factor": {
			config: map[string]any{"username": "careful", "password": "hunter22"},
			want:   "run terraform-provider-cloudserver login, which asks for the code and writes a session for token_file, or use an API key",
		},
		"a service that is none": {
			config: map[string]any{"username": "demo", "password": "hunter22", "auth_endpoint": "nowhere"},
			want:   "auth_endpoint",
		},
		"a provider to be known": {
			settings: map[string]any{"endpoint": acctest.Unknown},
			want:     "Cannot open a session",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, e := acctest.Drive(t, emulator.Options{}, test.settings)
			e.AddUser(emulator.User{Name: "careful", Password: "hunter22", SecondFactor: true, Codes: []string{"123456"}})
			_, diags := d.Open(t.Context(), sessionType, test.config)
			if text := acctest.DiagText(diags); !strings.Contains(strings.Join(strings.Fields(text), " "), test.want) || strings.Contains(text, "hunter22") {
				t.Errorf("want %q in:\n%s", test.want, text)
			}
			if calls := e.AllCalls(); len(slices.Compact(calls)) > 1 {
				t.Errorf("requests: %v", calls)
			}
		})
	}
}
