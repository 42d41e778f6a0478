package vm

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework-validators/helpers/validatordiag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

var (
	_ resource.ResourceWithValidateConfig   = (*vmResource)(nil)
	_ resource.ResourceWithConfigValidators = (*vmResource)(nil)
)

// ConfigValidators refuses timeouts with which every operation would fail.
func (r *vmResource) ConfigValidators(context.Context) []resource.ConfigValidator {
	return []resource.ConfigValidator{tfkit.PositiveTimeouts{}}
}

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
		resp.Diagnostics.Append(validatordiag.InvalidAttributeCombinationDiagnostic(path.Root("reimage"),
			`Attribute "reimage.distribution" must be specified when "reimage" is specified`))
	}
}

// numericID refuses what is not an id.
type numericID struct{}

var _ validator.String = numericID{}

func (numericID) Description(context.Context) string { return "must be a numeric ID" }

func (v numericID) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (numericID) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if tfkit.Given(req.ConfigValue) && tfkit.IDOf(req.ConfigValue) == 0 {
		resp.Diagnostics.AddAttributeError(req.Path, "Invalid ID",
			fmt.Sprintf("%s is %q, which is not a numeric ID. To select a group by its name, use group.", req.Path, req.ConfigValue.ValueString()))
	}
}

// megabytes warns of a number that was probably meant in gigabytes. The service
// may accept it.
type megabytes struct{ least int64 }

var _ validator.Int64 = megabytes{}

func (v megabytes) Description(context.Context) string {
	return fmt.Sprintf("megabytes; a warning below %d", v.least)
}

func (v megabytes) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateInt64 leaves what cannot be a size at all to other validators.
func (v megabytes) ValidateInt64(_ context.Context, req validator.Int64Request, resp *validator.Int64Response) {
	value := req.ConfigValue.ValueInt64()
	if !tfkit.Given(req.ConfigValue) || value < 1 || value >= v.least {
		return
	}
	resp.Diagnostics.AddAttributeWarning(req.Path, "Value may be in gigabytes",
		fmt.Sprintf("%s is in megabytes, and %d is hardly enough for anything. For %d gigabytes use %d, or provider::cloudserver::megabytes(\"%dGiB\").",
			req.Path, value, value, value*1024, value))
}
