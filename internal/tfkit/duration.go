package tfkit

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// ParseDuration reads a positive duration, such as "90s" or "2m".
func ParseDuration(text string) (time.Duration, error) {
	duration, err := time.ParseDuration(text)
	if err != nil || duration <= 0 { // the words of the parser do not help
		return 0, fmt.Errorf("%q must be a positive duration: a number and a unit, such as 90s, 2m or 1h30m", text)
	}
	return duration, nil
}

// PositiveDuration accepts what ParseDuration reads.
type PositiveDuration struct{}

var _ validator.String = PositiveDuration{}

// Description returns what is accepted.
func (PositiveDuration) Description(context.Context) string {
	return "a positive duration, such as 90s, 2m or 1h30m"
}

// MarkdownDescription returns what is accepted.
func (v PositiveDuration) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateString refuses everything else that is known.
func (PositiveDuration) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if !Given(req.ConfigValue) {
		return
	}
	if _, err := ParseDuration(req.ConfigValue.ValueString()); err != nil {
		resp.Diagnostics.AddAttributeError(req.Path, "Invalid duration", err.Error()+".")
	}
}
