package acctest

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// resultProblems are the ways in which the object that came of a change
// breaks the promise of its plan: whatever was known then must be so now, and
// only blocks that were unknown as a whole may have changed in number.
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
		if f.block {
			problems = append(problems, f.blockResultProblems(p, a, step(at, name))...)
			continue
		}
		for _, problem := range valueProblems(p, a, step(at, name)) {
			if f.sensitive {
				problem = step(at, name) + ": a sensitive value is not the one that was planned"
			}
			problems = append(problems, problem)
		}
	}
	return problems
}

func (f *field) blockResultProblems(planned, actual tftypes.Value, at string) []string {
	switch {
	case !planned.IsKnown() && (f.nesting != single || actual.IsNull()):
		return nil
	case f.nesting == single:
		return resultProblems(f.fields, planned, actual, at)
	case planned.IsNull(), actual.IsNull(), !actual.IsKnown():
		return nil
	case f.nesting == set:
		return setProblems(elements(planned), elements(actual), at, func(p, a tftypes.Value) bool {
			return len(resultProblems(f.fields, p, a, "")) == 0
		})
	}
	was, is := f.objects(planned), f.objects(actual)
	if len(was) != len(is) {
		return []string{fmt.Sprintf("%s: %d were planned, now there are %d", at, len(was), len(is))}
	}
	var problems []string
	for _, key := range slices.Sorted(maps.Keys(was)) {
		problems = append(problems, resultProblems(f.fields, was[key], is[key], step(at, key))...)
	}
	return problems
}

// valueProblems compares any values, by their types alone.
func valueProblems(planned, actual tftypes.Value, at string) []string {
	switch {
	case !planned.IsKnown():
		return nil
	case planned.IsNull() && actual.IsNull():
		return nil
	case planned.IsNull(), actual.IsNull(), !actual.IsKnown():
		return []string{fmt.Sprintf("%s: was planned as %v, now it is %v", at, goValue(planned), goValue(actual))}
	}
	switch planned.Type().(type) {
	case tftypes.Object, tftypes.Map:
		return memberProblems(members(planned), members(actual), at)
	case tftypes.List, tftypes.Tuple:
		f := field{nesting: list}
		return memberProblems(f.objects(planned), f.objects(actual), at)
	case tftypes.Set:
		return setProblems(elements(planned), elements(actual), at, func(p, a tftypes.Value) bool {
			return len(valueProblems(p, a, "")) == 0
		})
	}
	if !planned.Equal(actual) {
		return []string{fmt.Sprintf("%s: was planned as %v, now it is %v", at, goValue(planned), goValue(actual))}
	}
	return nil
}

func memberProblems(planned, actual map[string]tftypes.Value, at string) []string {
	var problems []string
	for _, key := range slices.Sorted(maps.Keys(planned)) {
		if a, ok := actual[key]; ok {
			problems = append(problems, valueProblems(planned[key], a, step(at, key))...)
		} else {
			problems = append(problems, step(at, key)+": has vanished")
		}
	}
	for _, key := range slices.Sorted(maps.Keys(actual)) {
		if _, ok := planned[key]; !ok {
			problems = append(problems, step(at, key)+": has appeared")
		}
	}
	return problems
}

// setProblems wants a partner for each planned and each actual element, and
// never more elements than were planned: fewer is fine, because unknown ones
// may turn out equal.
func setProblems(planned, actual []tftypes.Value, at string, same func(p, a tftypes.Value) bool) []string {
	var problems []string
	for _, p := range planned {
		if !slices.ContainsFunc(actual, func(a tftypes.Value) bool { return same(p, a) }) {
			problems = append(problems, at+": a planned element has vanished")
		}
	}
	for _, a := range actual {
		if !slices.ContainsFunc(planned, func(p tftypes.Value) bool { return same(p, a) }) {
			problems = append(problems, at+": an element has appeared")
		}
	}
	if len(actual) > len(planned) {
		problems = append(problems, fmt.Sprintf("%s: grew from %d to %d elements", at, len(planned), len(actual)))
	}
	return problems
}

// unknownPaths are the places where a value is not known.
func unknownPaths(v tftypes.Value, at string) []string {
	if !v.IsKnown() {
		return []string{at}
	}
	var paths []string
	for i, e := range elements(v) {
		paths = append(paths, unknownPaths(e, step(at, i))...)
	}
	for _, name := range slices.Sorted(maps.Keys(members(v))) {
		paths = append(paths, unknownPaths(members(v)[name], step(at, name))...)
	}
	return paths
}
