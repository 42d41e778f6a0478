package acctest

import (
	"math/big"

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
