package session_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestTokenOfAnotherProvider: the session makes another provider block work, and
// is in no state.
func TestTokenOfAnotherProvider(t *testing.T) {
	e := acctest.StartEmulator(t, emulator.Options{})
	var mu sync.Mutex
	var sessions []string // those that were given out
	e.Inject(emulator.Fault{
		Match: func(r emulator.Request) bool { return r.Method == http.MethodPost && r.Path == "/session" },
		Rewrite: func(status int, header http.Header, body []byte) (int, http.Header, []byte) {
			mu.Lock()
			defer mu.Unlock()
			sessions = append(sessions, string(body))
			return status, header, body
		},
	})
	config := fmt.Sprintf(`
		provider "cloudserver" {
			endpoint = %[1]q
			username = %[2]q
			password = %[3]q
		}
		ephemeral "cloudserver_session" "ci" {}
		provider "cloudserver" {
			alias    = "with_session"
			endpoint = %[1]q
			token    = ephemeral.cloudserver_session.ci.token
			account  = "demo"
		}
		resource "cloudserver_group" "team" {
			provider = cloudserver.with_session
			name     = "team"
		}
	`, e.URL, emulator.DemoUser, emulator.DemoPassword)
	acctest.UnitTest(t, resource.TestCase{Steps: []resource.TestStep{{
		Config: config,
		Check: func(s *terraform.State) error {
			text, err := json.Marshal(s)
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			if !strings.Contains(string(text), `"team"`) || len(sessions) == 0 {
				return fmt.Errorf("no group in %s, or no session", text)
			}
			if slices.ContainsFunc(sessions, func(token string) bool { return strings.Contains(string(text), token) }) {
				return errors.New("a session is in the state")
			}
			return nil
		},
	}}})
}
