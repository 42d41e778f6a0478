package acctest

import (
	"math/big"
	"strconv"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// members returns the attributes of an object or the elements of a map by key, or none if the value is null or unknown.
func members(v tftypes.Value) map[string]tftypes.Value {
	var m map[string]tftypes.Value
	if !v.IsKnown() || v.IsNull() || v.As(&m) != nil {
		return nil
	}
	return m
}

// elements returns the elements of a list, a set or a tuple, or none if the value is null or unknown.
func elements(v tftypes.Value) []tftypes.Value {
	var e []tftypes.Value
	if !v.IsKnown() || v.IsNull() || v.As(&e) != nil {
		return nil
	}
	return e
}

// member returns an attribute of an object. It is null or unknown if the object is.
func member(object tftypes.Value, name string, f *field) tftypes.Value {
	if m, ok := members(object)[name]; ok {
		return m
	}
	if !object.IsKnown() {
		return tftypes.NewValue(f.typ, tftypes.UnknownValue)
	}
	return tftypes.NewValue(f.typ, nil)
}

// goValue returns v as a Go value: nil, Unknown, string, bool, int64, float64, []any or map[string]any.
func goValue(v tftypes.Value) any {
	switch {
	case !v.IsKnown():
		return Unknown
	case v.IsNull():
		return nil
	}
	switch v.Type().(type) {
	case tftypes.Object, tftypes.Map:
		object := map[string]any{}
		for name, m := range members(v) {
			object[name] = goValue(m)
		}
		return object
	case tftypes.List, tftypes.Set, tftypes.Tuple:
		values := []any{}
		for _, e := range elements(v) {
			values = append(values, goValue(e))
		}
		return values
	}
	return goScalar(v)
}

func goScalar(v tftypes.Value) any {
	var text string
	if v.As(&text) == nil {
		return text
	}
	var truth bool
	if v.As(&truth) == nil {
		return truth
	}
	var number big.Float
	if err := v.As(&number); err != nil {
		return err
	}
	if whole, accuracy := number.Int64(); accuracy == big.Exact {
		return whole
	}
	fraction, _ := number.Float64()
	return fraction
}

// Text returns a string in a state, or "" for any other value.
func Text(v any) string {
	s, _ := v.(string)
	return s
}

// Number returns a whole number in a state or configuration, or 0 for any other value.
func Number(v any) int64 {
	if n, ok := v.(int); ok {
		return int64(n)
	}
	n, _ := v.(int64)
	return n
}

// ID returns the number in an attribute such as id.
func ID(v any) int64 {
	n, _ := strconv.ParseInt(Text(v), 10, 64)
	return n
}

// Blocks returns the blocks of a list in a state.
func Blocks(v any) []map[string]any {
	var all []map[string]any
	elements, _ := v.([]any)
	for _, e := range elements {
		if object, ok := e.(map[string]any); ok {
			all = append(all, object)
		}
	}
	return all
}
