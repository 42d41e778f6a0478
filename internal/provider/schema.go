// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// model is the provider block.
type model struct {
	Endpoint        types.String `tfsdk:"endpoint"`
	Token           types.String `tfsdk:"token"`
	TokenFile       types.String `tfsdk:"token_file"`
	Username        types.String `tfsdk:"username"`
	Password        types.String `tfsdk:"password"`
	AuthEndpoint    types.String `tfsdk:"auth_endpoint"`
	SessionValidity types.String `tfsdk:"session_validity"`
	Account         types.String `tfsdk:"account"`
	Group           types.String `tfsdk:"group"`
	CACertificate   types.String `tfsdk:"ca_certificate"`
	AllowHTTP       types.Bool   `tfsdk:"allow_http"`
	RequestTimeout  types.String `tfsdk:"request_timeout"`
	MaxRetries      types.Int64  `tfsdk:"max_retries"`
	MaxUnavailable  types.Int64  `tfsdk:"max_unavailable"`
	PlanChecks      types.Bool   `tfsdk:"plan_checks"`

	DeletionProtection types.Bool `tfsdk:"deletion_protection"`
}

func attributes() map[string]schema.Attribute {
	notEmpty := []validator.String{tfkit.NotEmpty}
	name := []validator.String{tfkit.PathName}
	return map[string]schema.Attribute{
		"endpoint": schema.StringAttribute{
			MarkdownDescription: "Base URL of the service's HTTP API, such as `https://api.example.com`, or " +
				"`emulator:FILE` for the emulator in the provider. Required, here or in `CLOUDSERVER_ENDPOINT`.",
			Optional: true, Validators: notEmpty,
		},
		"token": schema.StringAttribute{
			MarkdownDescription: "Session ID, or API key (it begins with `apikey.`). Also `CLOUDSERVER_TOKEN`.",
			Optional:            true, Sensitive: true, Validators: notEmpty,
		},
		"token_file": schema.StringAttribute{
			MarkdownDescription: "Path of a file with a token, such as the one that `login` writes. " +
				"Also `CLOUDSERVER_TOKEN_FILE`.",
			Optional: true, Validators: notEmpty,
		},
		"username": schema.StringAttribute{
			MarkdownDescription: "User to open a session for. Also `CLOUDSERVER_USERNAME`.",
			Optional:            true, Validators: notEmpty,
		},
		"password": schema.StringAttribute{
			MarkdownDescription: "Password of `username`. Also `CLOUDSERVER_PASSWORD`.",
			Optional:            true, Sensitive: true, Validators: notEmpty,
		},
		"auth_endpoint": schema.StringAttribute{
			MarkdownDescription: "Base URL of the service that issues sessions. Default: `endpoint`. Also `CLOUDSERVER_AUTH_ENDPOINT`.",
			Optional:            true, Validators: notEmpty,
		},
		"session_validity": schema.StringAttribute{
			MarkdownDescription: "How long a session of `username` lasts, from `1m` to `1h`. Default: `1h`.",
			Optional:            true, Validators: []validator.String{tfkit.PositiveDuration},
		},
		"account": schema.StringAttribute{
			MarkdownDescription: "Default account. Also `CLOUDSERVER_ACCOUNT`.",
			Optional:            true, Validators: name,
		},
		"group": schema.StringAttribute{
			MarkdownDescription: "Default group of new machines. Default: `default`. Also `CLOUDSERVER_GROUP`.",
			Optional:            true, Validators: name,
		},
		"ca_certificate": schema.StringAttribute{
			MarkdownDescription: "Certificate authorities, in addition to the system's: PEM text, or the path of a PEM file. " +
				"Also `CLOUDSERVER_CA_CERTIFICATE`.",
			Optional: true, Validators: notEmpty,
		},
		"allow_http": schema.BoolAttribute{
			MarkdownDescription: "Whether plain `http://` is accepted for hosts other than loopback, which shows credentials and root passwords to the network. " +
				"Default: `false`.",
			Optional: true,
		},
		"request_timeout": schema.StringAttribute{
			MarkdownDescription: "Maximum duration of one attempt of a request. Default: `30s`.",
			Optional:            true, Validators: []validator.String{tfkit.PositiveDuration},
		},
		"max_retries": schema.Int64Attribute{
			MarkdownDescription: "Maximum number of retries of a request that can be repeated safely. A creation, and any " +
				"request after 429, is retried for two minutes instead. `0`: no retries. Default: `4`.",
			Optional: true, Validators: []validator.Int64{int64validator.Between(0, 100)},
		},
		"max_unavailable": schema.Int64Attribute{
			MarkdownDescription: "How many machines of this provider block updates and actions may stop at the same time. " +
				"Default: `-parallelism` of Terraform. Also `CLOUDSERVER_MAX_UNAVAILABLE`.",
			Optional: true, Validators: []validator.Int64{int64validator.AtLeast(1)},
		},
		"deletion_protection": schema.BoolAttribute{
			MarkdownDescription: "Default of `deletion_protection` of its machines. Default: `false`.",
			Optional:            true,
		},
		"plan_checks": schema.BoolAttribute{
			MarkdownDescription: "Whether plans are checked against the service's definitions and names. Default: `true`.",
			Optional:            true,
		},
	}
}
