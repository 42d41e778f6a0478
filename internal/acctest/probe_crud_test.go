package acctest_test

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

var discType = types.ObjectType{AttrTypes: map[string]attr.Type{
	"label": types.StringType, "grade": types.StringType, "id": types.StringType,
}}

func (r *thing) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var m thingModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &m)...)
	if r.world.fault("create fails") {
		resp.Diagnostics.AddError("Create failed", "Nothing was made.")
		return
	}
	id, version := r.world.change("")
	m.ID = types.StringValue(id)
	m.fillUnknown(version)
	if r.world.fault("create changes the name") {
		m.Name = types.StringValue("other")
	}
	resp.Diagnostics.Append(resp.Identity.SetAttribute(ctx, path.Root("id"), m.ID)...)
	resp.Diagnostics.Append(resp.State.Set(ctx, m)...)
	if r.world.fault("create fails half-way") {
		resp.Diagnostics.AddError("Create failed", "Half of it was made.")
	}
}

// fillUnknown fills in what the service decides.
func (m *thingModel) fillUnknown(version int) {
	m.Version = types.Int64Value(int64(version))
	if m.Zone.IsUnknown() {
		m.Zone = types.StringValue("york")
	}
	if m.Size.IsUnknown() {
		m.Size = types.Int64Value(1)
	}
	m.Disc = fill(m.Disc, m.ID.ValueString())
}

// fill replaces every unknown id by one that contains the owner and the label.
func fill(discs types.List, owner string) types.List {
	filled := make([]attr.Value, 0, len(discs.Elements()))
	for _, element := range discs.Elements() {
		object, ok := element.(types.Object)
		if !ok {
			continue
		}
		attributes := object.Attributes()
		if attributes["id"].IsUnknown() {
			attributes["id"] = types.StringValue(fmt.Sprintf("%s/%s", owner, attributes["label"]))
		}
		if attributes["grade"].IsUnknown() {
			attributes["grade"] = types.StringValue("sata")
		}
		filled = append(filled, types.ObjectValueMust(discType.AttrTypes, attributes))
	}
	return types.ListValueMust(discType, filled)
}

func (r *thing) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var m thingModel
	var id types.String
	resp.Diagnostics.Append(req.State.GetAttribute(ctx, path.Root("id"), &id)...)
	resp.Diagnostics.Append(resp.Identity.SetAttribute(ctx, path.Root("id"), id)...)
	version := r.world.version(id.ValueString())
	if version == 0 {
		resp.State.RemoveResource(ctx)
		return
	}
	resp.Diagnostics.Append(req.State.Get(ctx, &m)...)
	m.Version = types.Int64Value(int64(version))
	resp.Diagnostics.Append(resp.State.Set(ctx, m)...)
}

func (r *thing) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var m thingModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &m)...)
	if r.world.fault("update fails") {
		resp.Diagnostics.AddError("Update failed", "It is as it was.")
		return
	}
	_, version := r.world.change(m.ID.ValueString())
	m.fillUnknown(version)
	resp.Diagnostics.Append(resp.Identity.SetAttribute(ctx, path.Root("id"), m.ID)...)
	resp.Diagnostics.Append(resp.State.Set(ctx, m)...)
}

func (r *thing) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	if r.world.fault("delete fails") {
		resp.Diagnostics.AddError("Delete failed", "It is still there.")
		return
	}
	var id types.String
	resp.Diagnostics.Append(req.State.GetAttribute(ctx, path.Root("id"), &id)...)
	r.world.remove(id.ValueString())
}
