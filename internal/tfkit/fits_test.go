package tfkit_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// TestFits: a struct that lacks an attribute, or has another type, would drop a block silently.
func TestFits(t *testing.T) {
	t.Parallel()
	var target struct {
		Label types.String `tfsdk:"label"`
		Size  types.Int64  `tfsdk:"size"`
	}
	for name, test := range map[string]struct {
		attributes map[string]attr.Type
		fits       bool
	}{
		"equal":         {map[string]attr.Type{"label": types.StringType, "size": types.Int64Type}, true},
		"one more":      {map[string]attr.Type{"label": types.StringType, "size": types.Int64Type, "id": types.StringType}, false},
		"one less":      {map[string]attr.Type{"label": types.StringType}, false},
		"another type":  {map[string]attr.Type{"label": types.StringType, "size": types.StringType}, false},
		"another name":  {map[string]attr.Type{"label": types.StringType, "length": types.Int64Type}, false},
		"nothing in it": {nil, false},
	} {
		if diags := tfkit.Fits(t.Context(), test.attributes, &target); diags.HasError() == test.fits {
			t.Errorf("%s: %v", name, diags)
		}
	}
}
