package vm

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

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

// uniqueLabels refuses two discs with one label: the label is a disc's key.
type uniqueLabels struct{}

func (uniqueLabels) Description(context.Context) string { return "labels must be unique" }

func (v uniqueLabels) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (uniqueLabels) ValidateList(ctx context.Context, req validator.ListRequest, resp *validator.ListResponse) {
	discs, ok := discsFrom(req.ConfigValue, &resp.Diagnostics)
	if !ok {
		return
	}
	seen := map[string]int{}
	for i, disc := range discs {
		label := disc.Label.ValueString()
		if label == "" {
			continue
		}
		if first, twice := seen[label]; twice {
			resp.Diagnostics.AddAttributeError(req.Path.AtListIndex(i).AtName("label"), "Duplicate disc label",
				fmt.Sprintf("Discs %d and %d are both labelled %q. The label identifies a disc: give each disc its own.", first+1, i+1, label))
			continue
		}
		for other, at := range seen {
			if strings.EqualFold(other, label) {
				resp.Diagnostics.AddAttributeWarning(req.Path.AtListIndex(i).AtName("label"), "Disc labels that differ by case only",
					fmt.Sprintf("Discs %d and %d are labelled %q and %q. The service may take them for the same label and refuse one of them.", at+1, i+1, other, label))
			}
		}
		seen[label] = i
	}
}
