package vm

import (
	"cmp"
	"context"
	"slices"

	source "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

var _ list.ListResourceWithConfigure = (*vmList)(nil)

// vmList is the list resource. It shares the resource's name and configuration.
type vmList struct {
	vmResource
}

// NewListResource returns the list resource cloudserver_vm, for `terraform query`
// over the machines of a group or an account (API.md §3, §5).
func NewListResource() list.ListResource {
	return &vmList{newResource()}
}

// ListResourceConfigSchema has the arguments of the data source cloudserver_vms that
// select machines.
func (l *vmList) ListResourceConfigSchema(_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse) {
	attributes := map[string]schema.Attribute{}
	for name, argument := range filterArguments() {
		switch a := argument.(type) {
		case source.StringAttribute:
			attributes[name] = schema.StringAttribute{MarkdownDescription: a.MarkdownDescription, Optional: true, Validators: a.Validators}
		case source.BoolAttribute:
			attributes[name] = schema.BoolAttribute{MarkdownDescription: a.MarkdownDescription, Optional: true}
		}
	}
	resp.Schema = schema.Schema{
		MarkdownDescription: "Finds virtual machines of an account or of one of its groups, by group and name. Soft-deleted machines are left out.",
		Attributes:          attributes,
	}
}

// List finds the machines by group and name, and enforces the limit, which the
// framework leaves to the provider.
func (l *vmList) List(ctx context.Context, req list.ListRequest, stream *list.ListResultsStream) {
	var wanted filter
	var machines []listedMachine
	diags := req.Config.Get(ctx, &wanted)
	if !diags.HasError() && l.Data.RequireReady("list virtual machines", &diags) {
		machines = wanted.find(ctx, l.Data, false, &diags)
	}
	if diags.HasError() {
		stream.Results = list.ListResultsStreamDiagnostics(diags)
		return
	}
	slices.SortFunc(machines, func(a, b listedMachine) int {
		return cmp.Or(cmp.Compare(a.group, b.group), cmp.Compare(a.Name, b.Name))
	})
	stream.Results = func(push func(list.ListResult) bool) {
		for i, machine := range machines {
			if req.Limit > 0 && int64(i) == req.Limit || !push(listed(ctx, req, wanted.Account, machine)) {
				return
			}
		}
	}
}

// listed returns a machine as an import would put it into the state, so that a
// configuration which is generated from it plans nothing.
func listed(ctx context.Context, req list.ListRequest, account types.String, machine listedMachine) list.ListResult {
	result := req.NewListResult(ctx)
	result.DisplayName = machine.group + "/" + machine.Name
	result.Diagnostics.Append(result.Identity.SetAttribute(ctx, path.Root("id"), cloudserver.IDText(machine.ID))...)
	if !req.IncludeResource {
		return result
	}
	for name, value := range importedState(tfkit.IDOrNull(machine.ID), "", "") {
		result.Diagnostics.Append(result.Resource.SetAttribute(ctx, path.Root(name), value)...)
	}
	var m model
	result.Diagnostics.Append(result.Resource.Get(ctx, &m)...)
	m.Account, m.Group = account, types.StringValue(machine.group)
	m.fromAPI(&machine.VirtualMachine)
	m.GroupID = types.StringNull() // a generated configuration has the name of the group
	m.Reimage = importedImage(m.LastImagedWith)
	m.PowerOn = m.importedPower()
	m.Disc = importedDiscs(machine.Discs)
	result.Diagnostics.Append(result.Resource.Set(ctx, m)...)
	return result
}
