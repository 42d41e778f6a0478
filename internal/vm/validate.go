package vm

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

var _ resource.ResourceWithValidateConfig = (*vmResource)(nil)

// ValidateConfig refuses what contradicts itself. Validators of the library, which
// could refuse a block that lacks an attribute, search the whole configuration for it,
// at great cost.
func (r *vmResource) ValidateConfig(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	var config model
	if config.get(ctx, req.Config.Raw).HasError() {
		return // a fraction where the schema has an integer: the framework refuses it at the attribute
	}
	refuseContradiction(&model{}, &config, &config, &resp.Diagnostics)
	if block, ok := blockOf[reimageModel](config.Reimage); ok && block.Distribution.IsNull() {
		resp.Diagnostics.AddAttributeError(path.Root("reimage").AtName("distribution"), "Missing distribution",
			"The block reimage needs a distribution, and reimage.distribution is absent or null. Set it, or remove the block to create a machine without an image.")
	}
	if block, ok := blockOf[readyModel](config.Ready); ok && block.Port.IsNull() {
		resp.Diagnostics.AddAttributeError(path.Root("ready").AtName("port"), "Missing port",
			"The block ready needs a port, and ready.port is absent or null. Set it, or remove the block to wait for nothing.")
	}
	refuseSameLabels(config.discs(), &resp.Diagnostics)
	warnGigabytes(path.Root("memory"), config.Memory, 128, &resp.Diagnostics)
	for i, disc := range config.discs() {
		warnGigabytes(discPath(i, "size"), disc.Size, 100, &resp.Diagnostics)
	}
}

// warnGigabytes warns of a number that was probably meant in gigabytes. The service
// may accept it; what cannot be a size at all is left to other validators.
func warnGigabytes(at path.Path, size types.Int64, least int64, diags *diag.Diagnostics) {
	if value := size.ValueInt64(); value > 0 && value < least {
		diags.AddAttributeWarning(at, "Value may be in gigabytes",
			fmt.Sprintf("%s is in megabytes, and %d is hardly enough for anything. For %d gigabytes use %d, or provider::cloudserver::megabytes(\"%dGiB\").",
				at, value, value, value*1024, value))
	}
}

// refuseSameLabels refuses two discs with one label: the label is a disc's key.
func refuseSameLabels(discs []discModel, diags *diag.Diagnostics) {
	for i, disc := range discs {
		for j, other := range discs[:i] {
			both := fmt.Sprintf("Discs %d and %d are labelled %s and %s. ", j+1, i+1, other.Label, disc.Label)
			switch at := discPath(i, "label"); {
			case !tfkit.Given(disc.Label), !strings.EqualFold(disc.Label.ValueString(), other.Label.ValueString()):
			case disc.Label.Equal(other.Label):
				diags.AddAttributeError(at, "Duplicate disc label", both+"The label identifies a disc: give each disc its own.")
			default:
				diags.AddAttributeWarning(at, "Disc labels that differ by case only", both+"The service may take them for the same label and refuse one of them.")
			}
		}
	}
}
