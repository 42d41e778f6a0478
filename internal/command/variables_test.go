package command_test

import (
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/command"
)

// TestInVariables: a command's messages name the variables that its user can change, and no provider block.
func TestInVariables(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Check that endpoint in the provider block, or CLOUDSERVER_ENDPOINT in the environment, is the address of the service, and that it can be reached from here. Set plan_checks = false in the provider block to plan without the service.": "Check that CLOUDSERVER_ENDPOINT in the environment is the address of the service, and that it can be reached from here.",
		"Set account here, in the provider block, or in CLOUDSERVER_ACCOUNT.":               "Set CLOUDSERVER_ACCOUNT in the environment.",
		"correct account in the provider block, or CLOUDSERVER_ACCOUNT in the environment.": "correct CLOUDSERVER_ACCOUNT in the environment.",
		"the service expects HTTPS: set endpoint to an https:// address":                    "the service expects HTTPS: set CLOUDSERVER_ENDPOINT to an https:// address",
		"cannot open a session at auth_endpoint, https://auth.example.com":                  "cannot open a session at CLOUDSERVER_AUTH_ENDPOINT, https://auth.example.com",
		"the endpoint of a session":          "the endpoint of a session",
		"CLOUDSERVER_ENDPOINT must be a URL": "CLOUDSERVER_ENDPOINT must be a URL",
	} {
		if got := command.InVariables(text); got != want {
			t.Errorf("%q\nbecomes %q\nwant    %q", text, got, want)
		}
	}
}
