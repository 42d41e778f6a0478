package tfkit

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"
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
	name := req.ConfigValue.ValueString()
	err := cloudserver.CheckName(name)
	if err == nil {
		return
	}
	detail := fmt.Sprintf("%s %s, because it becomes part of the path of a request.", req.Path, err)
	account, group, two := strings.Cut(name, "/")
	switch {
	case two && req.Path.Equal(path.Root("group")):
		detail += fmt.Sprintf(" To name the account, too, set account = %q and group = %q.", account, group)
	case strings.HasPrefix(name, "/dev/"):
		detail += fmt.Sprintf(" Did you mean %q?", strings.TrimPrefix(name, "/dev/"))
	}
	resp.Diagnostics.AddAttributeError(req.Path, "Invalid name", detail)
}
