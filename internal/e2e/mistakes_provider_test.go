package e2e_test

import (
	"net/http"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// settings returns a provider block with these lines.
func settings(lines string) string { return "provider \"cloudserver\" {\n" + indent(lines) + "}\n" }

func providerBlock() []mistake {
	return []mistake{
		{title: "No endpoint", config: settings(`endpoint = null`)},
		{title: "No machine may be unavailable", config: settings(`max_unavailable = 0`)},
		{title: "An endpoint without a scheme", config: settings(`endpoint = "api.example.com"`)},
		{title: "An endpoint without a scheme, in the environment", env: map[string]string{"CLOUDSERVER_ENDPOINT": "api.example.com"}, config: `provider "cloudserver" {}`},
		{title: "An endpoint with a user and a password", config: settings(`endpoint = "https://demo:secret@api.example.com"`)},
		{title: "Plain HTTP to another host", config: settings(`endpoint = "http://api.example.com"`)},
		{title: "A token and a password", config: settings("token = \"apikey.demo\"\nusername = \"demo\"\npassword = \"demo\"")},
		{title: "A token and a token file", config: settings("token = \"apikey.demo\"\ntoken_file = \"/run/secrets/token\"")},
		{title: "A username without a password", config: settings("token = null\nusername = \"demo\"")},
		{title: "A token file that does not exist", config: settings("token = null\ntoken_file = \"/nowhere/token\"") + machine},
		{title: "A certificate that does not exist", config: settings(`ca_certificate = "/nowhere/ca.pem"`)},
		{title: "A duration without a unit", config: settings(`request_timeout = "30"`)},
	}
}

const machine = `
resource "cloudserver_vm" "web" {
  name = "web1"

  disc {
    label = "vda"
    size  = 25600
  }
}`

func reaching() []mistake {
	inject := func(fault emulator.Fault) func(*acctest.Emulator, int64) {
		return func(e *acctest.Emulator, _ int64) { e.Inject(fault) }
	}
	return []mistake{
		{title: "No credentials", config: settings(`token = null`) + machine},
		{title: "A wrong token", config: settings(`token = "apikey.wrong"`) + machine},
		{title: "A wrong password", config: settings("token = null\nusername = \"demo\"\npassword = \"wrong\"") + machine},
		{title: "A user with a second factor", config: settings("token = null\nusername = \"careful\"\npassword = \"careful\"") + machine, world: func(e *acctest.Emulator, _ int64) {
			e.AddUser("careful", "careful", "123456")
		}},
		{title: "Credentials without permission", config: machine, world: inject(emulator.Fault{Status: http.StatusForbidden, Body: "not permitted"})},
		{title: "Nothing listens there", socket: true, config: settings(`endpoint = "http://127.0.0.1:9"`) + machine},
		{title: "HTTPS where the service speaks HTTP", socket: true, config: settings(`endpoint = "https://${emulator}"`) + machine},
		{title: "An account that is not visible", config: settings(`account = "dmeo"`) + machine},
		{title: "No account", config: settings(`account = null`) + machine},
		{title: "A service that is down for a moment", config: machine, world: inject(emulator.Fault{Status: http.StatusServiceUnavailable, Body: "back soon"})},
		{title: "The page of a proxy instead of the service", config: machine, world: inject(emulator.Fault{
			Status: http.StatusOK, Header: http.Header{"Content-Type": {"text/html"}}, Body: "<html><title>Please log in</title></html>",
		})},
	}
}
