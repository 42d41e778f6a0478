package tfkit

import (
	"context"
	"fmt"
	"math/big"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Int64Type is the type of every number in this provider. Its values are the framework's own, [basetypes.Int64Value],
// but a number that is not a 64-bit integer is reported as an error in the configuration. The framework converts values
// before any validator runs, and would report it as an error in the provider.
type Int64Type struct{ basetypes.Int64Type }

var _ basetypes.Int64Typable = Int64Type{}

// ValueFromTerraform converts a number. One that is not a 64-bit integer becomes unknown, so that no other validator
// judges it; [Int64Type.Validate] refuses it.
func (t Int64Type) ValueFromTerraform(ctx context.Context, number tftypes.Value) (attr.Value, error) {
	value, err := t.Int64Type.ValueFromTerraform(ctx, number)
	if err != nil && invalidInt64(number) != nil {
		return basetypes.NewInt64Unknown(), nil
	}
	return value, err
}

// Validate refuses a number that is not a 64-bit integer.
func (t Int64Type) Validate(_ context.Context, number tftypes.Value, at path.Path) (diags diag.Diagnostics) {
	invalid := invalidInt64(number)
	if invalid == nil {
		return nil
	}
	must := "It must be a whole number."
	if invalid.IsInt() {
		must = "It must be a whole number of at most 18 digits."
	}
	diags.AddAttributeError(at, "Invalid number", fmt.Sprintf("%s is %s. %s", at, shownNumber(invalid), must))
	return diags
}

// Equal reports whether the other type is this one.
func (t Int64Type) Equal(other attr.Type) bool {
	_, ok := other.(Int64Type)
	return ok || t.Int64Type.Equal(other)
}

// invalidInt64 returns the number if it is known and not a 64-bit integer, otherwise nil.
func invalidInt64(value tftypes.Value) *big.Float {
	var number *big.Float
	if !value.IsKnown() || value.IsNull() || value.As(&number) != nil {
		return nil
	}
	if _, accuracy := number.Int64(); accuracy == big.Exact {
		return nil
	}
	return number
}

// shownNumber formats a number as people write it: 9223372036854775808, 1.5 or 1e+300.
func shownNumber(number *big.Float) string {
	const longest = 30
	if text := number.Text('f', -1); len(text) <= longest {
		return text
	}
	return number.Text('g', 10)
}
