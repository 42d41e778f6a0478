package vm

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/location"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

var _ list.ListResourceWithConfigure = (*vmList)(nil)

// vmList is the list resource. It shares the resource's name and configuration.
type vmList struct {
	vmResource
}

// NewListResource returns the list resource cloudserver_vm, for `terraform query` of the machines in a group or an
// account (API.md §3, §5).
func NewListResource() list.ListResource {
	return &vmList{newResource()}
}

// ListResourceConfigSchema returns the arguments of the data source cloudserver_vms that select machines.
func (l *vmList) ListResourceConfigSchema(_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse) {
	resp.Schema = location.FilterSchema("Finds virtual machines of an account or of one of its groups, by group and name. Soft-deleted machines are left out.")
}

// List lists the machines by group and name.
func (l *vmList) List(ctx context.Context, req list.ListRequest, stream *list.ListResultsStream) {
	var diags diag.Diagnostics
	machines, account := location.FindListed(ctx, location.SourceOf(l.Data), req, "virtual machines", &diags)
	if diags.HasError() {
		stream.Results = list.ListResultsStreamDiagnostics(diags)
		return
	}
	stream.Results = tfkit.ListResults(req, "virtual machines", machines, diags, func(machine location.Machine) list.ListResult {
		return l.listed(ctx, req, account, machine)
	})
}

// listed returns a machine in the form in which an import would write it to the state, so that a configuration
// generated from it plans no change.
func (l *vmList) listed(ctx context.Context, req list.ListRequest, account types.String, machine location.Machine) list.ListResult {
	result := req.NewListResult(ctx)
	result.DisplayName = machine.Title()
	result.Diagnostics.Append(result.Identity.SetAttribute(ctx, path.Root("id"), cloudserver.IDText(machine.ID))...)
	if !req.IncludeResource {
		return result
	}
	for name, value := range l.importedState(tfkit.IDOrNull(machine.ID), "", "") {
		result.Diagnostics.Append(result.Resource.SetAttribute(ctx, path.Root(name), value)...)
	}
	var m model
	result.Diagnostics.Append(result.Resource.Get(ctx, &m)...)
	m.Account, m.Group = account, types.StringValue(machine.Group)
	m.fromAPI(&machine.VirtualMachine)
	m.GroupID = types.StringNull() // a generated configuration uses the group's name
	m.Reimage = importedImage(m.LastImagedWith)
	m.PowerOn = m.importedPower()
	m.Disc = importedDiscs(machine.Discs)
	m.DiscIDs = m.discIDs()
	result.Diagnostics.Append(result.Resource.Set(ctx, m)...)
	return result
}
