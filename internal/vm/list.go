// SPDX-License-Identifier: MPL-2.0

package vm

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

var _ list.ListResourceWithConfigure = (*vmList)(nil)

// vmList is the list resource. It shares the resource's name and configuration.
type vmList struct {
	vmResource
}

// listModel is the configuration of a list block.
type listModel struct {
	tfkit.Filter
	IncludeDeleted types.Bool `tfsdk:"include_deleted"`
}

// NewListResource returns the list resource cloudserver_vm, for `terraform query` of the machines in a group or an
// account (API.md §3, §5).
func NewListResource() list.ListResource {
	return &vmList{newResource()}
}

// ListResourceConfigSchema returns the arguments of the data source cloudserver_vms that select machines.
func (l *vmList) ListResourceConfigSchema(
	_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse,
) {
	resp.Schema = tfkit.FilterSchema("Finds virtual machines.")
	resp.Schema.Attributes["include_deleted"] = schema.BoolAttribute{
		MarkdownDescription: "Whether to list soft-deleted machines as well, which cannot be imported. Default: `false`.",
		Optional:            true,
	}
}

// List lists the machines by group and name.
func (l *vmList) List(ctx context.Context, req list.ListRequest, stream *list.ListResultsStream) {
	var diags diag.Diagnostics
	var wanted listModel
	diags.Append(req.Config.Get(ctx, &wanted)...)
	machines := wanted.FindListed(ctx, l.Data, "virtual machines", wanted.IncludeDeleted.ValueBool(), &diags)
	if diags.HasError() {
		stream.Results = list.ListResultsStreamDiagnostics(diags)
		return
	}
	stream.Results = tfkit.ListResults(req, "virtual machines", machines, diags,
		func(found tfkit.FoundMachine) list.ListResult { return listed(ctx, req, wanted.Account, found) })
}

// listed returns a machine in the form in which an import would write it to the state, so that a configuration
// generated from it plans no change.
func listed(ctx context.Context, req list.ListRequest, account types.String, found tfkit.FoundMachine) list.ListResult {
	result := req.NewListResult(ctx)
	diags := &result.Diagnostics
	result.DisplayName = found.Title()
	if found.Deleted {
		result.DisplayName += " (soft-deleted)"
	}
	id := tfkit.IDOrNull(found.ID)
	tfkit.ResourceIdentity{"id": id}.Save(ctx, result.Identity, diags)
	if !req.IncludeResource {
		return result
	}
	var m model
	diags.Append(result.Resource.SetAttribute(ctx, path.Root("id"), id)...)
	diags.Append(result.Resource.Get(ctx, &m)...)
	m.Account, m.AccountID = account, tfkit.IDOrNull(found.AccountID)
	m.Group = types.StringValue(found.Group)
	m.fromAPI(&found.VirtualMachine)
	m.fillImported(found.Discs)
	diags.Append(result.Resource.Set(ctx, m)...)
	return result
}
