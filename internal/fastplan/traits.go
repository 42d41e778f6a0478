package fastplan

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/defaults"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// traits are what the schema of an object has that the framework plans otherwise than Terraform proposes it.
type traits struct {
	defaults  map[string]tftypes.Value
	writeOnly map[string]bool
	nested    map[string]traits // of blocks and nested attributes that have some
}

func newTraits() traits {
	return traits{map[string]tftypes.Value{}, map[string]bool{}, map[string]traits{}}
}

func (t traits) isEmpty() bool { return len(t.defaults)+len(t.writeOnly)+len(t.nested) == 0 }

func (t traits) hasWriteOnly() bool {
	for _, nested := range t.nested {
		if nested.hasWriteOnly() {
			return true
		}
	}
	return len(t.writeOnly) > 0
}

// traitsOf returns the traits of a resource's schema, or an error if a default cannot be determined.
func traitsOf(ctx context.Context, s schema.Schema) (traits, error) {
	all := newTraits()
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

func (t traits) addNested(name string, nested traits) {
	if !nested.isEmpty() {
		t.nested[name] = nested
	}
}

func (t traits) addBlock(ctx context.Context, name string, block any) error {
	b, ok := block.(schema.Block)
	if !ok {
		return fmt.Errorf("%s: unsupported block %T", name, block)
	}
	nested, object := newTraits(), b.GetNestedObject()
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
	t.addNested(name, nested)
	return nil
}

func (t traits) addAttribute(ctx context.Context, name string, attribute any) error {
	value, err := defaultOf(ctx, attribute)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if value != nil {
		if t.defaults[name], err = value.ToTerraformValue(ctx); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if a, ok := attribute.(schema.Attribute); ok && a.IsWriteOnly() {
		t.writeOnly[name] = true
		return nil
	}
	a, ok := attribute.(schema.NestedAttribute)
	if !ok {
		return nil
	}
	nested := newTraits()
	for name, attribute := range a.GetNestedObject().GetAttributes() {
		if err := nested.addAttribute(ctx, name, attribute); err != nil {
			return err
		}
	}
	t.addNested(name, nested)
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
func (t traits) differing(at *tftypes.AttributePath, object tftypes.Value) (paths []*tftypes.AttributePath, ok bool) {
	if t.isEmpty() || object.IsNull() || !object.IsKnown() {
		return nil, true
	}
	switch {
	case object.Type().Is(tftypes.List{}):
		var elements []tftypes.Value
		if object.As(&elements) != nil {
			return nil, false
		}
		for i, element := range elements {
			more, ok := t.differing(at.WithElementKeyInt(i), element)
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
	for name, value := range t.defaults {
		if !members[name].Equal(value) {
			paths = append(paths, at.WithAttributeName(name))
		}
	}
	for name, nested := range t.nested {
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
func (t traits) keep(state tftypes.Value, config func() (tftypes.Value, error)) bool {
	paths, ok := t.differing(tftypes.NewAttributePath(), state)
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

// equal reports whether a proposed object is the prior one, apart from the values of write-only attributes: these are in
// the configuration, and in what Terraform proposes, but in no state and no plan.
func (t traits) equal(prior, proposed tftypes.Value) bool {
	if t.isEmpty() || prior.IsNull() || proposed.IsNull() || !proposed.IsKnown() {
		return prior.Equal(proposed)
	}
	switch {
	case prior.Type().Is(tftypes.Object{}):
		var was, is map[string]tftypes.Value
		return prior.As(&was) == nil && proposed.As(&is) == nil && t.equalMembers(was, is)
	case prior.Type().Is(tftypes.List{}):
		var was, is []tftypes.Value
		return prior.As(&was) == nil && proposed.As(&is) == nil && slices.EqualFunc(was, is, t.equal)
	}
	return prior.Equal(proposed)
}

func (t traits) equalMembers(prior, proposed map[string]tftypes.Value) bool {
	for name, was := range prior {
		if !t.writeOnly[name] && !t.nested[name].equal(was, proposed[name]) {
			return false
		}
	}
	return true
}
