package provider

import (
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// model is the provider block (design: section 2).
type model struct {
	Endpoint       types.String `tfsdk:"endpoint"`
	Token          types.String `tfsdk:"token"`
	Username       types.String `tfsdk:"username"`
	Password       types.String `tfsdk:"password"`
	OTP            types.String `tfsdk:"otp"`
	AuthEndpoint   types.String `tfsdk:"auth_endpoint"`
	Account        types.String `tfsdk:"account"`
	Group          types.String `tfsdk:"group"`
	CACertificate  types.String `tfsdk:"ca_certificate"`
	AllowHTTP      types.Bool   `tfsdk:"allow_http"`
	RequestTimeout types.String `tfsdk:"request_timeout"`
	MaxRetries     types.Int64  `tfsdk:"max_retries"`
	PlanChecks     types.Bool   `tfsdk:"plan_checks"`
}

func attributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"endpoint": schema.StringAttribute{
			MarkdownDescription: "Base address of the service's HTTP API, such as `https://api.example.com`. Required, here or in `CLOUDSERVER_ENDPOINT`. " +
				"Plain `http://` is accepted for a loopback address only, unless `allow_http` is true.",
			Optional:   true,
			Validators: []validator.String{tfkit.NotEmpty{}},
		},
		"token": schema.StringAttribute{
			MarkdownDescription: "Session id, or API key (it begins with `apikey.`), sent as bearer token. Also `CLOUDSERVER_TOKEN`. " +
				"A session ends five minutes after its last use; for longer runs use an API key, or `username` and `password`.",
			Optional:   true,
			Sensitive:  true,
			Validators: []validator.String{tfkit.NotEmpty{}},
		},
		"username": schema.StringAttribute{
			MarkdownDescription: "User whose credentials are exchanged for a session at first need; the session is renewed when it expires. Also `CLOUDSERVER_USERNAME`.",
			Optional:            true,
			Validators:          []validator.String{tfkit.NotEmpty{}},
		},
		"password": schema.StringAttribute{
			MarkdownDescription: "Password of `username`. Also `CLOUDSERVER_PASSWORD`.",
			Optional:            true,
			Sensitive:           true,
			Validators:          []validator.String{tfkit.NotEmpty{}},
		},
		"otp": schema.StringAttribute{
			MarkdownDescription: "One-time password of `username`, where the account asks for a second factor. Also `CLOUDSERVER_OTP`. It works once, so a session that expires cannot be renewed with it.",
			Optional:            true,
			Sensitive:           true,
		},
		"auth_endpoint": schema.StringAttribute{
			MarkdownDescription: "Base address of the service that issues sessions. Default: `endpoint`. Also `CLOUDSERVER_AUTH_ENDPOINT`.",
			Optional:            true,
			Validators:          []validator.String{tfkit.NotEmpty{}},
		},
		"account": schema.StringAttribute{
			MarkdownDescription: "Account, by name or numeric id, of every resource that names none. Also `CLOUDSERVER_ACCOUNT`.",
			Optional:            true,
			Validators:          []validator.String{tfkit.NotEmpty{}},
		},
		"group": schema.StringAttribute{
			MarkdownDescription: "Group, by name or numeric id, of every new machine that names none. Default: `default`. Also `CLOUDSERVER_GROUP`.",
			Optional:            true,
			Validators:          []validator.String{tfkit.NotEmpty{}},
		},
		"ca_certificate": schema.StringAttribute{
			MarkdownDescription: "Certificate in PEM form, or the path of a file that holds one, which is trusted in addition to the system's. Also `CLOUDSERVER_CA_CERTIFICATE`.",
			Optional:            true,
		},
		"allow_http": schema.BoolAttribute{
			MarkdownDescription: "Allow plain `http://` to other addresses than loopback. Everything that is sent, credentials and root passwords included, can then be read on the way. Default: false.",
			Optional:            true,
		},
		"request_timeout": schema.StringAttribute{
			MarkdownDescription: "How long one attempt of a request may take, such as `45s`. Default: `30s`.",
			Optional:            true,
			Validators:          []validator.String{tfkit.PositiveDuration{}},
		},
		"max_retries": schema.Int64Attribute{
			MarkdownDescription: "How often a request that may be repeated is repeated. Default: 4. A request that creates is never repeated blindly.",
			Optional:            true,
			Validators:          []validator.Int64{int64validator.Between(0, 100)},
		},
		"plan_checks": schema.BoolAttribute{
			MarkdownDescription: "Check plans against what the service offers (`GET /definitions`), so that an unknown distribution, storage grade or zone is an error at plan instead of half-way through apply. Default: true.",
			Optional:            true,
		},
	}
}
