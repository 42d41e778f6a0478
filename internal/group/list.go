package group

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

var _ list.ListResourceWithConfigure = (*groupList)(nil)

// groupList is the list resource. Its name and its configuring are the
// resource's.
type groupList struct {
	groupResource
}

// NewListResource gives the list resource cloudserver_group, for `terraform
// query` over the groups of an account (api.md §5).
func NewListResource() list.ListResource {
	return &groupList{}
}

func (l *groupList) ListResourceConfigSchema(_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Finds the groups of an account, by name.",
		Attributes: map[string]schema.Attribute{
			"account": schema.StringAttribute{
				MarkdownDescription: "Account, by name or numeric id. Default: the provider's `account`.",
				Optional:            true,
				Validators:          []validator.String{tfkit.NotEmpty{}},
			},
		},
	}
}

// List keeps the limit, which the framework leaves to the provider.
func (l *groupList) List(ctx context.Context, req list.ListRequest, stream *list.ListResultsStream) {
	var account types.String
	diags := req.Config.GetAttribute(ctx, path.Root("account"), &account)
	if !diags.HasError() && l.data.RequireReady("list groups", &diags) {
		account = l.data.AccountOr(account, "the groups", &diags)
	}
	if diags.HasError() {
		stream.Results = list.ListResultsStreamDiagnostics(diags)
		return
	}
	stream.Results = func(push func(list.ListResult) bool) {
		groups, err := l.data.Client.Groups(ctx, account.ValueString())
		if err != nil {
			push(list.ListResult{Diagnostics: l.failed(ctx, account.ValueString(), err)})
			return
		}
		for i, group := range sortedGroups(groups) {
			if req.Limit > 0 && int64(i) == req.Limit || !push(listed(ctx, req, account, group)) {
				return
			}
		}
	}
}

func (l *groupList) failed(ctx context.Context, account string, err error) diag.Diagnostics {
	var diags diag.Diagnostics
	summary := fmt.Sprintf("Cannot list the groups of account %q", account)
	if cloudserver.IsNotFound(err) {
		diags.AddAttributeError(path.Root("account"), summary, tfkit.NoSuchAccount(ctx, l.data.Client, account))
		return diags
	}
	tfkit.AddError(&diags, summary, err, nil, "")
	return diags
}

// listed is a group as an import would put it into the state.
func listed(ctx context.Context, req list.ListRequest, account types.String, group cloudserver.Group) list.ListResult {
	result := req.NewListResult(ctx)
	m := model{Account: account}
	m.read(&group)
	result.DisplayName = group.Name
	result.Diagnostics.Append(result.Identity.SetAttribute(ctx, path.Root("id"), m.ID)...)
	if req.IncludeResource {
		result.Diagnostics.Append(result.Resource.Set(ctx, m)...)
	}
	return result
}
