package fastplan

import (
	"context"
	"fmt"
	"reflect"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/defaults"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// objectDefaults are the defaults in the schema of an object.
type objectDefaults struct {
	values map[string]tftypes.Value
	nested map[string]objectDefaults // of blocks and nested attributes that have some
}

func newDefaults() objectDefaults {
	return objectDefaults{map[string]tftypes.Value{}, map[string]objectDefaults{}}
}

// defaultsOf returns the defaults of a resource's schema, or an error if one cannot be determined.
func defaultsOf(ctx context.Context, s schema.Schema) (objectDefaults, error) {
	all := newDefaults()
	for name, attribute := range s.Attributes {
		if err := all.addAttribute(ctx, name, attribute); err != nil {
			return all, err
		}
	}
	for name, block := range s.Blocks {
		if err := all.addBlock(ctx, name, block); err != nil {
			return all, err
		}
	}
	return all, nil
}

func (d objectDefaults) addNested(name string, nested objectDefaults) {
	if len(nested.values)+len(nested.nested) > 0 {
		d.nested[name] = nested
	}
}

func (d objectDefaults) addBlock(ctx context.Context, name string, block any) error {
	b, ok := block.(schema.Block)
	if !ok {
		return fmt.Errorf("%s: unsupported block %T", name, block)
	}
	nested, object := newDefaults(), b.GetNestedObject()
	for name, attribute := range object.GetAttributes() {
		if err := nested.addAttribute(ctx, name, attribute); err != nil {
			return err
		}
	}
	for name, block := range object.GetBlocks() {
		if err := nested.addBlock(ctx, name, block); err != nil {
			return err
		}
	}
	d.addNested(name, nested)
	return nil
}

func (d objectDefaults) addAttribute(ctx context.Context, name string, attribute any) error {
	value, err := defaultOf(ctx, attribute)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if value != nil {
		if d.values[name], err = value.ToTerraformValue(ctx); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	a, ok := attribute.(schema.NestedAttribute)
	if !ok {
		return nil
	}
	nested := newDefaults()
	for name, attribute := range a.GetNestedObject().GetAttributes() {
		if err := nested.addAttribute(ctx, name, attribute); err != nil {
			return err
		}
	}
	d.addNested(name, nested)
	return nil
}

// defaultOf returns the default of an attribute, or nil if it has none. The framework recognises defaults by the same
// methods. It has no type of attribute with others.
func defaultOf(ctx context.Context, attribute any) (attr.Value, error) {
	switch a := attribute.(type) {
	case interface{ BoolDefaultValue() defaults.Bool }:
		return evaluate(ctx, a.BoolDefaultValue(), defaults.Bool.DefaultBool)
	case interface{ DynamicDefaultValue() defaults.Dynamic }:
		return evaluate(ctx, a.DynamicDefaultValue(), defaults.Dynamic.DefaultDynamic)
	case interface{ Float32DefaultValue() defaults.Float32 }:
		return evaluate(ctx, a.Float32DefaultValue(), defaults.Float32.DefaultFloat32)
	case interface{ Float64DefaultValue() defaults.Float64 }:
		return evaluate(ctx, a.Float64DefaultValue(), defaults.Float64.DefaultFloat64)
	case interface{ Int32DefaultValue() defaults.Int32 }:
		return evaluate(ctx, a.Int32DefaultValue(), defaults.Int32.DefaultInt32)
	case interface{ Int64DefaultValue() defaults.Int64 }:
		return evaluate(ctx, a.Int64DefaultValue(), defaults.Int64.DefaultInt64)
	case interface{ ListDefaultValue() defaults.List }:
		return evaluate(ctx, a.ListDefaultValue(), defaults.List.DefaultList)
	case interface{ MapDefaultValue() defaults.Map }:
		return evaluate(ctx, a.MapDefaultValue(), defaults.Map.DefaultMap)
	case interface{ NumberDefaultValue() defaults.Number }:
		return evaluate(ctx, a.NumberDefaultValue(), defaults.Number.DefaultNumber)
	case interface{ ObjectDefaultValue() defaults.Object }:
		return evaluate(ctx, a.ObjectDefaultValue(), defaults.Object.DefaultObject)
	case interface{ SetDefaultValue() defaults.Set }:
		return evaluate(ctx, a.SetDefaultValue(), defaults.Set.DefaultSet)
	case interface{ StringDefaultValue() defaults.String }:
		return evaluate(ctx, a.StringDefaultValue(), defaults.String.DefaultString)
	}
	return nil, fmt.Errorf("unsupported attribute %T", attribute)
}

// evaluate returns the value of a default, or nil if there is none.
func evaluate[D, Request, Response any](
	ctx context.Context, d D, get func(D, context.Context, Request, *Response),
) (attr.Value, error) {
	if any(d) == nil {
		return nil, nil //nolint:nilnil // there is none
	}
	var req Request
	var resp Response
	get(d, ctx, req, &resp)
	fields := reflect.ValueOf(resp)
	if found, ok := fields.FieldByName("Diagnostics").Interface().(diag.Diagnostics); !ok || found.HasError() {
		return nil, fmt.Errorf("its default: %v", found)
	}
	value, ok := fields.FieldByName("PlanValue").Interface().(attr.Value)
	if !ok {
		return nil, fmt.Errorf("its default is a %T", resp)
	}
	return value, nil
}

// differing returns the paths within an object of the attributes that have another value than their default. ok is
// false if some of them have no path.
func (d objectDefaults) differing(at *tftypes.AttributePath, object tftypes.Value) (paths []*tftypes.AttributePath, ok bool) {
	if len(d.values)+len(d.nested) == 0 || object.IsNull() || !object.IsKnown() {
		return nil, true
	}
	switch {
	case object.Type().Is(tftypes.List{}):
		var elements []tftypes.Value
		if object.As(&elements) != nil {
			return nil, false
		}
		for i, element := range elements {
			more, ok := d.differing(at.WithElementKeyInt(i), element)
			if !ok {
				return nil, false
			}
			paths = append(paths, more...)
		}
		return paths, true
	case !object.Type().Is(tftypes.Object{}):
		return nil, false
	}
	var members map[string]tftypes.Value
	if object.As(&members) != nil {
		return nil, false
	}
	for name, value := range d.values {
		if !members[name].Equal(value) {
			paths = append(paths, at.WithAttributeName(name))
		}
	}
	for name, nested := range d.nested {
		more, ok := nested.differing(at.WithAttributeName(name), members[name])
		if !ok {
			return nil, false
		}
		paths = append(paths, more...)
	}
	return paths, true
}

// keep reports whether no default would change the state: each has its value there, or the configuration sets another
// one.
func (d objectDefaults) keep(state tftypes.Value, config func() (tftypes.Value, error)) bool {
	paths, ok := d.differing(tftypes.NewAttributePath(), state)
	if !ok || len(paths) == 0 {
		return ok
	}
	given, err := config()
	if err != nil {
		return false
	}
	for _, path := range paths {
		found, _, err := tftypes.WalkAttributePath(given, path)
		value, ok := found.(tftypes.Value)
		if err != nil || !ok || value.IsNull() {
			return false
		}
	}
	return true
}
