// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Emulator runs an emulator of the service in this process. The zero value runs none.
type Emulator struct {
	// Open returns the transport for an endpoint that begins with emulator:, and the file of its world. It returns an
	// error if the endpoint is invalid, and touches no file.
	Open func(endpoint string) (transport http.RoundTripper, world string, err error)
	// Account is the default account.
	Account string
}

// isEmulated reports whether an endpoint names an emulator in this process.
func isEmulated(endpoint string) bool { return strings.HasPrefix(endpoint, "emulator:") }

// withoutCredentials returns the block without the settings for reaching a service. The emulator needs no credentials,
// and none may get into a file of its own.
func (m model) withoutCredentials() model {
	m.Token, m.TokenFile, m.Username, m.Password = types.StringNull(), types.StringNull(), types.StringNull(),
		types.StringNull()
	m.AuthEndpoint, m.SessionValidity, m.CACertificate, m.AllowHTTP = types.StringNull(), types.StringNull(),
		types.StringNull(), types.BoolNull()
	return m
}

// emulate directs the client to the emulator.
func (s *settings) emulate(m model, endpoint string, emulator Emulator, diags *diag.Diagnostics) {
	transport, world, err := emulator.Open(endpoint)
	if err != nil {
		blamed := "endpoint"
		if m.Endpoint.IsNull() {
			blamed = "CLOUDSERVER_ENDPOINT in the environment"
		}
		diags.AddAttributeError(
			path.Root("endpoint"), "Invalid endpoint", fmt.Sprintf("%s is %q: %s.", blamed, endpoint, err),
		)
	}
	s.world = world
	// No connection is made to this address: the transport answers.
	s.client.Endpoint, s.client.AllowHTTP, s.client.Transport = "http://emulator", true, transport
	s.client.ShownEndpoint = "emulator:" + world
	// The emulator accepts everybody. With a user, sessions can be opened and renewed as with a service.
	s.client.Token, s.client.Username, s.client.Password = "apikey.of-the-emulator", "emulator", "password-of-the-emulator"
	if s.account.IsNull() {
		s.account = types.StringValue(emulator.Account)
	}
}

// warnEmulated warns that nothing is real. The summary is always the same, so that the CLI shows the warning once.
func warnEmulated(world string, diags *diag.Diagnostics) {
	diags.AddAttributeWarning(path.Root("endpoint"), "The service is emulated",
		fmt.Sprintf("Nothing is real: all of it is in %s.", world))
}
