package vm

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// readDiscs brings the discs of the state up to date, in the state's order: an
// order of the service's own is not drift. A disc is the one with its id,
// whatever its label reads now. Discs that the state does not have are foreign.
// missing are those of the state that the machine no longer has.
func readDiscs(state []discModel, p private, reported []cloudserver.Disc, diags *diag.Diagnostics) (discs []discModel, now private, missing []discModel) {
	now = p
	now.Foreign, now.Renamed, now.Grades = map[string]foreignDisc{}, map[string]string{}, map[string]string{}
	ours := map[int64]bool{}
	for _, known := range state {
		found := findDisc(known, reported)
		if found == nil {
			missing = append(missing, known)
			continue
		}
		ours[found.ID] = true
		discs = append(discs, now.readDisc(known, *found, p, diags))
	}
	for _, disc := range reported {
		if !ours[disc.ID] {
			now.readForeign(disc, p, diags)
		}
	}
	if len(state) > 0 || len(reported) > 0 {
		now.Moved = maps.Clone(p.Moved)
		maps.DeleteFunc(now.Moved, func(_ string, m movedDisc) bool { // it is back
			return slices.ContainsFunc(reported, func(d cloudserver.Disc) bool { return cloudserver.IDText(d.ID) == m.ID })
		})
	}
	return discs, now, missing
}

// readDisc keeps the configured label where the service only normalises it, and
// the configured grade where somebody else changed it.
func (p *private) readDisc(known discModel, found cloudserver.Disc, before private, diags *diag.Diagnostics) discModel {
	disc, id := discFromAPI(found), cloudserver.IDText(found.ID)
	configured := before.configuredLabel(known)
	if found.Size == 0 { // not reported
		disc.Size = known.Size
	}
	switch {
	case found.Label == "" || cloudserver.SameLabel(configured, found.Label):
		disc.Label = tfkit.StringOrNull(configured)
	default:
		p.Renamed[id] = configured
	}
	if tfkit.Given(known.StorageGrade) && disc.StorageGrade.ValueString() != known.StorageGrade.ValueString() {
		if !disc.StorageGrade.IsNull() {
			p.Grades[id] = disc.StorageGrade.ValueString()
		}
		disc.StorageGrade = known.StorageGrade
	}
	if grade := p.Grades[id]; grade != "" && grade != before.Grades[id] {
		diags.AddAttributeWarning(path.Root("disc"), fmt.Sprintf("Disc %q has another storage grade", configured),
			fmt.Sprintf("Disc %q (ID %s) has, or is migrating to, the grade %q instead of %q. Nothing is planned for it. To record it, set storage_grade = %q.",
				configured, id, grade, disc.StorageGrade.ValueString(), grade))
	}
	return disc
}

// readForeign remembers a disc that somebody else put on the machine.
func (p *private) readForeign(found cloudserver.Disc, before private, diags *diag.Diagnostics) {
	id := cloudserver.IDText(found.ID)
	p.Foreign[id] = foreignDisc{Label: found.Label, Size: found.Size, Grade: reportedGrade(found)}
	if _, seen := before.Foreign[id]; !seen {
		diags.AddAttributeWarning(path.Root("disc"), fmt.Sprintf("The machine has a disc %q that no configuration manages", found.Label),
			fmt.Sprintf("Disc %q (ID %s, %d megabytes, %s) is left alone. To manage it, add a disc block with this label and size. Destroying or replacing the machine destroys it, too.",
				found.Label, id, found.Size, reportedGrade(found)))
	}
}
