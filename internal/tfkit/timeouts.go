package tfkit

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

var (
	_ resource.ConfigValidator = PositiveTimeouts{}
	_ action.ConfigValidator   = PositiveTimeouts{}
)

// PositiveTimeouts is a validator of the block timeouts, for resources and
// actions. The block's own validators accept durations of zero and below, with
// which an operation could only fail.
type PositiveTimeouts struct{}

// Description returns what is accepted.
func (PositiveTimeouts) Description(context.Context) string {
	return "every duration in the block timeouts must be positive"
}

// MarkdownDescription returns what is accepted.
func (v PositiveTimeouts) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateResource refuses the block of a resource.
func (PositiveTimeouts) ValidateResource(_ context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	checkTimeouts(req.Config, &resp.Diagnostics)
}

// ValidateAction refuses the block of an action.
func (PositiveTimeouts) ValidateAction(_ context.Context, req action.ValidateConfigRequest, resp *action.ValidateConfigResponse) {
	checkTimeouts(req.Config, &resp.Diagnostics)
}

// checkTimeouts reads the raw value, because each kind of component has a
// timeouts type of its own.
func checkTimeouts(config tfsdk.Config, diags *diag.Diagnostics) {
	const block = "timeouts"
	var root, texts map[string]tftypes.Value
	if err := config.Raw.As(&root); err != nil {
		return // unknown as a whole
	}
	if value, ok := root[block]; !ok || !value.IsKnown() || value.As(&texts) != nil {
		return
	}
	for name, value := range texts {
		var text *string
		if !value.IsKnown() || value.As(&text) != nil || text == nil {
			continue
		}
		// What is not a duration at all is left to the block's own validators.
		if duration, err := time.ParseDuration(*text); err == nil && duration <= 0 {
			diags.AddAttributeError(path.Root(block).AtName(name), "Invalid timeout",
				fmt.Sprintf("%s is %q, but must be a positive duration, such as 90s, 20m or 1h30m. Remove it to use the default.", name, *text))
		}
	}
}

// Timeout returns the duration that a block timeouts has under the name, or the
// default where it has none. A state may hold one that is not positive: then the
// default counts, because with it every operation would fail for ever.
func Timeout(timeouts interface{ Attributes() map[string]attr.Value }, name string, byDefault time.Duration) time.Duration {
	text, ok := timeouts.Attributes()[name].(types.String)
	if !ok || !Given(text) {
		return byDefault
	}
	duration, err := ParseDuration(text.ValueString())
	if err != nil {
		return byDefault
	}
	return duration
}
