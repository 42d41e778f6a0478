package tfkit

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// PositiveDuration accepts a length of time above zero, such as "90s" or "2m".
type PositiveDuration struct{}

var _ validator.String = PositiveDuration{}

// Description says what is accepted.
func (PositiveDuration) Description(context.Context) string {
	return "a length of time above zero, such as 90s or 2m"
}

// MarkdownDescription says what is accepted.
func (v PositiveDuration) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateString leaves text that is no duration to the attribute's own type.
func (v PositiveDuration) ValidateString(ctx context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	duration, err := time.ParseDuration(req.ConfigValue.ValueString())
	if err != nil || duration > 0 {
		return
	}
	resp.Diagnostics.AddAttributeError(req.Path, "Not a length of time above zero",
		fmt.Sprintf("%q leaves no time at all. Give %s.", req.ConfigValue.ValueString(), v.Description(ctx)))
}
