package tfkit

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// ImportText is what names the object to import: the id that was typed, or else
// the attribute of the identity.
func ImportText(ctx context.Context, req resource.ImportStateRequest, attribute string, diags *diag.Diagnostics) string {
	if req.ID != "" {
		return req.ID
	}
	var value types.String
	diags.Append(req.Identity.GetAttribute(ctx, path.Root(attribute), &value)...)
	return value.ValueString()
}
