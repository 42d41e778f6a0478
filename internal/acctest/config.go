package acctest

import (
	"fmt"
	"reflect"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Unknown stands in a configuration for a value that is known only after
// apply, and is what Get answers for one. A whole block may be Unknown too: a
// dynamic block over an unknown collection.
const Unknown = tftypes.UnknownValue

// buildObject types a configuration by its schema, as the CLI's parser would:
// what is missing is null, or empty for a block that may be repeated.
func buildObject(fs fields, typ tftypes.Type, config map[string]any, at string) (tftypes.Value, error) {
	for name := range config {
		if fs[name] == nil {
			return tftypes.Value{}, fmt.Errorf("the schema has no %s", step(at, name))
		}
	}
	values := make(map[string]tftypes.Value, len(fs))
	for name, f := range fs {
		v, err := f.build(config[name], step(at, name))
		if err != nil {
			return tftypes.Value{}, err
		}
		values[name] = v
	}
	return tftypes.NewValue(typ, values), nil
}

func (f *field) build(v any, at string) (tftypes.Value, error) {
	switch {
	case v == nil && f.block && (f.nesting == list || f.nesting == set):
		return tftypes.NewValue(f.typ, []tftypes.Value{}), nil
	case v == nil && f.block && f.nesting == mapping:
		return tftypes.NewValue(f.typ, map[string]tftypes.Value{}), nil
	case v == nil, v == Unknown, f.nesting == leaf:
		return buildValue(f.typ, v, at)
	}
	if value, ok := v.(tftypes.Value); ok {
		return value, nil
	}
	if f.nesting == single {
		return f.buildOne(v, at)
	}
	return buildCollection(f.typ, v, at, f.buildOne)
}

// buildOne types one object of the field.
func (f *field) buildOne(v any, at string) (tftypes.Value, error) {
	if v == Unknown {
		return tftypes.NewValue(f.objectType(), Unknown), nil
	}
	object, ok := v.(map[string]any)
	if !ok {
		return tftypes.Value{}, fmt.Errorf("%s: want a map[string]any, not a %T", at, v)
	}
	return buildObject(f.fields, f.objectType(), object, at)
}

// buildValue types a value that holds no nested attributes.
func buildValue(typ tftypes.Type, v any, at string) (tftypes.Value, error) {
	if v == nil || v == Unknown {
		return tftypes.NewValue(typ, v), nil
	}
	if value, ok := v.(tftypes.Value); ok {
		return value, nil
	}
	switch t := typ.(type) {
	case tftypes.List:
		return buildCollection(t, v, at, elementBuilder(t.ElementType))
	case tftypes.Set:
		return buildCollection(t, v, at, elementBuilder(t.ElementType))
	case tftypes.Map:
		return buildCollection(t, v, at, elementBuilder(t.ElementType))
	case tftypes.Object:
		fs := make(fields, len(t.AttributeTypes))
		for name, attribute := range t.AttributeTypes {
			fs[name] = &field{typ: attribute}
		}
		return (&field{typ: t, nesting: single, fields: fs}).buildOne(v, at)
	}
	if err := tftypes.ValidateValue(typ, v); err != nil {
		return tftypes.Value{}, fmt.Errorf("%s: %w", at, err)
	}
	return tftypes.NewValue(typ, v), nil
}

type builder func(v any, at string) (tftypes.Value, error)

func elementBuilder(typ tftypes.Type) builder {
	return func(v any, at string) (tftypes.Value, error) { return buildValue(typ, v, at) }
}

// buildCollection types any Go slice, or map with string keys, element by
// element.
func buildCollection(typ tftypes.Type, v any, at string, one builder) (tftypes.Value, error) {
	values := reflect.ValueOf(v)
	keyed := typ.Is(tftypes.Map{})
	switch {
	case keyed && values.Kind() == reflect.Map && values.Type().Key().Kind() == reflect.String:
		return buildMap(typ, values, at, one)
	case !keyed && values.Kind() == reflect.Slice:
		return buildSequence(typ, values, at, one)
	}
	return tftypes.Value{}, fmt.Errorf("%s: a %T does not make a %s", at, v, typ)
}

func buildSequence(typ tftypes.Type, values reflect.Value, at string, one builder) (tftypes.Value, error) {
	built := make([]tftypes.Value, values.Len())
	for i := range built {
		v, err := one(values.Index(i).Interface(), step(at, i))
		if err != nil {
			return tftypes.Value{}, err
		}
		built[i] = v
	}
	return tftypes.NewValue(typ, built), nil
}

func buildMap(typ tftypes.Type, values reflect.Value, at string, one builder) (tftypes.Value, error) {
	built := make(map[string]tftypes.Value, values.Len())
	for _, key := range values.MapKeys() {
		v, err := one(values.MapIndex(key).Interface(), step(at, key.String()))
		if err != nil {
			return tftypes.Value{}, err
		}
		built[key.String()] = v
	}
	return tftypes.NewValue(typ, built), nil
}
