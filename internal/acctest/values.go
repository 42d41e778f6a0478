// SPDX-License-Identifier: MPL-2.0

package acctest

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

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

// parts returns what a value consists of: attributes by name, and elements by key or index. It is nil for a value that
// is null, unknown or plain.
func parts(v tftypes.Value) map[string]tftypes.Value {
	if v.IsNull() || !v.IsKnown() {
		return nil
	}
	switch v.Type().(type) {
	case tftypes.Object, tftypes.Map:
		return members(v)
	case tftypes.List, tftypes.Set, tftypes.Tuple:
		byIndex := map[string]tftypes.Value{}
		for i, element := range elements(v) {
			byIndex[strconv.Itoa(i)] = element
		}
		return byIndex
	}
	return nil
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

// step appends an element to a dotted path: "disc" and 0 give "disc.0".
func step(at string, next any) string {
	if at == "" {
		return fmt.Sprint(next)
	}
	return fmt.Sprintf("%s.%v", at, next)
}

// Path returns an attribute path with dots: "disc.0.size", or "" for the whole.
func Path(path *tftypes.AttributePath) string {
	at := ""
	for _, s := range path.Steps() {
		switch s := s.(type) {
		case tftypes.AttributeName:
			at = step(at, string(s))
		case tftypes.ElementKeyString:
			at = step(at, string(s))
		case tftypes.ElementKeyInt:
			at = step(at, int64(s))
		}
	}
	return at
}

// lookup returns the value at a dotted path. The error of a path that does not exist says which part is missing.
func lookup(v tftypes.Value, path string) (tftypes.Value, error) {
	if path == "" {
		return v, nil
	}
	name, rest, _ := strings.Cut(path, ".")
	next, ok := parts(v)[name]
	if !ok {
		return tftypes.Value{}, fmt.Errorf("there is no %q in %s", name, v.Type())
	}
	return lookup(next, rest)
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

// ID returns the number in an attribute such as id.
func ID(v any) int64 {
	n, _ := strconv.ParseInt(Text(v), 10, 64)
	return n
}
