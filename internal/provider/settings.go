// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

const defaultGroup = "default"

// settings are the values of the provider block, with those of the environment and defaults.
type settings struct {
	client         cloudserver.Config
	account, group types.String
	planChecks     bool
	maxUnavailable int
	unknown        []string
	world          string // file of the emulator that endpoint names; "": endpoint is a service
}

// resolve applies the order of precedence: configuration, environment, default.
func resolve(m model, emulator Emulator, diags *diag.Diagnostics) settings {
	var s settings
	endpoint := strings.TrimSpace(fromEnvironment(m.Endpoint, "CLOUDSERVER_ENDPOINT").ValueString())
	emulated := isEmulated(endpoint) && emulator.Open != nil
	if emulated {
		m = m.withoutCredentials()
	}
	s.unknown = unknownArguments(m)
	s.account = nameFromEnvironment(m.Account, "account", diags)
	s.group = nameFromEnvironment(m.Group, "group", diags)
	if s.group.IsNull() {
		s.group = types.StringValue(defaultGroup)
	}
	s.planChecks = m.PlanChecks.IsNull() || m.PlanChecks.ValueBool()
	s.maxUnavailable = maxUnavailable(m.MaxUnavailable, diags)
	s.client.RequestTimeout = tfkit.Duration(m.RequestTimeout, 0)
	s.client.SessionValidity = tfkit.Duration(m.SessionValidity, 0)
	if tfkit.Given(m.MaxRetries) {
		retries := int(m.MaxRetries.ValueInt64())
		s.client.MaxRetries = &retries
	}
	if emulated {
		s.emulate(m, endpoint, emulator, diags)
	} else {
		s.resolveService(m, endpoint, diags)
	}
	return s
}

// resolveService resolves how to reach the service.
func (s *settings) resolveService(m model, endpoint string, diags *diag.Diagnostics) {
	if s.client.Endpoint = endpoint; s.client.Endpoint == "" && !m.Endpoint.IsUnknown() {
		diags.AddAttributeError(path.Root("endpoint"), "Missing endpoint", missingEndpoint(m))
	}
	s.client.AuthEndpoint = fromEnvironment(m.AuthEndpoint, "CLOUDSERVER_AUTH_ENDPOINT").ValueString()
	s.client.AllowHTTP = m.AllowHTTP.ValueBool()
	s.client.CACertificate = certificate(m, fromEnvironment(m.CACertificate, "CLOUDSERVER_CA_CERTIFICATE").ValueString(), diags)
	resolveCredentials(m, s, diags)
}

// maxUnavailable returns how many machines may be down, or 0 for any number.
func maxUnavailable(value types.Int64, diags *diag.Diagnostics) int {
	const variable = "CLOUDSERVER_MAX_UNAVAILABLE"
	text := os.Getenv(variable)
	if !value.IsNull() || text == "" {
		return int(value.ValueInt64())
	}
	number, err := strconv.Atoi(text)
	if err != nil || number < 1 {
		diags.AddAttributeError(path.Root("max_unavailable"), "Invalid max_unavailable",
			fmt.Sprintf("%s in the environment is %q. It must be a whole number of at least 1.", variable, text))
	}
	return number
}

// fromEnvironment returns the configured value, known or unknown, or else that of the environment.
func fromEnvironment(value types.String, name string) types.String {
	if !value.IsNull() {
		return value
	}
	if text := os.Getenv(name); text != "" {
		return types.StringValue(text)
	}
	return types.StringNull()
}

// nameFromEnvironment is fromEnvironment for a name. The schema validates only that of the configuration.
func nameFromEnvironment(value types.String, field string, diags *diag.Diagnostics) types.String {
	variable := "CLOUDSERVER_" + strings.ToUpper(field)
	name := fromEnvironment(value, variable)
	if value.IsNull() && !name.IsNull() && !tfkit.PathName.Valid(name.ValueString()) {
		diags.AddAttributeError(path.Root(field), "Invalid "+field,
			fmt.Sprintf("%s in the environment is %s. It must be %s.", variable, name, tfkit.PathName.Accepts))
	}
	return name
}

// certificate returns value if it is a PEM text, or else the contents of the file that it names.
func certificate(m model, value string, diags *diag.Diagnostics) string {
	if refuseHome(m, "ca_certificate", value, diags) {
		return ""
	}
	pem, err := cloudserver.ReadPEM(value)
	if err != nil {
		diags.AddAttributeError(path.Root("ca_certificate"), "Invalid ca_certificate",
			fmt.Sprintf("%s is neither PEM text nor the path of a PEM file that can be read: %s.", sourceOf(m, "ca_certificate"), err))
	}
	return pem
}

