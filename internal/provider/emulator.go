package provider

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Emulator is an emulator of the service in this process. The zero value is none.
type Emulator struct {
	// Open returns what answers the requests to an endpoint that begins with emulator:
	// and the file that it keeps everything in, or what is wrong with the endpoint. It
	// touches no file.
	Open func(endpoint string) (transport http.RoundTripper, world string, err error)
	// Account is the default account, and Domain what every hostname ends with.
	Account, Domain string
}

// isEmulated reports whether an endpoint names an emulator in this process.
func isEmulated(endpoint string) bool { return strings.HasPrefix(endpoint, "emulator:") }

// withoutCredentials returns the block without what is for reaching a service. The
// emulator needs no credentials, and none must get near a file of its own.
func (m model) withoutCredentials() model {
	m.Token, m.TokenFile, m.Username, m.Password = types.StringNull(), types.StringNull(), types.StringNull(), types.StringNull()
	m.AuthEndpoint, m.SessionValidity, m.CACertificate, m.AllowHTTP = types.StringNull(), types.StringNull(), types.StringNull(), types.BoolNull()
	return m
}

// emulate has the client call the emulator.
func (s *settings) emulate(m model, endpoint string, emulator Emulator, diags *diag.Diagnostics) {
	transport, world, err := emulator.Open(endpoint)
	if err != nil {
		blamed := "endpoint"
		if m.Endpoint.IsNull() {
			blamed = "CLOUDSERVER_ENDPOINT in the environment"
		}
		diags.AddAttributeError(path.Root("endpoint"), "Invalid endpoint", fmt.Sprintf("%s is %q: %s.", blamed, endpoint, err))
	}
	s.world = world
	// Nobody is called at this address: the transport has the answers.
	s.client.Endpoint, s.client.AllowHTTP, s.client.Transport = "http://emulator", true, transport
	// It lets everybody in. With a user, sessions can be opened and renewed as with a service.
	s.client.Token, s.client.Username, s.client.Password = "apikey.of-the-emulator", "emulator", "password-of-the-emulator"
	if s.account.IsNull() {
		s.account = types.StringValue(emulator.Account)
	}
}

// warnEmulated says that nothing is real. The summary is always the same, so that the
// CLI shows the warning once.
func warnEmulated(world string, diags *diag.Diagnostics) {
	diags.AddAttributeWarning(path.Root("endpoint"), "The service is emulated",
		fmt.Sprintf("Nothing that this provider configuration manages is real: it exists in %s alone. Credentials are ignored. "+
			"To manage real machines, set endpoint to the base URL of the service.", world))
}
