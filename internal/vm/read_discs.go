package vm

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// readDiscs brings the discs of the state up to date, in the state's order: an
// order of the service's own is not drift. A disc is the one with its id, and its
// label and grade stay as configured, whatever they read now. Discs that the state
// does not have are foreign. missing are those of the state that the machine no
// longer has.
func readDiscs(state []discModel, p private, reported []cloudserver.Disc) (discs []discModel, now private, missing []discModel) {
	now = p
	now.Foreign = map[string]foreignDisc{}
	for _, disc := range reported {
		now.Foreign[cloudserver.IDText(disc.ID)] = foreignDisc{Label: disc.Label, Size: disc.Size, Grade: reportedGrade(disc)}
	}
	for _, known := range state {
		found := findDisc(known, reported)
		if found == nil {
			missing = append(missing, known)
			continue
		}
		delete(now.Foreign, cloudserver.IDText(found.ID))
		if found.Size != 0 { // reported
			known.Size = types.Int64Value(found.Size)
		}
		if !tfkit.Given(known.StorageGrade) {
			known.StorageGrade = tfkit.StringOrNull(reportedGrade(*found))
		}
		known.ID = tfkit.IDOrNull(found.ID) // it may have been found by its label
		discs = append(discs, known)
	}
	now.Moved = maps.Clone(p.Moved)
	maps.DeleteFunc(now.Moved, func(_ string, m movedDisc) bool { // it is back
		return slices.ContainsFunc(reported, func(d cloudserver.Disc) bool { return cloudserver.IDText(d.ID) == m.ID })
	})
	return discs, now, missing
}

// warnForeign names the discs that no configuration manages.
func (p private) warnForeign(m *model, diags *diag.Diagnostics) {
	lost := "Destroying or replacing the machine destroys it as well, with its backups."
	if !m.mayPurge() {
		lost = "Destroying or replacing the machine soft-deletes it with the machine."
	}
	for _, id := range slices.Sorted(maps.Keys(p.Foreign)) {
		disc := p.Foreign[id]
		diags.AddAttributeWarning(path.Root("disc"), fmt.Sprintf("The machine has a disc %q that no configuration manages", disc.Label),
			fmt.Sprintf("Disc %q (ID %s, %d megabytes, %s) of %s is left alone. %s To manage it, add a disc block with this label and size.",
				disc.Label, id, disc.Size, disc.Grade, m.title(), lost))
	}
}
