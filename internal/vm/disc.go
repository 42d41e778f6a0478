// SPDX-License-Identifier: MPL-2.0

package vm

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/steps"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// maxDiscs is the service's limit for a machine (API.md §4).
const maxDiscs = 8

var discTypes = typesOf(func() attr.Type { return discBlock().NestedObject.Type() })

// discModel is a block disc (API.md §8.2). In a configuration, the label identifies a disc; in a state, the ID does.
// Label and grade in the state are those of the last apply or import, and the size is the service's.
type discModel struct {
	Label        types.String `tfsdk:"label"`
	Size         types.Int64  `tfsdk:"size"` // megabytes
	StorageGrade types.String `tfsdk:"storage_grade"`
	ID           types.String `tfsdk:"id"`
}

// discLabel refuses a label that cannot be part of a request's path.
var discLabel = tfkit.Text{
	Accepts: `a label such as "vda", without slashes, and neither empty nor "." nor ".."`, Summary: "Invalid label", Valid: tfkit.PathName.Valid,
}

func discBlock() schema.ListNestedBlock {
	return schema.ListNestedBlock{
		MarkdownDescription: "A disc. A machine has at most eight; the first is the boot disc.",
		Validators:          []validator.List{listvalidator.SizeAtMost(maxDiscs), distinctLabels{}},
		NestedObject: schema.NestedBlockObject{Attributes: map[string]schema.Attribute{
			"label": schema.StringAttribute{
				MarkdownDescription: "Device label, such as `vda`; unique on the machine. " +
					"A new label must not consist of digits only.",
				Required:   true,
				Validators: []validator.String{discLabel},
			},
			"size": schema.Int64Attribute{
				MarkdownDescription: "Size in megabytes. It can be raised in place, but not lowered.",
				Required:            true,
				Validators:          []validator.Int64{atLeastOneMegabyte},
			},
			"storage_grade": schema.StringAttribute{
				MarkdownDescription: "Storage grade, such as `sata`, `ssd` or `archive`. " +
					"Without it, the service chooses.",
				Optional:   true,
				Computed:   true,
				Validators: []validator.String{notEmpty},
			},
			"id": schema.StringAttribute{MarkdownDescription: "ID of the disc.", Computed: true},
		}},
	}
}

// discs returns the blocks. There are none while the list itself is unknown, as with a dynamic block over an unknown
// value.
func (m *model) discs() []discModel { return discsOf(m.Disc) }

// discsOf decodes a list of blocks. Plans do that often, and the framework's own decoding is ten times slower.
func discsOf(list types.List) []discModel {
	elements := list.Elements() // a copy
	discs := make([]discModel, len(elements))
	for i, element := range elements {
		block, _ := element.(types.Object)
		attributes := block.Attributes()
		discs[i].Label, _ = attributes["label"].(types.String)
		discs[i].Size, _ = attributes["size"].(types.Int64)
		discs[i].StorageGrade, _ = attributes["storage_grade"].(types.String)
		discs[i].ID, _ = attributes["id"].(types.String)
	}
	return discs
}

// knowsDiscs reports whether the list and every label in it are known.
func (m *model) knowsDiscs() bool {
	return !m.Disc.IsUnknown() && !slices.ContainsFunc(m.discs(), func(d discModel) bool { return d.Label.IsUnknown() })
}

// discIDs returns the attribute disc_ids. While a label is unknown, so are its keys.
func (m *model) discIDs() types.Map {
	if !m.knowsDiscs() {
		return types.MapUnknown(types.StringType)
	}
	ids := map[string]attr.Value{}
	for _, d := range m.discs() {
		ids[d.Label.ValueString()] = d.ID
	}
	return types.MapValueMust(types.StringType, ids)
}

