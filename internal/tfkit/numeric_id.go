package tfkit

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// NumericID refuses what is not a numeric ID. Hint follows in the message: another
// way to name the object.
type NumericID struct{ Hint string }

var _ validator.String = NumericID{}

// Description returns what is accepted.
func (NumericID) Description(context.Context) string { return "must be a numeric ID" }

// MarkdownDescription returns what is accepted.
func (v NumericID) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateString refuses everything else that is known.
func (v NumericID) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if Given(req.ConfigValue) && IDOf(req.ConfigValue) == 0 {
		resp.Diagnostics.AddAttributeError(req.Path, "Invalid ID",
			fmt.Sprintf("%s is %q, which is not a numeric ID.%s", req.Path, req.ConfigValue.ValueString(), v.Hint))
	}
}
