// SPDX-License-Identifier: MPL-2.0

package group

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

var _ list.ListResourceWithConfigure = (*groupList)(nil)

// groupList is the list resource. It shares the name and the Configure method of the resource.
type groupList struct {
	groupResource
}

// NewListResource returns the list resource cloudserver_group, for `terraform query` of the groups in an account.
func NewListResource() list.ListResource {
	return &groupList{newResource()}
}

func (l *groupList) ListResourceConfigSchema(
	_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse,
) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Lists the groups of an account, sorted by name.",
		Attributes: map[string]schema.Attribute{
			"account": schema.StringAttribute{
				MarkdownDescription: "Name of the account. Default: the provider's `account`.",
				Optional:            true,
				Validators:          []validator.String{tfkit.PathName},
			},
		},
	}
}

// List lists the groups of the account.
func (l *groupList) List(ctx context.Context, req list.ListRequest, stream *list.ListResultsStream) {
	var account types.String
	diags := req.Config.GetAttribute(ctx, path.Root("account"), &account)
	if !diags.HasError() && l.Data.RequireReady("list groups", &diags) {
		account = l.Data.KnownAccountOr(account, "the groups", &diags)
	}
	if diags.HasError() {
		stream.Results = list.ListResultsStreamDiagnostics(diags)
		return
	}
	groups := listGroups(ctx, l.Data, account.ValueString(), &diags)
	if diags.HasError() {
		stream.Results = list.ListResultsStreamDiagnostics(diags)
		return
	}
	stream.Results = tfkit.ListResults(req, "groups", groups, diags, func(group cloudserver.Group) list.ListResult {
		return result(ctx, req, account, group)
	})
}

// result returns a group in the form in which an import would write it to the state.
func result(ctx context.Context, req list.ListRequest, account types.String, group cloudserver.Group) list.ListResult {
	m := model{Account: account}
	m.fromAPI(&group)
	return tfkit.ListResult(ctx, req, group.Name, m.identity(), m)
}
