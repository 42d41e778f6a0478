package vm

import (
	"context"
	"fmt"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework-validators/datasourcevalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/place"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// vmDataSourceModel is one machine and how it is found.
type vmDataSourceModel struct {
	reportedMachine
	IncludeDeleted types.Bool `tfsdk:"include_deleted"`
}

// NewDataSource returns the data source cloudserver_vm.
func NewDataSource() datasource.DataSource {
	attributes := reportedAttributes()
	id := tfkit.LookedUpBy("ID of the machine. Exactly one of `id` and `name` must be set.")
	id.Validators = []validator.String{tfkit.NumericID("; to find a machine by its name, use name")}
	maps.Copy(attributes, map[string]schema.Attribute{
		"id":      id,
		"name":    tfkit.LookedUpBy("Name of the machine in its group. Exactly one of `id` and `name` must be set."),
		"account": tfkit.LookedUpBy("Name of the account; only with `name`. Default: the provider's `account`."),
		"group":   tfkit.LookedUpBy("Name of the group; only with `name`. Default: the provider's `group`, or else `default`."),
		"include_deleted": schema.BoolAttribute{
			MarkdownDescription: "Whether a soft-deleted machine may be found. Default: `false`.",
			Optional:            true,
		},
	})
	return &tfkit.DataSource[vmDataSourceModel]{
		Name: "_vm", What: "find a virtual machine", Find: findMachine, Attributes: attributes,
		Description: "Provides information about a virtual machine, by its ID or by account, group and name.",
		Validators: []datasource.ConfigValidator{
			datasourcevalidator.ExactlyOneOf(path.MatchRoot("id"), path.MatchRoot("name")),
			datasourcevalidator.Conflicting(path.MatchRoot("id"), path.MatchRoot("account")),
			datasourcevalidator.Conflicting(path.MatchRoot("id"), path.MatchRoot("group")),
		},
	}
}

// findMachine asks for one machine, soft-deleted or not: they cannot have one name. By
// id, its place needs the directory as well.
func findMachine(ctx context.Context, data *tfkit.ProviderData, m *vmDataSourceModel, diags *diag.Diagnostics) {
	at, summary := "id", "Cannot find virtual machine "+m.ID.ValueString()
	missing := func() string { return "No machine with this ID is visible to these credentials." }
	var vm *cloudserver.VirtualMachine
	var err error
	if !m.ID.IsNull() {
		vm, err = data.Client.VirtualMachine(ctx, tfkit.IDOf(m.ID), cloudserver.IncludeDeleted)
	} else {
		m.Group = place.KnownGroupOr(data, m.Group, "the virtual machine", diags)
		if m.Account = place.KnownAccountOr(data, m.Account, "the virtual machine", diags); diags.HasError() {
			return
		}
		account, group, name := m.Account.ValueString(), m.Group.ValueString(), m.Name.ValueString()
		at, summary = "name", fmt.Sprintf("Cannot find virtual machine %q in group %q of account %q", name, group, account)
		missing = func() string { return noSuchName(ctx, data, account, group, name) }
		var element string
		if element, err = data.Fleet.Directory.Element(ctx, account, group, 0); err == nil { // digits could mean the ID of another group
			vm, err = data.Client.VirtualMachineByName(ctx, account, element, name, cloudserver.IncludeDeleted)
		}
	}
	switch {
	case cloudserver.IsNotFound(err):
		diags.AddAttributeError(path.Root(at), summary, missing())
	case err != nil:
		tfkit.AddError(diags, summary, err, nil, "A machine that is still being created can be found a moment later. Refer to a machine that this configuration creates directly.")
	case vm.Deleted && !m.IncludeDeleted.ValueBool():
		diags.AddAttributeError(path.Root(at), summary, "The machine is soft-deleted. Set include_deleted = true to find it anyway.")
	default:
		account, group := m.Account, m.Group
		if m.Name.IsNull() {
			account, group = placeOf(ctx, data, vm, diags)
		}
		m.reportedMachine = reportMachine(account, group, vm)
	}
}

// noSuchName suggests the closest names: of the group's machines, or of groups or
// accounts where one of those does not exist.
func noSuchName(ctx context.Context, data *tfkit.ProviderData, account, group, name string) string {
	const text = "No such machine is visible to these credentials."
	machines, err := listGroup(ctx, data, account, group, cloudserver.IncludeDeleted)
	switch {
	case cloudserver.IsNotFound(err):
		return place.NoSuchGroup(ctx, data.Client, account, group)
	case err != nil:
		return text
	case len(machines) == 0:
		return fmt.Sprintf("%s The group %q has no machines.", text, group)
	}
	names := mapped(machines, func(vm cloudserver.VirtualMachine) string { return vm.Name })
	return text + " " + tfkit.SuggestVisible(name, names)
}
