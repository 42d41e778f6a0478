package provider

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fastplan"
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
	s.account = fromEnvironment(m.Account, "CLOUDSERVER_ACCOUNT")
	s.group = fromEnvironment(m.Group, "CLOUDSERVER_GROUP")
	checkName("account", m.Account, s.account, diags)
	checkName("group", m.Group, s.group, diags)
	if s.group.IsNull() {
		s.group = types.StringValue(defaultGroup)
	}
	s.planChecks = m.PlanChecks.IsNull() || m.PlanChecks.ValueBool()

	s.maxUnavailable = maxUnavailable(m.MaxUnavailable, diags)

	s.client.RequestTimeout = duration(m.RequestTimeout)
	s.client.SessionValidity = duration(m.SessionValidity)
	if tfkit.Given(m.MaxRetries) {
		retries := int(m.MaxRetries.ValueInt64())
		s.client.MaxRetries = &retries
	}
	if emulated {
		s.emulate(m, endpoint, emulator, diags)
	} else {
		s.resolveService(m, endpoint, diags)
	}
	cloudserver.AddCredentials(s.client.Token, s.client.Password) // the token of a file is one since that was read
	refuseSecret("account", m.Account, s.account, diags)
	refuseSecret("group", m.Group, s.group, diags)
	return s
}

// refuseSecret reports an error if a name contains a credential: it becomes part of states, plans and logs.
func refuseSecret(field string, configured, name types.String, diags *diag.Diagnostics) {
	if !cloudserver.HoldsCredential(name.ValueString()) {
		return
	}
	source := field
	if configured.IsNull() {
		source = "CLOUDSERVER_" + strings.ToUpper(field) + " in the environment"
	}
	diags.AddAttributeError(path.Root(field), "Secret in "+field,
		fmt.Sprintf("%s contains the token, the password or a session that this provider logs in with. "+
			"Terraform shows and stores names, so nothing was sent. Correct it.", source))
}

// checkName validates a name from the environment, as validators do for one in the provider block.
func checkName(field string, configured, name types.String, diags *diag.Diagnostics) {
	if err := cloudserver.CheckName(name.ValueString()); err != nil && configured.IsNull() && tfkit.Given(name) {
		diags.AddAttributeError(path.Root(field), "Invalid name",
			fmt.Sprintf("CLOUDSERVER_%s in the environment %s, because it becomes part of the path of a request.", strings.ToUpper(field), err))
	}
}

// resolveService resolves how to reach the service.
func (s *settings) resolveService(m model, endpoint string, diags *diag.Diagnostics) {
	if s.client.Endpoint = endpoint; s.client.Endpoint == "" && !m.Endpoint.IsUnknown() {
		diags.AddAttributeError(path.Root("endpoint"), "Missing endpoint", missingEndpoint(m))
	}
	s.client.AuthEndpoint = fromEnvironment(m.AuthEndpoint, "CLOUDSERVER_AUTH_ENDPOINT").ValueString()
	s.client.AllowHTTP = m.AllowHTTP.ValueBool()
	s.client.UnknownVariables = UnknownVariables()
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

// duration returns the value of an optional attribute, or 0 if it is not set.
func duration(value types.String) time.Duration {
	duration, _ := tfkit.ParseDuration(value.ValueString()) // validated
	return duration
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

// refuseHome reports an error and true for a path that begins with ~, which shells expand and Terraform does not.
func refuseHome(m model, field, file string, diags *diag.Diagnostics) bool {
	if file != "~" && !strings.HasPrefix(file, "~/") {
		return false
	}
	instead := fmt.Sprintf("%s = pathexpand(%q)", field, file)
	if variableOf(m, field) != "" {
		instead = "the path with $HOME: a shell does not expand ~ in quotes"
	}
	diags.AddAttributeError(path.Root(field), "Invalid "+field, fmt.Sprintf("%s is %q, and ~ is not expanded. Set %s.", sourceOf(m, field), file, instead))
	return true
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

// anonymous returns the configuration without credentials. ok is false if anything else is unknown, because otherwise
// the definitions can be read with it.
func (s settings) anonymous() (client cloudserver.Config, ok bool) {
	client = s.client
	client.Token, client.TokenFile, client.Username, client.Password, client.AuthEndpoint = "", "", "", "", ""
	return client, !slices.ContainsFunc(s.unknown, func(name string) bool {
		return !slices.Contains([]string{"token", "token_file", "username", "password", "auth_endpoint", "session_validity"}, name)
	})
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
	const detail = "Set CLOUDSERVER_ENDPOINT in the environment to the base URL of the service's HTTP API."
	return errors.New("Missing endpoint: " + detail + UnknownVariables())
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

// variables are the environment variables of the provider and of its commands.
var variables = []string{
	"CLOUDSERVER_ACCOUNT", "CLOUDSERVER_AUTH_ENDPOINT", "CLOUDSERVER_CA_CERTIFICATE", "CLOUDSERVER_ENDPOINT", fastplan.Switch,
	"CLOUDSERVER_GROUP", "CLOUDSERVER_MAX_UNAVAILABLE", "CLOUDSERVER_PASSWORD", "CLOUDSERVER_TOKEN", "CLOUDSERVER_TOKEN_FILE", "CLOUDSERVER_USERNAME",
}

// UnknownVariables returns a sentence, after a space, about variables that look like the provider's and are not, or "".
// It ends messages about something that is missing: the name of a variable may be mistyped.
func UnknownVariables() string {
	var unknown []string
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		if strings.HasPrefix(name, "CLOUDSERVER_") && !slices.Contains(variables, name) {
			unknown = append(unknown, name)
		}
	}
	if len(unknown) == 0 {
		return ""
	}
	slices.Sort(unknown)
	return fmt.Sprintf(" The environment has %s, which the provider does not know.", strings.Join(unknown, ", "))
}

const setEndpoint = "Set endpoint in the provider block, or CLOUDSERVER_ENDPOINT in the environment, to the base URL of the service's HTTP API. " +
	"To try the provider without an account, set it to emulator:world.json, which keeps an emulated service in that file."

// missingEndpoint explains how to set the endpoint, and why it may be missing.
func missingEndpoint(m model) string {
	detail := setEndpoint + UnknownVariables()
	if m == (model{}) {
		detail += " This is the provider configuration without an alias, and it has no arguments." +
			" Resources without the argument provider use it, even if every provider block has an alias."
	}
	return detail
}
