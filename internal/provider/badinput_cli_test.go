package provider_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestBadProviderBlockAsTheCLIShowsIt reads what is wrong with the way to the
// service as a user does.
func TestBadProviderBlockAsTheCLIShowsIt(t *testing.T) {
	e, secure := acctest.StartEmulator(t, emulator.Options{}), tlsEmulator(t)
	const machine = "resource \"cloudserver_vm\" \"web\" {\n  name = \"web1\"\n  account = \"demo\"\n}\n"
	step := func(body, lines string, says ...string) resource.TestStep {
		return resource.TestStep{
			Config:      fmt.Sprintf("provider \"cloudserver\" {\n  max_retries = 0\n%s\n}\n%s", lines, body),
			ExpectError: acctest.Rendered(says...),
		}
	}
	at := func(url, lines string) string { return fmt.Sprintf("  endpoint = %q\n%s", url, lines) }
	const definitions = "data \"cloudserver_definitions\" \"all\" {}\n"
	acctest.UnitTest(t, resource.TestCase{Steps: []resource.TestStep{
		step(definitions, "", "Error: Missing endpoint", "with provider", "Set endpoint in the provider block, or CLOUDSERVER_ENDPOINT in the environment",
			"terraform-provider-cloudserver -emulator 127.0.0.1:8787"),
		step(definitions, at("api.example.com", ""), "Error: Invalid endpoint", `endpoint = "api.example.com"`, "endpoint must be a URL such as https://api.example.com"),
		step(definitions, at(e.URL, `  username = "demo"`), "Error: Incomplete credentials", "There is a username but no password.", "or use token or token_file instead."),
		step(definitions, at(e.URL, "  token = \"a\"\n  username = \"b\"\n  password = \"c\""), "Error: Conflicting credentials", `token = "a"`, "Remove one of them."),
		step(definitions, at(secure.URL, ""), "Error: Cannot read the service's definitions", "is not trusted:", "if it was issued by an authority of your own, set ca_certificate."),
		step(machine, at(e.URL, `  token = "expired"`), "Error: Cannot check the plan",
			"The service does not accept the configured token: it may have expired or been revoked: GET", "answered 401 Unauthorized",
			"Set or correct the credentials:", "A session ends five minutes after its last use"),
		step(machine, at(e.URL, "  username = \"demo\"\n  password = \"wrong\""), "Error: Cannot check the plan",
			"refuses the username or the password: POST /session answered 403 Forbidden: Bad login credentials.", "Set or correct the credentials:"),
	}})
	if machines := e.Machines(); len(machines) > 0 {
		t.Errorf("machines were created: %v", machines)
	}
}
