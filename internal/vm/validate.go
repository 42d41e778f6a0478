package vm

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
)

var _ resource.ResourceWithValidateConfig = (*vmResource)(nil)

// ValidateConfig refuses contradictory arguments. The library's validators for a block that lacks an attribute are not
// used, because each searches the whole configuration, which is slow.
func (r *vmResource) ValidateConfig(
	ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse,
) {
	var config model
	if config.get(ctx, req.Config.Raw).HasError() {
		return // for example a number that is not whole, which its type has refused
	}
	refuseContradiction(&model{}, &config, &config, &resp.Diagnostics)
	if block, ok := blockOf[reimageModel](config.Reimage); ok && block.Distribution.IsNull() {
		resp.Diagnostics.AddAttributeError(path.Root("reimage").AtName("distribution"), "Missing distribution",
			"The block reimage needs a distribution, and reimage.distribution is absent or null. Set it, or remove the block to create a machine without an image.")
	}
	if block, ok := blockOf[readyModel](config.Ready); ok {
		block.validate(&resp.Diagnostics)
	}
	warnImageURL(config.CDROMURL, &resp.Diagnostics)
	refuseTooManyDiscs(config.discs(), &resp.Diagnostics)
	refuseSameLabels(config.discs(), &resp.Diagnostics)
}
