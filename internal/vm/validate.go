package vm

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

var _ resource.ResourceWithValidateConfig = (*vmResource)(nil)

// ValidateConfig refuses what contradicts itself.
func (r *vmResource) ValidateConfig(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	var config model
	resp.Diagnostics.Append(config.get(ctx, req.Config.Raw)...)
	if tfkit.Given(config.PowerOn) && !config.PowerOn.ValueBool() && config.AutorebootOn.ValueBool() {
		resp.Diagnostics.AddAttributeError(path.Root("autoreboot_on"), "Conflicting power settings",
			"power_on is false and autoreboot_on is true, but the service starts any machine that is off while autoreboot_on is true. "+
				"Remove autoreboot_on, or set it to false.")
	}
	// Not a validator of the block: those of the library search the whole
	// configuration for the other attribute, at great cost.
	if block, ok := reimageFrom(config.Reimage, &resp.Diagnostics); ok && block.Distribution.IsNull() {
		resp.Diagnostics.AddAttributeError(path.Root("reimage").AtName("distribution"), "Missing distribution",
			"The block reimage needs a distribution, and reimage.distribution is absent or null. Set it, or remove the block to create a machine without an image.")
	}
	if block, ok := readyFrom(config.Ready, &resp.Diagnostics); ok && block.Port.IsNull() {
		resp.Diagnostics.AddAttributeError(path.Root("ready").AtName("port"), "Missing port",
			"The block ready needs a port, and ready.port is absent or null. Set it, or remove the block to wait for nothing.")
	}
}
