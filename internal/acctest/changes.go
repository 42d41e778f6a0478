package acctest

import (
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// changedPaths are the deepest paths at which two values differ.
func changedPaths(was, is tftypes.Value, at string) []string {
	if was.Equal(is) {
		return nil
	}
	if one, other := fieldsOf(was), fieldsOf(is); one != nil && other != nil {
		var paths []string
		for _, key := range slices.Sorted(maps.Keys(merged(one, other))) {
			paths = append(paths, changedPaths(one[key], other[key], step(at, key))...)
		}
		return paths
	}
	return []string{at}
}

// fieldsOf are the parts of a value that have names or indices; nil for one
// that has none.
func fieldsOf(v tftypes.Value) map[string]tftypes.Value {
	switch v.Type().(type) {
	case tftypes.List, tftypes.Tuple:
		if v.IsKnown() && !v.IsNull() {
			return (&field{nesting: list}).objects(v)
		}
	case tftypes.Object, tftypes.Map:
		return members(v)
	}
	return nil
}

func merged(one, other map[string]tftypes.Value) map[string]tftypes.Value {
	all := maps.Clone(one)
	maps.Copy(all, other)
	return all
}