// sourceOf names the source of an attribute's value: the attribute itself, or an environment variable.
func sourceOf(m model, field string) string {
	if variable := variableOf(m, field); variable != "" {
		return variable + " in the environment"
	}
	return field
}

// arguments returns the arguments that every request needs.
func (m model) arguments() map[string]attr.Value {
	return map[string]attr.Value{
		"endpoint":         m.Endpoint,
		"token":            m.Token,
		"token_file":       m.TokenFile,
		"username":         m.Username,
		"password":         m.Password,
		"auth_endpoint":    m.AuthEndpoint,
		"session_validity": m.SessionValidity,
		"ca_certificate":   m.CACertificate,
		"allow_http":       m.AllowHTTP,
		"request_timeout":  m.RequestTimeout,
		"max_retries":      m.MaxRetries,
	}
}

// unknownArguments returns the names of the arguments that are not known yet.
func unknownArguments(m model) (names []string) {
	for name, value := range m.arguments() {
		if value.IsUnknown() {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// session returns a client with other credentials.
func (s settings) session(username, password, authEndpoint string) (*cloudserver.Client, error) {
	config := s.client
	if username != "" {
		config.Token, config.TokenFile, config.Username, config.Password = "", "", username, password
	}
	config.AuthEndpoint = cmp.Or(authEndpoint, config.AuthEndpoint)
	return cloudserver.New(config)
}

// warnUnknown warns that nothing is read, because arguments of the provider block are not known yet.
func (s settings) warnUnknown(diags *diag.Diagnostics) {
	diags.AddAttributeWarning(path.Root(s.unknown[0]), "The provider's configuration is not known yet",
		fmt.Sprintf("These arguments are known only after apply: %s. "+
			"Until then nothing is read from the service: states stay as they are, and plans are not checked.",
			strings.Join(s.unknown, ", ")))
}

// addConfigError reports an error of the client at the attribute to blame.
func addConfigError(diags *diag.Diagnostics, m model, err error) {
	problem, ok := errors.AsType[*cloudserver.ConfigError](err)
	if !ok || problem.Field == "" {
		diags.AddError("Cannot configure the provider", err.Error()+".")
		return
	}
	detail := sourceOf(m, problem.Field) + " " + problem.Problem
	if !strings.HasSuffix(detail, "?") {
		detail += "."
	}
	diags.AddAttributeError(path.Root(problem.Field), "Invalid "+problem.Field, detail)
}

// variableOf returns the environment variable that an attribute's value came from, or "" if it came from the
// configuration.
func variableOf(m model, field string) string {
	text, ok := m.arguments()[field].(types.String)
	if variable := "CLOUDSERVER_" + strings.ToUpper(field); ok && text.IsNull() && os.Getenv(variable) != "" {
		return variable
	}
	return ""
}

// CheckEnvironment returns an error if the environment has no endpoint, for commands, which have no provider block.
func CheckEnvironment() error {
	if strings.TrimSpace(os.Getenv("CLOUDSERVER_ENDPOINT")) != "" {
		return nil
	}
	return errors.New("set CLOUDSERVER_ENDPOINT in the environment to the base URL of the service's HTTP API")
}

// Environment returns the configuration that results from an empty provider block: the CLOUDSERVER_* variables and the
// defaults. Errors have the texts of the provider's diagnostics.
func Environment(version string, emulator Emulator) (config cloudserver.Config, account, group string, err error) {
	if err := CheckEnvironment(); err != nil {
		return config, "", "", err
	}
	var diags diag.Diagnostics
	s := resolve(model{}, emulator, &diags)
	var problems []string
	for _, d := range diags.Errors() {
		problems = append(problems, d.Summary()+": "+d.Detail())
	}
	if len(problems) > 0 {
		return config, "", "", errors.New(strings.Join(problems, "\n"))
	}
	s.client.UserAgent = "terraform-provider-cloudserver/" + version
	return s.client, s.account.ValueString(), s.group.ValueString(), nil
}

// missingEndpoint explains how to set the endpoint, and why it may be missing.
func missingEndpoint(m model) string {
	detail := "Set endpoint in the provider block, or CLOUDSERVER_ENDPOINT in the environment, to the base URL of the service's HTTP API. " +
		"To try the provider without an account, set it to emulator:world.json, which keeps an emulated service in that file."
	if m == (model{}) {
		detail += " Resources without the argument provider use the provider block without an alias, which is absent or empty."
	}
	return detail
}
