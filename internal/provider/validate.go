package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

var _ provider.ProviderWithValidateConfig = (*cloudserverProvider)(nil)

// ValidateConfig refuses a block with two kinds of credentials. A value that is
// not known yet may turn out to be null, so it refuses nothing.
func (p *cloudserverProvider) ValidateConfig(ctx context.Context, req provider.ValidateConfigRequest, resp *provider.ValidateConfigResponse) {
	var m model
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	user := tfkit.Given(m.Username) || tfkit.Given(m.Password)
	switch {
	case tfkit.Given(m.Token) && user:
		resp.Diagnostics.AddAttributeError(path.Root("token"), conflictingCredentials,
			"The provider block has both token and one of username and password. Remove one of them.")
	case tfkit.Given(m.TokenFile) && (user || tfkit.Given(m.Token)):
		resp.Diagnostics.AddAttributeError(path.Root("token_file"), conflictingCredentials,
			"The provider block has both token_file and one of token, username and password. Remove one of them.")
	}
}
