package session

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

func (r *sessionResource) Schema(_ context.Context, _ ephemeral.SchemaRequest, resp *ephemeral.SchemaResponse) {
	notEmpty := []validator.String{tfkit.NotEmpty{}}
	resp.Schema = schema.Schema{
		MarkdownDescription: "A session of the service, opened from a username and a password and extended for as long as the run goes on. It is in no plan and in no state. " +
			"The service has no call that ends a session: it ends by itself five minutes after its last use.",
		Attributes: map[string]schema.Attribute{
			"username": schema.StringAttribute{
				MarkdownDescription: "Whose session it is to be. Default: the provider's `username`, with its `password` and `otp`.",
				Optional:            true, Validators: notEmpty,
			},
			"password": schema.StringAttribute{
				MarkdownDescription: "Password of `username`; one is not given without the other.",
				Optional:            true, Sensitive: true, Validators: notEmpty,
			},
			"otp": schema.StringAttribute{
				MarkdownDescription: "One-time password, where the account asks for a second factor. It works once.",
				Optional:            true, Sensitive: true, Validators: notEmpty,
			},
			"auth_endpoint": schema.StringAttribute{
				MarkdownDescription: "Base address of the service that issues sessions. Default: the provider's.",
				Optional:            true, Validators: notEmpty,
			},
			"token": schema.StringAttribute{
				MarkdownDescription: "The session's id, for the `token` of another provider block or of a tool.",
				Computed:            true, Sensitive: true,
			},
		},
	}
}
