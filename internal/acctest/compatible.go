// SPDX-License-Identifier: MPL-2.0

package acctest

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// resultProblems returns how the result of a change contradicts its plan: values that were known at plan must not
// change, and the number of blocks may change only if it was unknown.
func resultProblems(fs fields, planned, actual tftypes.Value, at string) []string {
	switch {
	case planned.IsNull() && actual.IsNull():
		return nil
	case planned.IsNull():
		return []string{at + ": planned as absent, but it is there"}
	case actual.IsNull():
		return []string{at + ": planned, but it is not there"}
	}
	var problems []string
	for _, name := range slices.Sorted(maps.Keys(fs)) {
		f := fs[name]
		p, a := member(planned, name, f), member(actual, name, f)
		at := step(at, name)
		switch {
		case f.nesting != leaf:
			problems = append(problems, f.blockResultProblems(p, a, at)...)
		case f.isComputedMap():
			problems = append(problems, mapResultProblems(p, a, at)...)
		case !p.IsKnown(), p.Equal(a):
		case f.sensitive:
			problems = append(problems, at+": a sensitive value is not the one that was planned")
		default:
			problems = append(problems, fmt.Sprintf("%s: was planned as %v, now it is %v", at, goValue(p), goValue(a)))
		}
	}
	return problems
}

// mapResultProblems compares a computed map or object: its keys must be the planned ones, and the values that were known.
func mapResultProblems(planned, actual tftypes.Value, at string) []string {
	if !planned.IsKnown() || planned.Equal(actual) {
		return nil
	}
	was, is := members(planned), members(actual)
	if keys, now := slices.Sorted(maps.Keys(was)), slices.Sorted(maps.Keys(is)); !slices.Equal(keys, now) {
		return []string{fmt.Sprintf("%s: planned with the keys %q, now it has %q", at, keys, now)}
	}
	var problems []string
	for _, key := range slices.Sorted(maps.Keys(was)) {
		if p, a := was[key], is[key]; p.IsKnown() && !p.Equal(a) {
			problems = append(problems, fmt.Sprintf("%s: was planned as %v, now it is %v", step(at, key), goValue(p), goValue(a)))
		}
	}
	return problems
}

func (f *field) blockResultProblems(planned, actual tftypes.Value, at string) []string {
	switch {
	case !planned.IsKnown() && (f.nesting == list || actual.IsNull()):
		return nil
	case f.nesting == single:
		return resultProblems(f.fields, planned, actual, at)
	case planned.IsNull(), actual.IsNull(), !actual.IsKnown():
		return nil
	}
	was, is := elements(planned), elements(actual)
	if len(was) != len(is) {
		return []string{fmt.Sprintf("%s: %d were planned, now there are %d", at, len(was), len(is))}
	}
	var problems []string
	for i := range was {
		problems = append(problems, resultProblems(f.fields, was[i], is[i], step(at, i))...)
	}
	return problems
}

// unknownPaths returns the paths of unknown values.
func unknownPaths(v tftypes.Value, at string) []string {
	if !v.IsKnown() {
		return []string{at}
	}
	var paths []string
	all := parts(v)
	for _, key := range slices.Sorted(maps.Keys(all)) {
		paths = append(paths, unknownPaths(all[key], step(at, key))...)
	}
	return paths
}

// changedPaths returns the paths at which two values differ, as deep as possible.
func changedPaths(was, is tftypes.Value, at string) []string {
	if was.Equal(is) {
		return nil
	}
	one, other := parts(was), parts(is)
	if one == nil || other == nil {
		return []string{at}
	}
	all := maps.Clone(one)
	maps.Copy(all, other)
	var paths []string
	for _, key := range slices.Sorted(maps.Keys(all)) {
		paths = append(paths, changedPaths(one[key], other[key], step(at, key))...)
	}
	return paths
}
