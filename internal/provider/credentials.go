// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/providervalidator"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// resolveCredentials sets a token, a token file, or a user with a password. If the configuration contains credentials,
// the environment's are ignored.
func resolveCredentials(m model, s *settings, diags *diag.Diagnostics) {
	username := fromEnvironment(m.Username, "CLOUDSERVER_USERNAME")
	password := fromEnvironment(m.Password, "CLOUDSERVER_PASSWORD")
	switch {
	case !m.Token.IsNull():
		s.client.Token, s.client.TokenFrom = m.Token.ValueString(), "token in the provider block"
	case !m.TokenFile.IsNull():
		if s.client.TokenFile = m.TokenFile.ValueString(); refuseHome(m, "token_file", s.client.TokenFile, diags) {
			return
		}
	case !m.Username.IsNull() || !m.Password.IsNull():
		const kind = "CLOUDSERVER_PASSWORD"
		if m.Password.IsNull() && os.Getenv(kind) != "" && refuseOtherService(m, kind, diags) {
			return
		}
		setUser(s, username, password, diags)
	default:
		kinds := credentialsOfEnvironment()
		if len(kinds) > 1 {
			diags.AddError("Conflicting credentials",
				fmt.Sprintf("The environment has %s. Unset all but one of them, or set one in the provider block.", strings.Join(kinds, " and ")))
			return
		}
		if len(kinds) == 1 && refuseOtherService(m, kinds[0], diags) {
			return
		}
		setUser(s, username, password, diags)
		s.client.TokenFile = os.Getenv("CLOUDSERVER_TOKEN_FILE")
		refuseHome(m, "token_file", s.client.TokenFile, diags)
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
// another host or port that the block names. kind is the variable of the credentials. Only a user and password are sent
// to auth_endpoint.
func refuseOtherService(m model, kind string, diags *diag.Diagnostics) bool {
	own := os.Getenv("CLOUDSERVER_ENDPOINT")
	if own == "" {
		return false
	}
	if refuseOtherHost("endpoint", m.Endpoint, own, kind, diags) {
		return true
	}
	isUser := kind == "CLOUDSERVER_USERNAME" || kind == "CLOUDSERVER_PASSWORD"
	issuer := cmp.Or(os.Getenv("CLOUDSERVER_AUTH_ENDPOINT"), own)
	return isUser && refuseOtherHost("auth_endpoint", m.AuthEndpoint, issuer, kind, diags)
}

// refuseOtherHost reports an error and true if an argument of the block has another host or port than the environment.
// An unknown argument is judged when it is known.
func refuseOtherHost(field string, configured types.String, own, kind string, diags *diag.Diagnostics) bool {
	if !tfkit.Given(configured) || hostOf(configured.ValueString()) == hostOf(own) {
		return false
	}
	diags.AddAttributeError(path.Root(field), "Credentials of another service",
		fmt.Sprintf("%s in the environment belongs to %q, and %s in the provider block is %q. "+
			"Set token, token_file, or username and password in this provider block.",
			kind, hostOf(own), field, hostOf(configured.ValueString())))
	return true
}

// hostOf returns the host of a base URL, with its port unless that is the one of the scheme, without a user or password.
func hostOf(endpoint string) string {
	base, err := url.Parse(strings.TrimSpace(endpoint))
	if err != nil {
		return ""
	}
	return cloudserver.Host(base)
}

// refuseHome reports an error and true for a file below ~, which only shells expand.
func refuseHome(m model, field, file string, diags *diag.Diagnostics) bool {
	if !strings.HasPrefix(file, "~") {
		return false
	}
	instead := fmt.Sprintf("pathexpand(%q)", file)
	if variableOf(m, field) != "" {
		instead = "$HOME" + strings.TrimPrefix(file, "~") + ", without single quotes"
	}
	diags.AddAttributeError(path.Root(field), "Invalid "+field,
		fmt.Sprintf("%s is %q. Only shells expand ~: write %s.", sourceOf(m, field), file, instead))
	return true
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

var _ provider.ProviderWithConfigValidators = (*cloudserverProvider)(nil)

// ConfigValidators refuses a block with two kinds of credentials.
func (p *cloudserverProvider) ConfigValidators(context.Context) []provider.ConfigValidator {
	token, file, username := path.MatchRoot("token"), path.MatchRoot("token_file"), path.MatchRoot("username")
	return []provider.ConfigValidator{
		providervalidator.Conflicting(token, file),
		providervalidator.Conflicting(token, username),
		providervalidator.Conflicting(file, username),
	}
}
