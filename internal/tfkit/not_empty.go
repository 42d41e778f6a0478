package tfkit

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// NotEmpty refuses a text that is given and empty, as one from a variable may
// be: the service would refuse it, or take it for something else.
type NotEmpty struct{}

var _ validator.String = NotEmpty{}

// Description says what is accepted.
func (NotEmpty) Description(context.Context) string { return "a text that is not empty" }

// MarkdownDescription says what is accepted.
func (v NotEmpty) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateString refuses "".
func (NotEmpty) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if Given(req.ConfigValue) && req.ConfigValue.ValueString() == "" {
		resp.Diagnostics.AddAttributeError(req.Path, "An empty value",
			fmt.Sprintf("%s is empty. Give it a value; what is optional can be left out, or be null.", req.Path))
	}
}
