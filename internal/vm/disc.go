package vm

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// maxDiscs is the service's limit for one machine (api.md §4).
const maxDiscs = 8

var discType = types.ObjectType{AttrTypes: map[string]attr.Type{
	"label":         types.StringType,
	"size":          types.Int64Type,
	"storage_grade": types.StringType,
	"id":            types.Int64Type,
	"storage_pool":  types.StringType,
}}

// discModel is one block disc (service.md §2.2). Its label is its key.
type discModel struct {
	Label        types.String `tfsdk:"label"`
	Size         types.Int64  `tfsdk:"size"`
	StorageGrade types.String `tfsdk:"storage_grade"`
	ID           types.Int64  `tfsdk:"id"`
	StoragePool  types.String `tfsdk:"storage_pool"`
}

func discBlock() schema.ListNestedBlock {
	return schema.ListNestedBlock{
		MarkdownDescription: "A disc; at most eight, the first is the boot disc. The label identifies a disc, never its position. " +
			"A new label adds a disc and a label that is gone purges that disc alone; a label that alone has changed, at the same position, renames it. Discs grow in place and cannot shrink.",
		Validators: []validator.List{discCount{}, uniqueLabels{}},
		NestedObject: schema.NestedBlockObject{Attributes: map[string]schema.Attribute{
			"label": schema.StringAttribute{
				MarkdownDescription: "Device label, such as `vda`; unique on the machine.",
				Required:            true,
				Validators:          []validator.String{tfkit.NotEmpty{}},
			},
			"size": schema.Int64Attribute{
				MarkdownDescription: "Size in megabytes. It can be raised in place, not lowered.",
				Required:            true,
				Validators:          []validator.Int64{discSize{}, megabytes{least: 100}},
			},
			"storage_grade": schema.StringAttribute{
				MarkdownDescription: "Storage grade, such as `sata`, `ssd` or `archive`; see `storage_grades` of the data source `cloudserver_definitions`. When absent, the service chooses. Changing it replaces the machine, because a disc cannot change its grade.",
				Optional:            true,
				Computed:            true,
				Validators:          []validator.String{tfkit.NotEmpty{}},
			},
			"id":           schema.Int64Attribute{MarkdownDescription: "Numeric id of the disc.", Computed: true},
			"storage_pool": schema.StringAttribute{MarkdownDescription: "Pool that the disc is placed in.", Computed: true},
		}},
	}
}

// discsFrom reads the list. ok is false while the list itself is unknown, as a
// dynamic block over an unknown value makes it.
func discsFrom(ctx context.Context, list types.List, diags *diag.Diagnostics) (discs []discModel, ok bool) {
	if list.IsUnknown() {
		return nil, false
	}
	if list.IsNull() {
		return nil, true
	}
	d := list.ElementsAs(ctx, &discs, false)
	diags.Append(d...)
	return discs, !d.HasError() // diags may hold the error of a failed update
}

func discList(discs []discModel) types.List {
	elements := make([]attr.Value, len(discs))
	for i, d := range discs {
		elements[i] = types.ObjectValueMust(discType.AttrTypes, map[string]attr.Value{
			"label": d.Label, "size": d.Size, "storage_grade": d.StorageGrade, "id": d.ID, "storage_pool": d.StoragePool,
		})
	}
	return types.ListValueMust(discType, elements)
}

func discFromAPI(d cloudserver.Disc) discModel {
	return discModel{
		Label:        types.StringValue(d.Label),
		Size:         types.Int64Value(d.Size),
		StorageGrade: stringOrNull(d.StorageGrade),
		ID:           types.Int64Value(d.ID),
		StoragePool:  stringOrNull(d.StoragePool),
	}
}

func (d discModel) toAPI() cloudserver.DiscSpec {
	return cloudserver.DiscSpec{Label: d.Label.ValueString(), Size: d.Size.ValueInt64(), StorageGrade: d.StorageGrade.ValueString()}
}

// mergeDiscs gives the service's discs in the order of the state, so that an
// order of the service's own is no drift. A disc that was renamed elsewhere
// keeps its place; discs that the state does not have come last.
func mergeDiscs(state []discModel, told []cloudserver.Disc) []discModel {
	left := slices.Clone(told)
	merged := make([]discModel, 0, len(told))
	take := func(is func(cloudserver.Disc) bool) bool {
		i := slices.IndexFunc(left, is)
		if i < 0 {
			return false
		}
		merged = append(merged, discFromAPI(left[i]))
		left = slices.Delete(left, i, i+1)
		return true
	}
	for _, known := range state {
		_ = take(func(d cloudserver.Disc) bool { return d.ID != 0 && d.ID == known.ID.ValueInt64() }) ||
			take(func(d cloudserver.Disc) bool { return d.Label == known.Label.ValueString() })
	}
	for _, disc := range left {
		merged = append(merged, discFromAPI(disc))
	}
	return merged
}

// settleDiscs fills what the plan left open for each disc, by label.
func settleDiscs(planned, now []discModel) []discModel {
	byLabel := make(map[string]discModel, len(now))
	for _, d := range now {
		byLabel[d.Label.ValueString()] = d
	}
	settled := make([]discModel, len(planned))
	for i, d := range planned {
		settled[i] = d.settle(byLabel[d.Label.ValueString()])
	}
	return settled
}

func stringOrNull(text string) types.String {
	if text == "" {
		return types.StringNull()
	}
	return types.StringValue(text)
}
