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
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

var (
	_ datasource.DataSourceWithConfigure        = (*vmDataSource)(nil)
	_ datasource.DataSourceWithConfigValidators = (*vmDataSource)(nil)
)

type vmDataSource struct {
	data *tfkit.ProviderData
}

// NewDataSource returns the data source cloudserver_vm.
func NewDataSource() datasource.DataSource {
	return &vmDataSource{}
}

// vmDataSourceModel is one machine and how it is found.
type vmDataSourceModel struct {
	reportedMachine
	IncludeDeleted types.Bool `tfsdk:"include_deleted"`
}

func (d *vmDataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_vm"
}

func (d *vmDataSource) Configure(_ context.Context, req datasource.ConfigureRequest, resp *datasource.ConfigureResponse) {
	tfkit.Configure(req.ProviderData, &d.data, &resp.Diagnostics)
}

func (d *vmDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	attributes := reportedAttributes()
	maps.Copy(attributes, map[string]schema.Attribute{
		"id":      tfkit.LookedUpBy("ID of the machine. Exactly one of `id` and `name` must be set."),
		"name":    tfkit.LookedUpBy("Name of the machine in its group. Exactly one of `id` and `name` must be set."),
		"account": tfkit.LookedUpBy("Name of the account; only with `name`. Default: the provider's `account`."),
		"group":   tfkit.LookedUpBy("Name of the group; only with `name`. Default: the provider's `group`, or else `default`."),
		"include_deleted": schema.BoolAttribute{
			MarkdownDescription: "Whether a soft-deleted machine may be found. Default: `false`.",
			Optional:            true,
		},
	})
	resp.Schema = schema.Schema{
		MarkdownDescription: "Provides information about a virtual machine, by its ID or by account, group and name.",
		Attributes:          attributes,
	}
}

func (d *vmDataSource) ConfigValidators(context.Context) []datasource.ConfigValidator {
	return []datasource.ConfigValidator{
		datasourcevalidator.ExactlyOneOf(path.MatchRoot("id"), path.MatchRoot("name")),
		datasourcevalidator.Conflicting(path.MatchRoot("id"), path.MatchRoot("account")),
		datasourcevalidator.Conflicting(path.MatchRoot("id"), path.MatchRoot("group")),
	}
}

// Read asks for one machine. By id, its place needs the directory as well.
func (d *vmDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var m vmDataSourceModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() || !d.data.RequireReady("find a virtual machine", &resp.Diagnostics) {
		return
	}
	var vm *cloudserver.VirtualMachine
	if m.ID.IsNull() {
		vm = d.byName(ctx, &m, &resp.Diagnostics)
	} else {
		vm = d.byID(ctx, m, &resp.Diagnostics)
	}
	if resp.Diagnostics.HasError() {
		return
	}
	account, group := m.Account, m.Group
	if m.Name.IsNull() {
		account, group = placeOf(ctx, d.data, vm, &resp.Diagnostics)
	}
	m.reportedMachine = reportMachine(account, group, vm)
	resp.Diagnostics.Append(resp.State.Set(ctx, m)...)
}

func (m vmDataSourceModel) options() []cloudserver.ReadOption {
	if m.IncludeDeleted.ValueBool() {
		return []cloudserver.ReadOption{cloudserver.IncludeDeleted}
	}
	return nil
}

func (d *vmDataSource) byID(ctx context.Context, m vmDataSourceModel, diags *diag.Diagnostics) *cloudserver.VirtualMachine {
	summary := "Cannot find virtual machine " + m.ID.ValueString()
	id, err := cloudserver.ParseID(m.ID.ValueString())
	if err != nil {
		diags.AddAttributeError(path.Root("id"), summary, fmt.Sprintf("%q is not a numeric ID. To find a machine by its name, use name.", m.ID.ValueString()))
		return nil
	}
	vm, err := d.data.Client.VirtualMachine(ctx, id, m.options()...)
	switch {
	case err == nil && vm.Deleted && !m.IncludeDeleted.ValueBool():
		diags.AddAttributeError(path.Root("id"), summary, softDeleted)
	case cloudserver.IsNotFound(err):
		diags.AddAttributeError(path.Root("id"), summary, d.noSuchID(ctx, id))
	case err != nil:
		tfkit.AddError(diags, summary, err, nil, lookUpAdvice)
	}
	return vm
}

func (d *vmDataSource) byName(ctx context.Context, m *vmDataSourceModel, diags *diag.Diagnostics) *cloudserver.VirtualMachine {
	m.Group = d.data.KnownGroupOr(m.Group, "the virtual machine", diags)
	if m.Account = d.data.KnownAccountOr(m.Account, "the virtual machine", diags); diags.HasError() {
		return nil
	}
	account, group, name := m.Account.ValueString(), m.Group.ValueString(), m.Name.ValueString()
	summary := fmt.Sprintf("Cannot find virtual machine %q in group %q of account %q", name, group, account)
	var vm *cloudserver.VirtualMachine
	element, err := d.data.Directory.Element(ctx, account, group, 0) // digits could mean the ID of another group
	if err == nil {
		vm, err = d.data.Client.VirtualMachineByName(ctx, account, element, name, m.options()...)
	}
	switch {
	case err == nil && vm.Deleted && !m.IncludeDeleted.ValueBool():
		diags.AddAttributeError(path.Root("name"), summary, softDeleted)
	case cloudserver.IsNotFound(err):
		diags.AddAttributeError(path.Root("name"), summary, d.noSuchName(ctx, account, group, name, m.IncludeDeleted.ValueBool()))
	case err != nil:
		tfkit.AddError(diags, summary, err, nil, lookUpAdvice)
	}
	return vm
}