// discList encodes the blocks, the reverse of discsOf.
func discList(discs []discModel) types.List {
	elements := mapped(discs, func(d discModel) attr.Value {
		return types.ObjectValueMust(discTypes(), map[string]attr.Value{
			"label": d.Label, "size": d.Size, "storage_grade": d.StorageGrade, "id": d.ID,
		})
	})
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

// reportedGrade returns the disc's grade, or its future grade during a migration or restore (API.md §4).
func reportedGrade(d cloudserver.Disc) string {
	if d.NewStorageGrade != "" {
		return d.NewStorageGrade
	}
	return d.StorageGrade
}

func (d discModel) toAPI() cloudserver.DiscSpec {
	return cloudserver.DiscSpec{
		Label: d.Label.ValueString(), Size: d.Size.ValueInt64(), StorageGrade: d.StorageGrade.ValueString(),
	}
}

func (d discModel) numericID() int64 { return tfkit.IDOf(d.ID) }

// describe returns what is known about a disc, for a message.
func (d discModel) describe() string {
	return fmt.Sprintf("%s (ID %s, %s megabytes, %s)",
		d.Label, d.ID.ValueString(), d.Size, d.StorageGrade.ValueString())
}

// isBootByLabel reports whether the label is typical of boot discs.
func (d discModel) isBootByLabel() bool {
	return slices.Contains([]string{"vda", "sda", "xvda", "root", "boot", "os"}, strings.ToLower(d.Label.ValueString()))
}

// sameLabel reports whether two labels are the same: case and whitespace around them do not matter.
func sameLabel(a, b types.String) bool {
	return cloudserver.SameLabel(a.ValueString(), b.ValueString())
}

// findDisc finds the disc by its ID, or else by its label. It returns nil if there is none.
func findDisc(d discModel, reported []cloudserver.Disc) *cloudserver.Disc {
	var other *cloudserver.Disc // whose label differs in case only
	for i, r := range reported {
		switch {
		case d.numericID() != 0:
			if r.ID == d.numericID() {
				return &reported[i]
			}
		case r.Label == d.Label.ValueString():
			return &reported[i]
		case cloudserver.SameLabel(r.Label, d.Label.ValueString()):
			other = &reported[i]
		}
	}
	return other
}

func discWithID(discs []discModel, id types.String) (found discModel, ok bool) {
	return firstDisc(discs, func(d discModel) bool { return d.ID.Equal(id) })
}

func hasDisc(discs []discModel, id types.String) bool {
	_, has := discWithID(discs, id)
	return has
}

func firstDisc(discs []discModel, is func(discModel) bool) (found discModel, ok bool) {
	if i := slices.IndexFunc(discs, is); i >= 0 {
		return discs[i], true
	}
	return discModel{}, false
}

// without returns the discs that are not among others, by ID.
func without(discs, others []discModel) []discModel {
	return slices.DeleteFunc(slices.Clone(discs), func(d discModel) bool { return hasDisc(others, d.ID) })
}

// labels returns the labels of discs for a message.
func labels(discs []discModel) []string {
	return mapped(discs, func(d discModel) string { return d.Label.ValueString() })
}

// listDiscs lists discs for a message.
func listDiscs(discs []discModel) string {
	return strings.Join(mapped(discs, discModel.describe), ", ")
}

// discChange is what an update does to a machine's discs. It follows from the IDs in state and plan: a planned ID
// identifies the disc, whatever its label, and a disc whose ID is not planned is purged.
type discChange struct {
	add, rename, grow []indexedDisc
	purge             []discModel
	released          []discModel // unmanaged from now on, because the machine was imported without a block for them
	adopted           []discModel // unmanaged so far
}

// indexedDisc is a planned disc with the index of its block and the disc before the update.
type indexedDisc struct {
	index     int
	disc, had discModel
}

// changeDiscs returns what becomes of each disc. Plan and apply call it, with the same result, because the apply has
// the IDs that the plan decided on. A disc of the state that has no ID was never seen on the machine.
func changeDiscs(prior, planned []discModel, p private) discChange {
	var c discChange
	for i, disc := range planned {
		if !tfkit.Given(disc.ID) {
			c.add = append(c.add, indexedDisc{index: i, disc: disc})
			continue
		}
		had, ok := discWithID(prior, disc.ID)
		if !ok {
			had, _ = discWithID(p.unmanaged(), disc.ID)
			c.adopted = append(c.adopted, disc)
		}
		if !sameLabel(had.Label, disc.Label) {
			c.rename = append(c.rename, indexedDisc{i, disc, had})
		}
		if disc.Size.ValueInt64() > had.Size.ValueInt64() {
			c.grow = append(c.grow, indexedDisc{i, disc, had})
		}
	}
	for _, disc := range without(prior, planned) {
		switch {
		case !tfkit.Given(disc.ID):
		case p.From == imported:
			c.released = append(c.released, disc)
		default:
			c.purge = append(c.purge, disc)
		}
	}
	return c
}

// distinctLabels refuses two discs with the same label, because the label is a disc's key.
type distinctLabels struct{}

// Description implements validator.List.
func (distinctLabels) Description(context.Context) string {
	return "each disc must have a label of its own"
}

// MarkdownDescription implements validator.List.
func (v distinctLabels) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateList implements validator.List.
func (distinctLabels) ValidateList(_ context.Context, req validator.ListRequest, resp *validator.ListResponse) {
	discs := discsOf(req.ConfigValue)
	for i, disc := range discs {
		for j, other := range discs[:i] {
			if tfkit.Given(disc.Label) && sameLabel(disc.Label, other.Label) {
				resp.Diagnostics.AddAttributeError(discPath(i, "label"), "Duplicate disc label",
					fmt.Sprintf("Discs %d and %d are both labelled %s. The label identifies a disc, and neither case nor "+
						"whitespace around it matters: give each disc its own.", j+1, i+1, disc.Label))
			}
		}
	}
}

// discPath returns the path of a disc's attribute, of its block if it has no such attribute, or of all discs if index
// is negative.
func discPath(index int, attribute string) path.Path {
	at := path.Root("disc")
	if index < 0 {
		return at
	}
	at = at.AtListIndex(index)
	if _, ok := discTypes()[attribute]; ok {
		return at.AtName(attribute)
	}
	return at
}

// addsBeforeStop reports whether discs are added before the machine is stopped, so that it runs on if the service refuses
// them: there is room for them beside those that are purged.
func (u *update) addsBeforeStop() bool {
	now := len(u.state.discs()) + len(u.private.Discs)
	return u.change.on && u.change.needsOff() && now+len(u.change.discs.add) <= maxDiscs
}

// addDiscs are the steps that add discs. They have one of two places.
func (u *update) addDiscs() (beforeStop, afterPurges []steps.Step) {
	var added []steps.Step
	for _, d := range u.change.discs.add {
		added = append(added, discStep(d.index, fmt.Sprintf("add disc %s to", d.disc.Label),
			func(ctx context.Context) error { return u.addDisc(ctx, d) }))
	}
	if u.addsBeforeStop() {
		return added, nil
	}
	return nil, added
}

// changeDiscs are the other changes of a machine's discs (API.md §4). Those that keep data come first.
func (u *update) changeDiscs() (changes []steps.Step) {
	for _, d := range u.change.discs.rename {
		changes = append(changes, discStep(d.index, fmt.Sprintf("rename disc %s to %s of", d.had.Label, d.disc.Label),
			func(ctx context.Context) error { return u.renameDisc(ctx, d.disc) }))
	}
	for _, d := range u.change.discs.grow {
		changes = append(changes, discStep(d.index, fmt.Sprintf("grow disc %s to %s megabytes of", d.disc.Label, d.disc.Size),
			func(ctx context.Context) error {
				return u.machine.UpdateDisc(ctx, d.disc.numericID(),
					cloudserver.DiscUpdate{Size: d.disc.Size.ValueInt64Pointer()})
			}))
	}
	for _, d := range u.change.discs.purge {
		changes = append(changes, discStep(-1, fmt.Sprintf("purge disc %s of", d.Label),
			func(ctx context.Context) error { return u.purgeDisc(ctx, d) }))
	}
	return changes
}

// discStep is a step about the disc in the block at an index, or about all discs if that is negative.
func discStep(index int, verb string, do func(context.Context) error) steps.Step {
	return steps.Step{Verb: verb, Do: do, Blame: blameDisc(index)}
}

func (u *update) renameDisc(ctx context.Context, disc discModel) error {
	err := u.machine.UpdateDisc(ctx, disc.numericID(), cloudserver.DiscUpdate{Label: disc.Label.ValueStringPointer()})
	if err != nil {
		return err
	}
	for i := range u.discs {
		if u.discs[i].ID.Equal(disc.ID) {
			u.discs[i].Label = disc.Label
		}
	}
	return nil
}

func (u *update) purgeDisc(ctx context.Context, disc discModel) error {
	if err := u.machine.PurgeDisc(ctx, disc.numericID()); err != nil {
		return err
	}
	u.discs = slices.DeleteFunc(u.discs, func(d discModel) bool { return d.ID.Equal(disc.ID) })
	return nil
}

// addDisc adds a disc, and completes its block in the plan.
func (u *update) addDisc(ctx context.Context, d indexedDisc) error {
	added, err := u.machine.AddDisc(ctx, d.disc.toAPI())
	if err != nil {
		return err
	}
	disc := d.disc
	disc.ID = tfkit.IDOrNull(added.ID)
	disc.StorageGrade = tfkit.PlannedOr(disc.StorageGrade, types.StringValue(reportedGrade(*added)))
	planned := u.plan.discs()
	planned[d.index] = disc
	u.plan.Disc = discList(planned)
	neverSeen := func(had discModel) bool { return !tfkit.Given(had.ID) && sameLabel(had.Label, disc.Label) }
	u.discs = append(slices.DeleteFunc(u.discs, neverSeen), disc)
	return nil
}
