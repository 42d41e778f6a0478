package vm

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// maxDiscs is the service's limit for one machine (API.md §4).
const maxDiscs = 8

var discTypes = attributeTypesOf(func() attr.Type { return discBlock().NestedObject.Type() })

// discModel is one block disc (API.md §8.2). The configuration knows a disc by
// its label, the service by its id.
type discModel struct {
	Label        types.String `tfsdk:"label"`
	Size         types.Int64  `tfsdk:"size"`
	StorageGrade types.String `tfsdk:"storage_grade"`
	ID           types.String `tfsdk:"id"`
}

func discBlock() schema.ListNestedBlock {
	return schema.ListNestedBlock{
		MarkdownDescription: "A disc, identified by its label. A machine has at most eight; the first is the boot disc.",
		Validators:          []validator.List{listvalidator.SizeAtMost(maxDiscs)},
		NestedObject: schema.NestedBlockObject{Attributes: map[string]schema.Attribute{
			"label": schema.StringAttribute{
				MarkdownDescription: "Device label, such as `vda`; unique on the machine. A new label must not consist of digits only.",
				Required:            true,
				Validators:          []validator.String{tfkit.NotEmpty, tfkit.PathName},
			},
			"size": schema.Int64Attribute{
				MarkdownDescription: "Size in megabytes. It can be raised in place, but not lowered.",
				Required:            true,
				Validators:          []validator.Int64{tfkit.Number{Least: 1, Means: "the size of the disc in megabytes"}},
			},
			"storage_grade": schema.StringAttribute{
				MarkdownDescription: "Storage grade, such as `sata`, `ssd` or `archive`: one of `storage_grades` of the data source `cloudserver_definitions`. Without it, the service chooses.",
				Optional:            true,
				Computed:            true,
				Validators:          []validator.String{tfkit.NotEmpty},
			},
			"id": schema.StringAttribute{MarkdownDescription: "ID of the disc.", Computed: true},
		}},
	}
}

// discs returns the blocks: none while the list itself is unknown, as a dynamic block
// over an unknown value makes it.
func (m *model) discs() []discModel {
	return mapped(m.Disc.Elements(), func(element attr.Value) discModel {
		object, _ := element.(types.Object)
		disc, _ := blockOf[discModel](object)
		return disc
	})
}

// knowsDiscs reports whether the list and every label in it is known.
func (m *model) knowsDiscs() bool {
	return !m.Disc.IsUnknown() && !slices.ContainsFunc(m.discs(), func(d discModel) bool { return d.Label.IsUnknown() })
}

func discList(discs []discModel) types.List {
	elements := mapped(discs, func(d discModel) attr.Value { return tfkit.Object(discTypes(), d) })
	return types.ListValueMust(types.ObjectType{AttrTypes: discTypes()}, elements)
}

func discFromAPI(d cloudserver.Disc) discModel {
	return discModel{
		Label:        types.StringValue(d.Label),
		Size:         types.Int64Value(d.Size),
		StorageGrade: tfkit.StringOrNull(reportedGrade(d)),
		ID:           tfkit.IDOrNull(d.ID),
	}
}

// reportedGrade returns the grade that the disc has, or will have when its
// migration or restore is done (API.md §4).
func reportedGrade(d cloudserver.Disc) string {
	if d.NewStorageGrade != "" {
		return d.NewStorageGrade
	}
	return d.StorageGrade
}

func (d discModel) toAPI() cloudserver.DiscSpec {
	return cloudserver.DiscSpec{Label: d.Label.ValueString(), Size: d.Size.ValueInt64(), StorageGrade: d.StorageGrade.ValueString()}
}

// isBootByLabel reports whether the label is one that boot discs have.
func (d discModel) isBootByLabel() bool {
	return slices.Contains([]string{"vda", "sda", "xvda", "root", "boot", "os"}, strings.ToLower(d.Label.ValueString()))
}

// bootFirst puts the boot disc of an imported machine first, wherever the service
// lists it: the one that its label says, or else the one that was created first.
func bootFirst(discs []discModel) []discModel {
	boot := slices.IndexFunc(discs, discModel.isBootByLabel)
	for i, d := range discs {
		if boot < 0 || !discs[boot].isBootByLabel() && d.numericID() < discs[boot].numericID() {
			boot = i
		}
	}
	if boot > 0 {
		return slices.Insert(slices.Delete(slices.Clone(discs), boot, boot+1), 0, discs[boot])
	}
	return discs
}

func (d discModel) numericID() int64 { return tfkit.IDOf(d.ID) }

// fillDiscs completes planned discs: by id where the plan knows it, by label
// where the disc is new.
func fillDiscs(planned []discModel, reported []cloudserver.Disc) []discModel {
	return mapped(planned, func(d discModel) discModel {
		var found discModel
		if r := findDisc(d, reported); r != nil {
			found = discFromAPI(*r)
		}
		d.StorageGrade = tfkit.PlannedOr(d.StorageGrade, found.StorageGrade)
		d.ID = tfkit.PlannedOr(d.ID, found.ID)
		return d
	})
}

// findDisc finds the disc by its id, or else by its label; nil if it is not there.
func findDisc(d discModel, reported []cloudserver.Disc) *cloudserver.Disc {
	var normalised *cloudserver.Disc
	for i, r := range reported {
		switch {
		case d.numericID() != 0:
			if r.ID == d.numericID() {
				return &reported[i]
			}
		case r.Label == d.Label.ValueString():
			return &reported[i]
		case cloudserver.SameLabel(r.Label, d.Label.ValueString()):
			normalised = &reported[i]
		}
	}
	return normalised
}

func discWithID(discs []discModel, id types.String) (found discModel, ok bool) {
	return firstDisc(discs, func(d discModel) bool { return d.ID.Equal(id) })
}

func firstDisc(discs []discModel, is func(discModel) bool) (found discModel, ok bool) {
	if i := slices.IndexFunc(discs, is); i >= 0 {
		return discs[i], true
	}
	return discModel{}, false
}

// labels lists discs for a message.
func labels(discs []discModel) []string {
	return mapped(discs, func(d discModel) string { return d.Label.ValueString() })
}

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
	now.Moved = map[string]movedDisc{}
	maps.Copy(now.Moved, p.Moved)
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
	for _, disc := range p.foreignDiscs() {
		diags.AddAttributeWarning(path.Root("disc"), fmt.Sprintf("The machine has a disc %s that no configuration manages", disc.Label),
			fmt.Sprintf("Disc %s (ID %s, %d megabytes, %s) of %s is left alone. %s To manage it, add a disc block with this label and size.",
				disc.Label, disc.ID.ValueString(), disc.Size.ValueInt64(), disc.StorageGrade.ValueString(), m.title(), lost))
	}
}
