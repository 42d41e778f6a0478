package vm

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/location"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// maxDiscs is the service's limit for a machine (API.md §4).
const maxDiscs = 8

var discTypes = attributeTypesOf(func() attr.Type { return discBlock().NestedObject.Type() })

// discModel is a block disc (API.md §8.2). The configuration identifies a disc by its label, the service by its ID.
type discModel struct {
	Label        types.String `tfsdk:"label"`
	Size         types.Int64  `tfsdk:"size"`
	StorageGrade types.String `tfsdk:"storage_grade"`
	ID           types.String `tfsdk:"id"`
}

func discBlock() schema.ListNestedBlock {
	return schema.ListNestedBlock{
		MarkdownDescription: "A disc. A machine has at most eight; the first is the boot disc.",
		NestedObject: schema.NestedBlockObject{Attributes: map[string]schema.Attribute{
			"label": schema.StringAttribute{
				MarkdownDescription: "Device label, such as `vda`; unique on the machine. A new label must not consist of digits only.",
				Required:            true,
				Validators:          []validator.String{tfkit.Filled, tfkit.PathName},
			},
			"size": schema.Int64Attribute{
				CustomType:          tfkit.Int64Type{},
				MarkdownDescription: "Size in megabytes. It can be raised in place, but not lowered.",
				Required:            true,
				Validators:          []validator.Int64{tfkit.Number{Least: 1, Means: "the size of the disc in megabytes"}},
			},
			"storage_grade": schema.StringAttribute{
				MarkdownDescription: "Storage grade, such as `sata`, `ssd` or `archive`. Without it, the service chooses.",
				Optional:            true,
				Computed:            true,
				Validators:          []validator.String{tfkit.NotEmpty},
			},
			"id": schema.StringAttribute{MarkdownDescription: "ID of the disc.", Computed: true},
		}},
	}
}

// discs returns the blocks. There are none while the list itself is unknown, as with a dynamic block over an unknown
// value.
func (m *model) discs() []discModel {
	return mapped(m.Disc.Elements(), func(element attr.Value) discModel {
		object, _ := element.(types.Object)
		disc, _ := blockOf[discModel](object)
		return disc
	})
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

// object identifies the disc among the operations of this process.
func (d discModel) object() run.Object { return run.Object{Kind: run.Disc, ID: d.ID.ValueString()} }

// isBootByLabel reports whether the label is typical of boot discs.
func (d discModel) isBootByLabel() bool {
	return slices.Contains([]string{"vda", "sda", "xvda", "root", "boot", "os"}, strings.ToLower(d.Label.ValueString()))
}

func sameLabel(a, b types.String) bool {
	return cloudserver.SameLabel(a.ValueString(), b.ValueString())
}

// findDisc finds the disc by its ID, or else by its label. It returns nil if there is none.
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

// labels returns the labels of discs for a message.
func labels(discs []discModel) []string {
	return mapped(discs, func(d discModel) string { return d.Label.ValueString() })
}

// refuseTooManyDiscs enforces the service's limit.
func refuseTooManyDiscs(discs []discModel, diags *diag.Diagnostics) {
	if len(discs) > maxDiscs {
		diags.AddAttributeError(discPath(maxDiscs, ""), "Too many discs",
			fmt.Sprintf("A machine has at most %d discs, and %d are configured. Remove blocks, or add the discs to another machine.", maxDiscs, len(discs)))
	}
}

// refuseSameLabels refuses two discs with the same label, because the label is a disc's key.
func refuseSameLabels(discs []discModel, diags *diag.Diagnostics) {
	for i, disc := range discs {
		if label := disc.Label.ValueString(); label != strings.TrimSpace(label) && !strings.ContainsAny(label, "\r\n") { // a line break is an error
			diags.AddAttributeWarning(discPath(i, "label"), "Disc label with a space at its start or end",
				fmt.Sprintf("The label of disc %d is %q. The service may refuse it, and the space becomes a part of the label otherwise. Remove the space.", i+1, label))
		}
		for j, other := range discs[:i] {
			both := fmt.Sprintf("Discs %d and %d are ", j+1, i+1)
			switch at := discPath(i, "label"); {
			case !tfkit.Given(disc.Label), !strings.EqualFold(disc.Label.ValueString(), other.Label.ValueString()):
			case disc.Label.Equal(other.Label):
				diags.AddAttributeError(at, "Duplicate disc label", fmt.Sprintf("%sboth labelled %s. The label identifies a disc: give each disc its own.",
					both, disc.Label))
			default:
				diags.AddAttributeWarning(at, "Disc labels that differ by case only",
					fmt.Sprintf("%slabelled %s and %s. The service may take them for the same label and refuse one of them.", both, other.Label, disc.Label))
			}
		}
	}
}

// refuseDigits prevents that a new label is taken for the ID of another disc.
func refuseDigits(i int, had types.String, wanted discModel, diags *diag.Diagnostics) {
	location.RefuseDigits(had, wanted.Label, path.Root("disc").AtListIndex(i).AtName("label"), "disc", diags)
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
