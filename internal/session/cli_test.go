package session_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/echoprovider"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// issued collects the sessions that the emulator issues.
type issued struct {
	mu     sync.Mutex
	tokens []string
}

func watch(e *acctest.Emulator) *issued {
	i := &issued{}
	e.Inject(emulator.Fault{
		Match: func(r emulator.Request) bool { return r.Method == http.MethodPost && r.Path == "/session" },
		Rewrite: func(status int, header http.Header, body []byte) (int, http.Header, []byte) {
			i.mu.Lock()
			defer i.mu.Unlock()
			i.tokens = append(i.tokens, string(body))
			return status, header, body
		},
	})
	return i
}

func (i *issued) all() []string {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.tokens
}

// TestTokenOfAnotherProvider: the session makes another provider block work, and
// is in no state.
func TestTokenOfAnotherProvider(t *testing.T) {
	e := acctest.StartEmulator(t, emulator.Options{})
	sessions := watch(e)
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
			if !strings.Contains(string(text), `"team"`) || len(sessions.all()) == 0 {
				return fmt.Errorf("no group in %s, or no session", text)
			}
			for _, token := range sessions.all() {
				if strings.Contains(string(text), token) {
					return fmt.Errorf("a session is in the state")
				}
			}
			return nil
		},
	}}})
}

// TestResultThroughTheCLI: what a configuration reads of the session is what the
// service gave out.
func TestResultThroughTheCLI(t *testing.T) {
	e := acctest.StartEmulator(t, emulator.Options{})
	sessions := watch(e)
	factories := acctest.ProtoV6ProviderFactories()
	factories["echo"] = echoprovider.NewProviderServer()
	acctest.UnitTest(t, resource.TestCase{
		ProtoV6ProviderFactories: factories,
		Steps: []resource.TestStep{{
			Config: e.ProviderBlock() + fmt.Sprintf(`
				ephemeral "cloudserver_session" "ci" {
					username = %q
					password = %q
				}
				provider "echo" { data = ephemeral.cloudserver_session.ci.token }
				resource "echo" "session" {}
			`, emulator.DemoUser, emulator.DemoPassword),
			Check: resource.TestCheckResourceAttrWith("echo.session", "data", func(value string) error {
				for _, token := range sessions.all() {
					if value == token {
						return nil
					}
				}
				return fmt.Errorf("the token is none of the %d sessions that were given out", len(sessions.all()))
			}),
		}},
	})
}
