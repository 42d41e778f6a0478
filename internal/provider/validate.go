package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

var _ provider.ProviderWithValidateConfig = (*cloudserverProvider)(nil)

// ValidateConfig refuses a block that signs in twice. Values that are not known
// yet may turn out to be null, so they refuse nothing.
func (p *cloudserverProvider) ValidateConfig(ctx context.Context, req provider.ValidateConfigRequest, resp *provider.ValidateConfigResponse) {
	var m model
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	if tfkit.Given(m.Token) && (tfkit.Given(m.Username) || tfkit.Given(m.Password) || tfkit.Given(m.OTP)) {
		resp.Diagnostics.AddAttributeError(path.Root("token"), "Two ways to sign in",
			"The provider block has both token and one of username, password and otp. Keep token alone, or take it out.")
	}
}
