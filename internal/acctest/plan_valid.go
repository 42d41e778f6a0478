package acctest

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// planProblems are the ways in which a planned object breaks core's rules: a
// provider may plan only what is computed and not configured, may keep a
// prior value that is as good as the configured one, and may not add, drop or
// blur a block.
func planProblems(fs fields, prior, config, planned tftypes.Value, at string) []string {
	switch {
	case planned.IsNull() && config.IsNull():
		return nil
	case planned.IsNull():
		return []string{at + ": planned for absence, but the configuration wants it"}
	case config.IsNull():
		return []string{at + ": planned for existence, but the configuration does not want it"}
	}
	var problems []string
	for _, name := range slices.Sorted(maps.Keys(fs)) {
		f := fs[name]
		p, c, n := member(prior, name, f), member(config, name, f), member(planned, name, f)
		if f.block {
			problems = append(problems, f.blockPlanProblems(p, c, n, step(at, name))...)
		} else {
			problems = append(problems, f.attributePlanProblems(p, c, n, step(at, name))...)
		}
	}
	return problems
}

func (f *field) blockPlanProblems(prior, config, planned tftypes.Value, at string) []string {
	switch {
	case planned.Equal(config):
		return nil
	case !config.IsKnown():
		return []string{at + ": a dynamic block over an unknown collection may not be planned"}
	case !planned.IsKnown():
		return []string{at + ": a block itself may not become unknown"}
	case f.nesting == single:
		return planProblems(f.fields, prior, config, planned, at)
	case planned.IsNull():
		return []string{at + ": no blocks are an empty collection, not null"}
	}
	return f.eachPlanProblem(prior, config, planned, at)
}

// eachPlanProblem compares the objects of a collection by index or key. Those
// of a set have neither, so only their being known is asked for.
func (f *field) eachPlanProblem(prior, config, planned tftypes.Value, at string) []string {
	was, wanted, is := f.objects(prior), f.objects(config), f.objects(planned)
	if f.nesting != set && len(wanted) != len(is) {
		return []string{fmt.Sprintf("%s: %d are planned, %d configured", at, len(is), len(wanted))}
	}
	var problems []string
	for _, key := range slices.Sorted(maps.Keys(is)) {
		at := step(at, key)
		switch {
		case f.block && !is[key].IsKnown():
			problems = append(problems, at+": a block itself may not become unknown")
		case f.nesting == set:
		case wanted[key].Type() == nil:
			problems = append(problems, at+": planned, but not configured")
		default:
			p, ok := was[key]
			if !ok {
				p = f.noObject()
			}
			problems = append(problems, planProblems(f.fields, p, wanted[key], is[key], at)...)
		}
	}
	return problems
}

func (f *field) attributePlanProblems(prior, config, planned tftypes.Value, at string) []string {
	switch {
	case f.writeOnly, planned.Equal(config): // write-only ones: see writeOnlyProblems
		return nil
	case planned.Equal(prior) && !prior.IsNull() && !config.IsNull():
		return nil // as good as what is configured, says the provider
	case f.computed && (!f.optional || config.IsNull()):
		return nil
	case f.nesting == leaf, config.IsNull(), planned.IsNull():
		return []string{f.mismatch(at, "planned", planned, "configured", config)}
	case !planned.IsKnown():
		return []string{at + ": configured, but planned as unknown"}
	case f.nesting == single:
		return planProblems(f.fields, prior, config, planned, at)
	}
	return f.eachPlanProblem(prior, config, planned, at)
}

// mismatch words a difference, without the values where they are sensitive.
func (f *field) mismatch(at, oneName string, one tftypes.Value, otherName string, other tftypes.Value) string {
	if f.sensitive {
		return fmt.Sprintf("%s: a sensitive value is not the one that is %s", at, otherName)
	}
	return fmt.Sprintf("%s: %v is %s, %v %s", at, goValue(one), oneName, goValue(other), otherName)
}

// writeOnlyProblems are the write-only attributes which an object that would
// be stored holds a value of.
func writeOnlyProblems(fs fields, v tftypes.Value, at string) []string {
	var problems []string
	for _, name := range slices.Sorted(maps.Keys(members(v))) {
		f, value := fs[name], members(v)[name]
		if f.writeOnly && !value.IsNull() {
			problems = append(problems, step(at, name)+": a write-only value would be stored")
		}
		objects := f.objects(value)
		for _, key := range slices.Sorted(maps.Keys(objects)) {
			problems = append(problems, writeOnlyProblems(f.fields, objects[key], step(step(at, name), key))...)
		}
	}
	return problems
}
