// SPDX-License-Identifier: MPL-2.0

package acctest

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// planProblems returns how a planned object breaks Terraform's rules: a provider may plan only values that are computed
// and not configured, may keep a prior value that is equivalent to the configured one, and may not add or remove
// blocks, or make them unknown.
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
		if f.nesting != leaf {
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
	was, wanted, is := elements(prior), elements(config), elements(planned)
	if len(wanted) != len(is) {
		return []string{fmt.Sprintf("%s: %d are planned, %d configured", at, len(is), len(wanted))}
	}
	var problems []string
	for i, block := range is {
		at, p := step(at, i), f.noObject()
		if i < len(was) {
			p = was[i]
		}
		if !block.IsKnown() {
			problems = append(problems, at+": a block itself may not become unknown")
			continue
		}
		problems = append(problems, planProblems(f.fields, p, wanted[i], block, at)...)
	}
	return problems
}

// attributePlanProblems describes a difference, without values if they are sensitive.
func (f *field) attributePlanProblems(prior, config, planned tftypes.Value, at string) []string {
	switch {
	case f.writeOnly, planned.Equal(config): // write-only ones: see writeOnlyProblems
		return nil
	case planned.Equal(prior) && !prior.IsNull() && !config.IsNull():
		return nil // as good as what is configured, says the provider
	case f.computed && (!f.optional || config.IsNull()):
		return nil
	case f.sensitive:
		return []string{at + ": a sensitive value is not the one that is configured"}
	}
	return []string{fmt.Sprintf("%s: %v is planned, %v configured", at, goValue(planned), goValue(config))}
}

// writeOnlyProblems returns the write-only attributes that have a value in an object that would be stored.
func writeOnlyProblems(fs fields, v tftypes.Value, at string) []string {
	var problems []string
	for _, name := range slices.Sorted(maps.Keys(members(v))) {
		f, value := fs[name], members(v)[name]
		if f.writeOnly && !value.IsNull() {
			problems = append(problems, step(at, name)+": a write-only value would be stored")
		}
		if f.nesting == single {
			problems = append(problems, writeOnlyProblems(f.fields, value, step(at, name))...)
		}
		for i, element := range elements(value) {
			problems = append(problems, writeOnlyProblems(f.fields, element, step(step(at, name), i))...)
		}
	}
	return problems
}
