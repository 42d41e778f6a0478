package vm

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

var _ list.ListResourceWithConfigure = (*vmList)(nil)

// vmList is the list resource. It shares its name and configuration with the
// resource.
type vmList struct {
	vmResource
}

// NewListResource returns the list resource cloudserver_vm, for `terraform query`
// over the machines of a group or an account (API.md §3, §5).
func NewListResource() list.ListResource {
	return &vmList{newResource()}
}

type listModel struct {
	Account types.String `tfsdk:"account"`
	Group   types.String `tfsdk:"group"`
	filter
}

func (l *vmList) ListResourceConfigSchema(_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse) {
	text := func(description string, validators ...validator.String) schema.StringAttribute {
		return schema.StringAttribute{
			MarkdownDescription: description, Optional: true,
			Validators: append([]validator.String{tfkit.NotEmpty}, validators...),
		}
	}
	resp.Schema = schema.Schema{
		MarkdownDescription: "Finds virtual machines of an account or of one of its groups, by group and name. Soft-deleted machines are left out.",
		Attributes: map[string]schema.Attribute{
			"account":          text("Name of the account. Default: the provider's `account`."),
			"group":            text("Name of the group. Default: all groups of the account."),
			"name_pattern":     text(namePatternDescription, namePattern),
			"power_on":         schema.BoolAttribute{MarkdownDescription: powerOnFilterDescription, Optional: true},
			"zone_name":        text(zoneNameFilterDescription),
			"hardware_profile": text(profileFilterDescription),
		},
	}
}

// List finds the machines by group and name, and enforces the limit, which the
// framework leaves to the provider.
func (l *vmList) List(ctx context.Context, req list.ListRequest, stream *list.ListResultsStream) {
	var wanted listModel
	diags := req.Config.Get(ctx, &wanted)
	if !diags.HasError() && l.Data.RequireReady("list virtual machines", &diags) {
		wanted.Account = l.Data.KnownAccountOr(wanted.Account, "the virtual machines", &diags)
	}
	var machines []placed
	if !diags.HasError() {
		machines = machinesOf(ctx, l.Data, wanted.Account.ValueString(), wanted.Group.ValueString(), false, &diags)
	}
	if diags.HasError() {
		stream.Results = list.ListResultsStreamDiagnostics(diags)
		return
	}
	machines = slices.DeleteFunc(machines, func(p placed) bool { return p.Deleted || !wanted.matches(p.VirtualMachine) })
	slices.SortFunc(machines, func(a, b placed) int { return cmp.Or(cmp.Compare(a.group, b.group), cmp.Compare(a.Name, b.Name)) })
	stream.Results = func(push func(list.ListResult) bool) {
		for i, machine := range machines {
			if req.Limit > 0 && int64(i) == req.Limit || !push(listed(ctx, req, machine)) {
				return
			}
		}
	}
}

// listed returns a machine as an import would put it into the state, so that a
// configuration which is generated from it plans nothing.
func listed(ctx context.Context, req list.ListRequest, machine placed) list.ListResult {
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
	m.Account, m.Group = types.StringValue(machine.account), types.StringValue(machine.group)
	m.fromAPI(&machine.VirtualMachine)
	m.GroupID = types.StringNull() // a generated configuration has the name of the group
	m.Reimage = importedImage(m.LastImagedWith)
	m.Disc = discList(discsFromAPI(machine.Discs))
	result.Diagnostics.Append(result.Resource.Set(ctx, m)...)
	return result
}

// placed is a machine with the names of its account and group.
type placed struct {
	cloudserver.VirtualMachine
	account, group string
}

// machinesOf reads the machines of a group, in a listing that is shared with callers
// that ask at the same moment. If group is "", it reads one overview of the account,
// which also has the names of its groups (API.md §5).
func machinesOf(ctx context.Context, data *tfkit.ProviderData, account, group string, withDeleted bool, diags *diag.Diagnostics) []placed {
	var options []cloudserver.ReadOption
	if withDeleted {
		options = append(options, cloudserver.IncludeDeleted)
	}
	if group != "" {
		machines, err := listGroup(ctx, data, account, group, options...)
		if err != nil {
			addListError(ctx, data, account, group, err, diags)
		}
		return inGroup(account, group, machines)
	}
	overview, err := data.Client.Overview(ctx, account, options...)
	switch {
	case err != nil:
		addListError(ctx, data, account, "", err, diags)
		return nil
	case overview.Groups == nil:
		diags.AddError(fmt.Sprintf("Cannot list the virtual machines of account %q", account),
			"The service answered without the account's groups. Set group to list the machines of one group.")
		return nil
	}
	var machines []placed
	for _, g := range overview.Groups {
		machines = append(machines, inGroup(account, g.Name, g.VirtualMachines)...)
	}
	return machines
}

func inGroup(account, group string, machines []cloudserver.VirtualMachine) []placed {
	list := make([]placed, len(machines))
	for i, vm := range machines {
		list[i] = placed{VirtualMachine: vm, account: account, group: group}
	}
	return list
}

// listGroup lists the machines of the group with the name. In a path, digits could
// mean the ID of another group.
func listGroup(ctx context.Context, data *tfkit.ProviderData, account, name string, options ...cloudserver.ReadOption) ([]cloudserver.VirtualMachine, error) {
	element, err := data.Fleet.Directory.Element(ctx, account, name, 0)
	if err != nil {
		return nil, err
	}
	if len(options) > 0 {
		return data.Client.VirtualMachines(ctx, account, element, options...)
	}
	return data.Fleet.List(ctx, account, element)
}

// addListError reports a listing that failed, of an account if group is "".
func addListError(ctx context.Context, data *tfkit.ProviderData, account, group string, err error, diags *diag.Diagnostics) {
	at, where, missing := "account", fmt.Sprintf("account %q", account), func() string { return tfkit.NoSuchAccount(ctx, data.Client, account) }
	if group != "" {
		at, where, missing = "group", fmt.Sprintf("group %q of %s", group, where), func() string { return tfkit.NoSuchGroup(ctx, data.Client, account, group) }
	}
	summary := "Cannot list the virtual machines of " + where
	if cloudserver.IsNotFound(err) {
		diags.AddAttributeError(path.Root(at), summary, missing())
		return
	}
	tfkit.AddError(diags, summary, err, nil, "")
}
