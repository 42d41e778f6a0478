// SPDX-License-Identifier: MPL-2.0

// Package session implements the ephemeral resource cloudserver_session: a session of the service (API.md §2) that is
// kept open while a run needs it, and is in no state.
package session

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-validators/ephemeralvalidator"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// renewEvery leaves three of a session's five minutes for repeated attempts.
const renewEvery = 2 * time.Minute

// heldKey is the key under which Terraform keeps, in memory only, what a renewal needs.
const heldKey = "session"

var (
	_ ephemeral.EphemeralResourceWithConfigure        = (*sessionResource)(nil)
	_ ephemeral.EphemeralResourceWithConfigValidators = (*sessionResource)(nil)
	_ ephemeral.EphemeralResourceWithRenew            = (*sessionResource)(nil)
)

type sessionResource struct{ provider *tfkit.ProviderData }

// New returns the ephemeral resource cloudserver_session.
func New() ephemeral.EphemeralResource {
	return &sessionResource{}
}

type model struct {
	Username     types.String `tfsdk:"username"`
	Password     types.String `tfsdk:"password"`
	AuthEndpoint types.String `tfsdk:"auth_endpoint"`
	Token        types.String `tfsdk:"token"`
}

// held is what a renewal needs to know.
type held struct {
	Token        string `json:"token"`
	AuthEndpoint string `json:"auth_endpoint"` // "" for the provider's
}

func (r *sessionResource) Metadata(_ context.Context, req ephemeral.MetadataRequest, resp *ephemeral.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_session"
}

func (r *sessionResource) Schema(_ context.Context, _ ephemeral.SchemaRequest, resp *ephemeral.SchemaResponse) {
	notEmpty := []validator.String{tfkit.NotEmpty}
	resp.Schema = schema.Schema{
		MarkdownDescription: "Opens a session with a username and password, and extends it for as long as the run takes.",
		Attributes: map[string]schema.Attribute{
			"username": schema.StringAttribute{
				MarkdownDescription: "User without a second factor. Default: the provider's `username` and `password`.",
				Optional:            true, Validators: notEmpty,
			},
			"password": schema.StringAttribute{
				MarkdownDescription: "Password of `username`. Required with it.",
				Optional:            true, Sensitive: true, Validators: notEmpty,
			},
			"auth_endpoint": schema.StringAttribute{
				MarkdownDescription: "Base address of the service that issues sessions. Default: the provider's.",
				Optional:            true, Validators: notEmpty,
			},
			"token": schema.StringAttribute{
				MarkdownDescription: "Session ID, for the `token` of another provider block or of a tool. " +
					"It ends five minutes after its last use.",
				Computed: true, Sensitive: true,
			},
		},
	}
}

func (r *sessionResource) Configure(
	_ context.Context, req ephemeral.ConfigureRequest, resp *ephemeral.ConfigureResponse,
) {
	r.provider = tfkit.Configured(req.ProviderData, &resp.Diagnostics)
}

func (r *sessionResource) ConfigValidators(context.Context) []ephemeral.ConfigValidator {
	return []ephemeral.ConfigValidator{
		ephemeralvalidator.RequiredTogether(path.MatchRoot("username"), path.MatchRoot("password")),
	}
}

// Open opens a new session.
func (r *sessionResource) Open(ctx context.Context, req ephemeral.OpenRequest, resp *ephemeral.OpenResponse) {
	var m model
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() || !r.provider.RequireReady("open a session", &resp.Diagnostics) {
		return
	}
	client := r.client(m, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	token, err := client.OpenSlidingSession(ctx)
	if refused, ok := errors.AsType[*cloudserver.SessionError](err); ok && refused.Refused && !m.Username.IsNull() {
		resp.Diagnostics.AddAttributeError(path.Root("username"), "Cannot open a session",
			tfkit.Sentence(err.Error())+" Set or correct username and password of this block.")
		return
	}
	if err != nil {
		tfkit.AddError(&resp.Diagnostics, "Cannot open a session", err, nil,
			"Check username and password, and that auth_endpoint is the service that issues sessions.")
		return
	}
	m.Token = types.StringValue(token)
	resp.Diagnostics.Append(resp.Result.Set(ctx, m)...)
	resp.RenewAt = time.Now().Add(renewEvery)
	private, err := json.Marshal(held{Token: token, AuthEndpoint: m.AuthEndpoint.ValueString()})
	if err != nil {
		resp.Diagnostics.AddError("Cannot keep the session", err.Error())
		return
	}
	resp.Diagnostics.Append(resp.Private.SetKey(ctx, heldKey, private)...)
}

// Renew reads the session, which extends it by another five minutes.
func (r *sessionResource) Renew(ctx context.Context, req ephemeral.RenewRequest, resp *ephemeral.RenewResponse) {
	private, d := req.Private.GetKey(ctx, heldKey)
	resp.Diagnostics.Append(d...)
	if resp.Diagnostics.HasError() || !r.provider.RequireReady("renew a session", &resp.Diagnostics) {
		return
	}
	var open held
	if err := json.Unmarshal(private, &open); err != nil {
		resp.Diagnostics.AddError("Cannot renew a session", "The private data of the session cannot be read. Run the same command again.")
		return
	}
	client := r.client(model{AuthEndpoint: types.StringValue(open.AuthEndpoint)}, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	if err := client.CheckSession(ctx, open.Token); err != nil {
		addRenewError(&resp.Diagnostics, err)
		return
	}
	resp.RenewAt = time.Now().Add(renewEvery)
}

func addRenewError(diags *diag.Diagnostics, err error) {
	if cloudserver.IsNotFound(err) {
		diags.AddError("Cannot renew a session", "The service does not know the session any more: it was revoked, or not used for five minutes. "+
			"Run the same command again.")
		return
	}
	tfkit.AddError(diags, "Cannot renew a session", err, nil, "It ends five minutes after its last use.")
}

// client returns the provider's client, or one like it with the credentials or the endpoint of this resource.
func (r *sessionResource) client(m model, diags *diag.Diagnostics) *cloudserver.Client {
	client, err := r.provider.Session(m.Username.ValueString(), m.Password.ValueString(), m.AuthEndpoint.ValueString())
	if err != nil {
		diags.AddError("Cannot open a session", err.Error()+".")
	}
	return client
}
