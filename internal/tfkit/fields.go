package tfkit

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Get sets the fields of a struct, which are attr.Values with tfsdk tags, from an object of the protocol. It replaces
// the framework's Get, which compiles a regular expression for each tag in each call: over many resources that was a
// seventh of the provider's CPU time.
func Get(ctx context.Context, object tftypes.Value, attributes map[string]attr.Type, target any) diag.Diagnostics {
	var raw map[string]tftypes.Value
	if err := object.As(&raw); err != nil {
		return unfit(target, err)
	}
	values := make(map[string]attr.Value, len(attributes))
	for name, kind := range attributes {
		element, ok := raw[name]
		if !ok {
			return unfit(target, fmt.Errorf("the object lacks %s", name))
		}
		value, err := kind.ValueFromTerraform(ctx, element)
		if err != nil {
			return unfit(target, fmt.Errorf("%s: %w", name, err))
		}
		if number, ok := kind.(Int64Type); ok {
			if invalid := number.Validate(ctx, element, path.Root(name)); invalid != nil {
				return invalid
			}
		}
		values[name] = value
	}
	return Fill(values, target)
}

// Fill sets the fields of a struct, which are attr.Values with tfsdk tags, from the attributes of an object.
func Fill(values map[string]attr.Value, target any) diag.Diagnostics {
	to := reflect.ValueOf(target).Elem()
	fields := fieldsOf(to.Type())
	if len(fields) != len(values) {
		return unfit(target, fmt.Errorf("the object has %d attributes, and the struct %d", len(values), len(fields)))
	}
	for name, index := range fields {
		field, value := to.FieldByIndex(index), reflect.ValueOf(values[name])
		if !value.IsValid() || value.Type() != field.Type() {
			return unfit(target, fmt.Errorf("%s is %T in the object, and %s in the struct", name, values[name], field.Type()))
		}
		field.Set(value)
	}
	return nil
}

// Fits returns an error if the fields of a struct do not match the attributes of an object.
func Fits(ctx context.Context, attributes map[string]attr.Type, target any) (diags diag.Diagnostics) {
	values := make(map[string]attr.Value, len(attributes))
	for name, kind := range attributes {
		null, err := kind.ValueFromTerraform(ctx, tftypes.NewValue(kind.TerraformType(ctx), nil))
		if err != nil {
			diags.Append(unfit(target, fmt.Errorf("%s: %w", name, err))...)
		}
		values[name] = null
	}
	diags.Append(Fill(values, target)...)
	return diags
}

// Raw returns a struct, whose fields are attr.Values with tfsdk tags, as an object of the protocol. It replaces the
// framework's Set (see [Get]).
func Raw(ctx context.Context, attributes map[string]attr.Type, source any) (tftypes.Value, diag.Diagnostics) {
	object, diags := types.ObjectValue(attributes, valuesOf(source))
	if diags.HasError() {
		return tftypes.Value{}, diags
	}
	raw, err := object.ToTerraformValue(ctx)
	if err != nil {
		diags = append(diags, unfit(source, err)...)
	}
	return raw, diags
}

// AttributeTypes returns the types of an object's attributes, by name.
func AttributeTypes(object attr.Type) map[string]attr.Type {
	return object.(attr.TypeWithAttributeTypes).AttributeTypes() //nolint:errcheck,forcetypeassert // every object has them
}

// Object returns a struct, whose fields are attr.Values with tfsdk tags, as an
// object.
func Object(attributes map[string]attr.Type, source any) types.Object {
	return types.ObjectValueMust(attributes, valuesOf(source))
}

func valuesOf(source any) map[string]attr.Value {
	from := reflect.ValueOf(source)
	values := map[string]attr.Value{}
	for name, index := range fieldsOf(from.Type()) {
		values[name], _ = from.FieldByIndex(index).Interface().(attr.Value)
	}
	return values
}

// FieldNames returns the names of a struct's attributes, sorted.
func FieldNames(source any) []string {
	return slices.Sorted(maps.Keys(fieldsOf(reflect.TypeOf(source))))
}

// FillUnknown completes a planned struct: unknown values are replaced by those that the service reported, and planned
// values stay.
func FillUnknown[T any](planned *T, reported T) {
	takeFields(planned, reported, func(planned, _ attr.Value) bool { return planned.IsUnknown() })
}

// KeepUnreported fills the values that the service did not report with those from before.
func KeepUnreported[T any](reported *T, before T) {
	takeFields(
		reported, before, func(reported, before attr.Value) bool { return reported.IsNull() && !before.IsUnknown() },
	)
}

func takeFields[T any](target *T, source T, take func(target, source attr.Value) bool) {
	to, from := reflect.ValueOf(target).Elem(), reflect.ValueOf(source)
	for i := range to.NumField() {
		value, ok := to.Field(i).Interface().(attr.Value)
		other, _ := from.Field(i).Interface().(attr.Value)
		if ok && take(value, other) {
			to.Field(i).Set(from.Field(i))
		}
	}
}

// fields caches the tagged fields of struct types, including those of embedded structs.
var fields sync.Map // reflect.Type → map[string][]int

func fieldsOf(kind reflect.Type) map[string][]int {
	if known, ok := fields.Load(kind); ok {
		return known.(map[string][]int) //nolint:errcheck,forcetypeassert // nothing else is stored
	}
	found := map[string][]int{}
	for _, field := range reflect.VisibleFields(kind) {
		if tag, ok := field.Tag.Lookup("tfsdk"); ok {
			found[tag] = field.Index
		}
	}
	fields.Store(kind, found)
	return found
}

func unfit(target any, err error) diag.Diagnostics {
	return diag.Diagnostics{diag.NewErrorDiagnostic("Cannot convert a value",
		fmt.Sprintf("This is an error in the provider. Please report it: %T: %s", target, err))}
}
