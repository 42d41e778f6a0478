package tfkit

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// PathName refuses a name that cannot stand in the path of a request, such as
// ".." or one with a slash.
type PathName struct{}

var _ validator.String = PathName{}

// Description returns what is accepted.
func (PathName) Description(context.Context) string {
	return "a name without / and \\, which is neither . nor .."
}

// MarkdownDescription returns what is accepted.
func (v PathName) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateString reports an error for any other name.
func (PathName) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.ValueString() == "" { // null, unknown, or a matter of NotEmpty
		return
	}
	if err := cloudserver.CheckName(req.ConfigValue.ValueString()); err != nil {
		resp.Diagnostics.AddAttributeError(req.Path, "Invalid name",
			fmt.Sprintf("%s %s, because it becomes part of the path of a request.", req.Path, err))
	}
}
