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
		"it is a page for a browser, not JSON; check that endpoint is the base address":     "it is a page for a browser, not JSON; check that CLOUDSERVER_ENDPOINT is the base address",
		"Remove the path from endpoint, or correct it.":                                     "Remove the path from CLOUDSERVER_ENDPOINT, or correct it.",
		"if it was issued by an authority of your own, set ca_certificate, or CLOUDSERVER_CA_CERTIFICATE. The environment has CLOUDSERVER_CA_CERT, which the provider does not know": "if it was issued by an authority of your own, set CLOUDSERVER_CA_CERTIFICATE. The environment has CLOUDSERVER_CA_CERT, which the provider does not know",
		"answered 404 Not Found: no such endpoint":                                          "answered 404 Not Found: no such endpoint", // the service's own words
		"CLOUDSERVER_ENDPOINT must not contain a user; use token, or username and password": "CLOUDSERVER_ENDPOINT must not contain a user; use CLOUDSERVER_TOKEN, or CLOUDSERVER_USERNAME and CLOUDSERVER_PASSWORD",
		"the endpoint of a session":                                                         "the endpoint of a session",
		"CLOUDSERVER_ENDPOINT must be a URL":                                                "CLOUDSERVER_ENDPOINT must be a URL",
	} {
		if got := command.InVariables(text); got != want {
			t.Errorf("%q\nbecomes %q\nwant    %q", text, got, want)
		}
	}
}
