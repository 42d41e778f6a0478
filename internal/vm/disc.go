package vm

import (
	"fmt"
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
	"github.com/cloudserver/terraform-provider-cloudserver/internal/location"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
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
				CustomType:          tfkit.Int64Type{},
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

func (d discModel) numericID() int64 { return tfkit.IDOf(d.ID) }

// object is the disc as operations of this process know it.
func (d discModel) object() run.Object { return run.Object{Kind: run.Disc, ID: d.ID.ValueString()} }

// isBootByLabel reports whether the label is one that boot discs have.
func (d discModel) isBootByLabel() bool {
	return slices.Contains([]string{"vda", "sda", "xvda", "root", "boot", "os"}, strings.ToLower(d.Label.ValueString()))
}

func sameLabel(a, b types.String) bool {
	return cloudserver.SameLabel(a.ValueString(), b.ValueString())
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

// refuseSameLabels refuses two discs with one label: the label is a disc's key.
func refuseSameLabels(discs []discModel, diags *diag.Diagnostics) {
	for i, disc := range discs {
		for j, other := range discs[:i] {
			both := fmt.Sprintf("Discs %d and %d are labelled %s and %s. ", j+1, i+1, other.Label, disc.Label)
			switch at := discPath(i, "label"); {
			case !tfkit.Given(disc.Label), !strings.EqualFold(disc.Label.ValueString(), other.Label.ValueString()):
			case disc.Label.Equal(other.Label):
				diags.AddAttributeError(at, "Duplicate disc label", both+"The label identifies a disc: give each disc its own.")
			default:
				diags.AddAttributeWarning(at, "Disc labels that differ by case only", both+"The service may take them for the same label and refuse one of them.")
			}
		}
	}
}

// refuseDigits keeps new labels from being taken for the id of another disc.
func refuseDigits(i int, had types.String, wanted discModel, diags *diag.Diagnostics) {
	location.RefuseDigits(had, wanted.Label, path.Root("disc").AtListIndex(i).AtName("label"), "disc", diags)
}

// discPath is that of an attribute of a disc, or of its block; without an index, of
// all discs.
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
