package session

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

func (r *sessionResource) Schema(_ context.Context, _ ephemeral.SchemaRequest, resp *ephemeral.SchemaResponse) {
	notEmpty := []validator.String{tfkit.NotEmpty}
	resp.Schema = schema.Schema{
		MarkdownDescription: "Opens a session of the service with a username and password, and extends it for as long as the run takes. It is in no plan and in no state, and ends five minutes after its last use. " +
			"A user with a second factor needs an API key or a `token_file` instead.",
		Attributes: map[string]schema.Attribute{
			"username": schema.StringAttribute{
				MarkdownDescription: "User to open the session for. Default: the provider's `username` and `password`.",
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
				MarkdownDescription: "Session ID, for the `token` of another provider block or of a tool.",
				Computed:            true, Sensitive: true,
			},
		},
	}
}
