package provider

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

const conflictingCredentials = "Conflicting credentials"

// resolveCredentials sets a token, a token file, or a user with a password. If the configuration contains credentials,
// the environment's are ignored.
func resolveCredentials(m model, s *settings, diags *diag.Diagnostics) {
	username := fromEnvironment(m.Username, "CLOUDSERVER_USERNAME")
	password := fromEnvironment(m.Password, "CLOUDSERVER_PASSWORD")
	switch {
	case !m.Token.IsNull():
		s.client.Token, s.client.TokenFrom = m.Token.ValueString(), "token in the provider block"
	case !m.TokenFile.IsNull():
		s.client.TokenFile = m.TokenFile.ValueString()
	case !m.Username.IsNull() || !m.Password.IsNull():
		const kind = "CLOUDSERVER_PASSWORD"
		if m.Password.IsNull() && os.Getenv(kind) != "" && refuseOtherService(m, kind, diags) {
			return
		}
		setUser(s, username, password, diags)
	default:
		kinds := credentialsOfEnvironment()
		if len(kinds) > 1 {
			diags.AddError(conflictingCredentials,
				fmt.Sprintf("The environment has %s. Unset all but one of them, or set one in the provider block.", strings.Join(kinds, " and ")))
			return
		}
		if len(kinds) == 1 && refuseOtherService(m, kinds[0], diags) {
			return
		}
		setUser(s, username, password, diags)
		s.client.TokenFile = os.Getenv("CLOUDSERVER_TOKEN_FILE")
		if token := os.Getenv("CLOUDSERVER_TOKEN"); token != "" {
			s.client.Token, s.client.TokenFrom = token, "CLOUDSERVER_TOKEN in the environment"
		}
	}
}

// credentialsOfEnvironment returns the variables of each kind of credentials that is set in the environment.
func credentialsOfEnvironment() []string {
	var kinds []string
	for _, kind := range [][]string{{"CLOUDSERVER_TOKEN"}, {"CLOUDSERVER_TOKEN_FILE"}, {"CLOUDSERVER_USERNAME", "CLOUDSERVER_PASSWORD"}} {
		if i := slices.IndexFunc(kind, func(name string) bool { return os.Getenv(name) != "" }); i >= 0 {
			kinds = append(kinds, kind[i])
		}
	}
	return kinds
}

// refuseOtherService reports an error and true if the environment names a service, and its credentials would be sent to
// another one that the block names. kind is the variable of the credentials. Only a user and password are sent to
// auth_endpoint.
func refuseOtherService(m model, kind string, diags *diag.Diagnostics) bool {
	variable, own := "CLOUDSERVER_ENDPOINT", os.Getenv("CLOUDSERVER_ENDPOINT")
	if own == "" {
		return false
	}
	if refuseOtherHost("endpoint", m.Endpoint, kind, variable, own, diags) {
		return true
	}
	if kind == "CLOUDSERVER_TOKEN" || kind == "CLOUDSERVER_TOKEN_FILE" {
		return false
	}
	if auth := os.Getenv("CLOUDSERVER_AUTH_ENDPOINT"); auth != "" {
		variable, own = "CLOUDSERVER_AUTH_ENDPOINT", auth
	}
	return refuseOtherHost("auth_endpoint", m.AuthEndpoint, kind, variable, own, diags)
}

// refuseOtherHost reports an error and true if an argument of the block names another host or port than a variable of
// the environment. An unknown argument is judged when it is known.
func refuseOtherHost(field string, configured types.String, kind, variable, own string, diags *diag.Diagnostics) bool {
	if !tfkit.Given(configured) || hostOf(configured.ValueString()) == hostOf(own) {
		return false
	}
	diags.AddAttributeError(path.Root(field), "Credentials of another service",
		fmt.Sprintf("%s in the provider block is %q, and %s in the environment is %q. "+
			"%s belongs to the service of the environment, and would be sent to the other one. "+
			"Set token, token_file, or username and password in this provider block.",
			field, hostOf(configured.ValueString()), variable, hostOf(own), kind))
	return true
}

// hostOf returns the host and port of a base URL, without a user or password.
func hostOf(endpoint string) string {
	base, err := url.Parse(strings.TrimSpace(endpoint))
	if err != nil {
		return ""
	}
	return strings.ToLower(base.Host)
}

func setUser(s *settings, username, password types.String, diags *diag.Diagnostics) {
	pairUp(diags, "username", username, "password", password, "CLOUDSERVER_PASSWORD")
	pairUp(diags, "password", password, "username", username, "CLOUDSERVER_USERNAME")
	s.client.Username, s.client.Password = username.ValueString(), password.ValueString()
}

func pairUp(diags *diag.Diagnostics, have string, value types.String, lack string, other types.String, env string) {
	if value.IsNull() || !other.IsNull() {
		return
	}
	diags.AddAttributeError(path.Root(lack), "Incomplete credentials",
		fmt.Sprintf("There is a %s but no %s. Set %s in the provider block, or %s in the environment; or use token or token_file instead.",
			have, lack, lack, env))
}

var _ provider.ProviderWithValidateConfig = (*cloudserverProvider)(nil)

// ValidateConfig refuses a block with two kinds of credentials. Unknown values may turn out to be null, so they are
// accepted.
func (p *cloudserverProvider) ValidateConfig(
	ctx context.Context, req provider.ValidateConfigRequest, resp *provider.ValidateConfigResponse,
) {
	var m model
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	user := tfkit.Given(m.Username) || tfkit.Given(m.Password)
	switch {
	case tfkit.Given(m.Token) && user:
		resp.Diagnostics.AddAttributeError(path.Root("token"), conflictingCredentials,
			"The provider block has both token and one of username and password. Remove one of them.")
	case tfkit.Given(m.TokenFile) && (user || tfkit.Given(m.Token)):
		resp.Diagnostics.AddAttributeError(path.Root("token_file"), conflictingCredentials,
			"The provider block has both token_file and one of token, username and password. Remove one of them.")
	}
}
