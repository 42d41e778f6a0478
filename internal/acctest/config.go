// SPDX-License-Identifier: MPL-2.0

package acctest

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Unknown in a configuration is a value that is known only after apply, and Get returns it for such a value. A whole
// block may be Unknown, like a dynamic block over an unknown collection.
const Unknown = tftypes.UnknownValue

// buildObject converts a configuration to the types of its schema, as the CLI does: missing values are null, and
// missing blocks that may be repeated are empty.
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
	case v == nil && f.nesting == list:
		return tftypes.NewValue(f.typ, []tftypes.Value{}), nil
	case v == nil, v == Unknown, f.nesting == leaf:
		return buildValue(f.typ, v, at)
	case f.nesting == single:
		return f.buildOne(v, at)
	}
	var blocks []any
	switch v := v.(type) {
	case []any:
		blocks = v
	case []map[string]any:
		for _, block := range v {
			blocks = append(blocks, block)
		}
	default:
		return tftypes.Value{}, fmt.Errorf("%s: a %T does not make a %s", at, v, f.typ)
	}
	built := make([]tftypes.Value, len(blocks))
	for i, block := range blocks {
		var err error
		if built[i], err = f.buildOne(block, step(at, i)); err != nil {
			return tftypes.Value{}, err
		}
	}
	return tftypes.NewValue(f.typ, built), nil
}

// buildOne converts one object of the field.
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

// buildValue converts a value that contains no blocks.
func buildValue(typ tftypes.Type, v any, at string) (tftypes.Value, error) {
	if err := tftypes.ValidateValue(typ, v); err != nil {
		return tftypes.Value{}, fmt.Errorf("%s: %w", at, err)
	}
	return tftypes.NewValue(typ, v), nil
}
