package vm

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// observedDiscs are a machine's discs as the last refresh saw them, by ID, where they differ from the state. It is empty
// if they are as in the state, and nil if no refresh has seen them, or if that does not matter. Messages about a disc
// follow from it:
//
//   - A foreign disc is on the machine, but not in its state: no block manages it.
//   - A moved disc is in the state, but on another machine.
//   - A renamed disc has another label than in the state.
type observedDiscs map[string]observedDisc

// observedDisc is a disc as the last refresh saw it.
type observedDisc struct {
	Label   string `json:"label,omitempty"`
	Grade   string `json:"grade,omitempty"`
	Size    int64  `json:"size,omitempty"`    // in megabytes, of a foreign disc: the state has the others'
	Machine string `json:"machine,omitempty"` // of a moved disc: the ID of the machine that has it
}

// observe compares discs of the state with those that the machine shows.
func observe(state []discModel, shown []cloudserver.Disc) observedDiscs {
	seen := observedDiscs{}
	for _, d := range shown {
		seen[cloudserver.IDText(d.ID)] = observedDisc{Label: d.Label, Grade: reportedGrade(d), Size: d.Size}
	}
	for _, d := range state {
		found := findDisc(d, shown)
		if found == nil {
			continue
		}
		id, label, grade := cloudserver.IDText(found.ID), cmp.Or(found.Label, d.Label.ValueString()), reportedGrade(*found)
		delete(seen, id)
		isOther := !cloudserver.SameLabel(label, d.Label.ValueString()) || grade != "" && grade != d.StorageGrade.ValueString()
		if found.ID != 0 && isOther {
			seen[id] = observedDisc{Label: label, Grade: grade}
		}
	}
	return seen
}

// twoLabels is the smallest number of discs of which two can change their labels at the same time: the boot disc stays,
// and a single changed label is a rename.
const twoLabels = 3

// compact returns nil if nothing differs, and if the labels are too few for two of them to change, so that it makes no
// difference whether a refresh has seen the discs. The private state of most machines is empty then.
func (seen observedDiscs) compact(state []discModel) observedDiscs {
	if len(seen) == 0 && len(state) < twoLabels {
		return nil
	}
	return seen
}

// now returns the label and the grade that the service has for a disc of the state.
func (seen observedDiscs) now(d discModel) (label, grade string) {
	if is, ok := seen[d.ID.ValueString()]; ok && is.Machine == "" {
		return is.Label, is.Grade
	}
	return d.Label.ValueString(), d.StorageGrade.ValueString()
}

// movedTo returns the ID of the other machine that has a disc of the state, or "".
func (seen observedDiscs) movedTo(d discModel) string { return seen[d.ID.ValueString()].Machine }

// moved returns those discs of the state that are on other machines.
func (seen observedDiscs) moved(state []discModel) []discModel {
	return slices.DeleteFunc(slices.Clone(state), func(d discModel) bool { return seen.movedTo(d) == "" })
}

// haveMoved reports whether a disc of the state is on another machine.
func (seen observedDiscs) haveMoved() bool {
	for _, d := range seen {
		if d.Machine != "" {
			return true
		}
	}
	return false
}

// foreign returns the discs that are on the machine, but not in its state, sorted by ID.
func (seen observedDiscs) foreign(state []discModel) (discs []discModel) {
	for _, id := range slices.Sorted(maps.Keys(seen)) {
		if d := seen.disc(types.StringValue(id)); seen.movedTo(d) == "" && !hasDisc(state, d.ID) {
			discs = append(discs, d)
		}
	}
	return discs
}

// disc returns a foreign disc.
func (seen observedDiscs) disc(id types.String) discModel {
	is := seen[id.ValueString()]
	return discModel{
		ID: id, Label: types.StringValue(is.Label), Size: types.Int64Value(is.Size), StorageGrade: tfkit.StringOrNull(is.Grade),
	}
}

// without returns what is observed after a disc was purged.
func (seen observedDiscs) without(d discModel) observedDiscs {
	left := maps.Clone(seen)
	delete(left, d.ID.ValueString())
	return left
}

// onMachine returns the discs of the state and the foreign ones as the machine shows them.
func (seen observedDiscs) onMachine(state []discModel) []cloudserver.Disc {
	return mapped(append(slices.Clone(state), seen.foreign(state)...), func(d discModel) cloudserver.Disc {
		label, grade := seen.now(d)
		return cloudserver.Disc{ID: d.numericID(), Label: label, Size: d.Size.ValueInt64(), StorageGrade: grade}
	})
}

// describe returns what is known about a disc, for a message.
func (seen observedDiscs) describe(d discModel) string {
	otherwise := ""
	if label, _ := seen.now(d); !cloudserver.SameLabel(label, d.Label.ValueString()) {
		otherwise = fmt.Sprintf(", which the service calls %q now", label)
	}
	return fmt.Sprintf("%q (ID %s, %d megabytes, %s%s)", d.Label.ValueString(), d.ID.ValueString(), d.Size.ValueInt64(), d.StorageGrade.ValueString(), otherwise)
}
