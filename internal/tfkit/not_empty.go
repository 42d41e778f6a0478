package tfkit

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// NotEmpty is a validator that refuses an empty string, as one from a variable
// may be: the service would refuse it, or take it for something else.
type NotEmpty struct{}

var _ validator.String = NotEmpty{}

// Description returns what is accepted.
func (NotEmpty) Description(context.Context) string { return "must not be empty" }

// MarkdownDescription returns what is accepted.
func (v NotEmpty) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateString refuses "".
func (NotEmpty) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if Given(req.ConfigValue) && req.ConfigValue.ValueString() == "" {
		resp.Diagnostics.AddAttributeError(req.Path, "Invalid empty value",
			fmt.Sprintf("%s is empty. Set it to a value; an optional attribute can also be removed, or be null.", req.Path))
	}
}
