package provider

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

const defaultGroup = "default"

// settings is the provider block after environment and defaults.
type settings struct {
	client         cloudserver.Config
	account, group types.String
	planChecks     bool
	unknown        []string
}

// resolve applies the precedence: configuration, environment, default.
func resolve(m model, diags *diag.Diagnostics) settings {
	var s settings
	s.unknown = unknownArguments(m)
	s.account = fromEnvironment(m.Account, "CLOUDSERVER_ACCOUNT")
	s.group = fromEnvironment(m.Group, "CLOUDSERVER_GROUP")
	if s.group.IsNull() {
		s.group = types.StringValue(defaultGroup)
	}
	s.planChecks = m.PlanChecks.IsNull() || m.PlanChecks.ValueBool()

	s.client.Endpoint = fromEnvironment(m.Endpoint, "CLOUDSERVER_ENDPOINT").ValueString()
	if s.client.Endpoint == "" && !m.Endpoint.IsUnknown() {
		diags.AddAttributeError(path.Root("endpoint"), "The service's address is missing",
			"Set endpoint in the provider block, or CLOUDSERVER_ENDPOINT in the environment, to the base address of the service's HTTP API. "+
				"To try the provider without an account, start its emulator: terraform-provider-cloudserver -emulator 127.0.0.1:8787")
	}
	s.client.AuthEndpoint = fromEnvironment(m.AuthEndpoint, "CLOUDSERVER_AUTH_ENDPOINT").ValueString()
	s.client.AllowHTTP = m.AllowHTTP.ValueBool()
	s.client.CACertificate = certificate(fromEnvironment(m.CACertificate, "CLOUDSERVER_CA_CERTIFICATE").ValueString(), diags)
	if tfkit.Given(m.RequestTimeout) {
		timeout, err := tfkit.ParseDuration(m.RequestTimeout.ValueString())
		if err != nil {
			diags.AddAttributeError(path.Root("request_timeout"), "Invalid duration", err.Error()+".")
		}
		s.client.RequestTimeout = timeout
	}
	if tfkit.Given(m.MaxRetries) {
		retries := int(m.MaxRetries.ValueInt64())
		s.client.MaxRetries = &retries
	}
	resolveCredentials(m, &s, diags)
	return s
}

// resolveCredentials takes either a token or a user with a password. What the
// configuration chooses makes the other choice's environment irrelevant.
func resolveCredentials(m model, s *settings, diags *diag.Diagnostics) {
	token := fromEnvironment(m.Token, "CLOUDSERVER_TOKEN")
	username := fromEnvironment(m.Username, "CLOUDSERVER_USERNAME")
	password := fromEnvironment(m.Password, "CLOUDSERVER_PASSWORD")
	otp := fromEnvironment(m.OTP, "CLOUDSERVER_OTP")
	configuredUser := !m.Username.IsNull() || !m.Password.IsNull()
	switch {
	case !m.Token.IsNull():
		s.client.Token = token.ValueString()
		return
	case configuredUser:
		token = types.StringNull()
	}
	if !token.IsNull() && (!username.IsNull() || !password.IsNull()) {
		diags.AddError("Two ways to sign in",
			"The environment has both CLOUDSERVER_TOKEN and CLOUDSERVER_USERNAME or CLOUDSERVER_PASSWORD. Unset one of them, or choose in the provider block.")
		return
	}
	pairUp(diags, "username", username, "password", password, "CLOUDSERVER_PASSWORD")
	pairUp(diags, "password", password, "username", username, "CLOUDSERVER_USERNAME")
	s.client.Token = token.ValueString()
	s.client.Username = username.ValueString()
	s.client.Password = password.ValueString()
	s.client.OTP = otp.ValueString()
}

func pairUp(diags *diag.Diagnostics, have string, value types.String, lack string, other types.String, env string) {
	if value.IsNull() || !other.IsNull() {
		return
	}
	diags.AddAttributeError(path.Root(lack), "Half of the credentials are missing",
		fmt.Sprintf("There is a %s but no %s. Set %s in the provider block, or %s in the environment; or use token instead of both.", have, lack, lack, env))
}

// fromEnvironment gives the configured value, known or not, or else the
// environment's.
func fromEnvironment(value types.String, name string) types.String {
	if !value.IsNull() {
		return value
	}
	if text := os.Getenv(name); text != "" {
		return types.StringValue(text)
	}
	return types.StringNull()
}

// certificate reads the PEM file that value names, or gives the PEM itself.
func certificate(value string, diags *diag.Diagnostics) string {
	if value == "" || strings.Contains(value, "-----BEGIN") {
		return value
	}
	pem, err := os.ReadFile(value)
	if err != nil {
		diags.AddAttributeError(path.Root("ca_certificate"), "Cannot read the CA certificate",
			fmt.Sprintf("ca_certificate is neither PEM text nor the path of a file that can be read: %s.", err))
	}
	return string(pem)
}

// unknownArguments names what is not known yet of all that a request needs.
func unknownArguments(m model) []string {
	var names []string
	for _, argument := range []struct {
		name  string
		value attr.Value
	}{
		{"endpoint", m.Endpoint},
		{"token", m.Token},
		{"username", m.Username},
		{"password", m.Password},
		{"otp", m.OTP},
		{"auth_endpoint", m.AuthEndpoint},
		{"ca_certificate", m.CACertificate},
		{"allow_http", m.AllowHTTP},
		{"request_timeout", m.RequestTimeout},
		{"max_retries", m.MaxRetries},
	} {
		if argument.value.IsUnknown() {
			names = append(names, argument.name)
		}
	}
	return names
}

// addConfigError reports what the client refuses, at the argument to blame.
func addConfigError(diags *diag.Diagnostics, err error) {
	if problem, ok := errors.AsType[*cloudserver.ConfigError](err); ok {
		diags.AddAttributeError(path.Root(problem.Field), "The provider's "+problem.Field+" cannot be used", problem.Error()+".")
		return
	}
	diags.AddError("The provider cannot be configured", err.Error()+".")
}
