package vm

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

var _ datasource.DataSourceWithConfigure = (*vmsDataSource)(nil)

type vmsDataSource struct {
	data *tfkit.ProviderData
}

// NewVMsDataSource returns the data source cloudserver_vms.
func NewVMsDataSource() datasource.DataSource {
	return &vmsDataSource{}
}

// vmsDataSourceModel has the machines of an account, or of one of its groups.
type vmsDataSourceModel struct {
	filter
	Account         types.String      `tfsdk:"account"`
	Group           types.String      `tfsdk:"group"`
	IncludeDeleted  types.Bool        `tfsdk:"include_deleted"`
	VirtualMachines []reportedMachine `tfsdk:"virtual_machines"`
}

func (d *vmsDataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_vms"
}

func (d *vmsDataSource) Configure(_ context.Context, req datasource.ConfigureRequest, resp *datasource.ConfigureResponse) {
	tfkit.Configure(req.ProviderData, &d.data, &resp.Diagnostics)
}

func (d *vmsDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	notEmpty, name := []validator.String{tfkit.NotEmpty}, []validator.String{tfkit.NotEmpty, tfkit.PathName}
	resp.Schema = schema.Schema{
		MarkdownDescription: "Provides the virtual machines of an account or of one of its groups, in one request, sorted by name and then by ID. A machine has to match all filters. " +
			"A machine that is still being created may be missing.",
		Attributes: map[string]schema.Attribute{
			"account": schema.StringAttribute{
				MarkdownDescription: "Name of the account. Default: the provider's `account`.",
				Optional:            true, Computed: true, Validators: name,
			},
			"group": schema.StringAttribute{
				MarkdownDescription: "Name of the group. Default: all groups of the account; the provider's `group` is not used.",
				Optional:            true, Validators: name,
			},
			"name_pattern":     schema.StringAttribute{MarkdownDescription: namePatternDescription, Optional: true, Validators: []validator.String{namePattern{}}},
			"power_on":         schema.BoolAttribute{MarkdownDescription: powerOnFilterDescription, Optional: true},
			"zone_name":        schema.StringAttribute{MarkdownDescription: zoneNameFilterDescription, Optional: true, Validators: notEmpty},
			"hardware_profile": schema.StringAttribute{MarkdownDescription: profileFilterDescription, Optional: true, Validators: notEmpty},
			"include_deleted":  schema.BoolAttribute{MarkdownDescription: "Whether soft-deleted machines are listed too. Default: `false`.", Optional: true},
			"virtual_machines": schema.ListNestedAttribute{
				MarkdownDescription: "The machines.",
				Computed:            true,
				NestedObject:        schema.NestedAttributeObject{Attributes: reportedAttributes()},
			},
		},
	}
}

func (d *vmsDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var m vmsDataSourceModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() || !d.data.RequireReady("list virtual machines", &resp.Diagnostics) {
		return
	}
	if m.Account = d.data.KnownAccountOr(m.Account, "the virtual machines", &resp.Diagnostics); resp.Diagnostics.HasError() {
		return
	}
	var machines []placed
	if m.Group.IsNull() {
		machines = d.ofAccount(ctx, m, &resp.Diagnostics)
	} else {
		machines = d.ofGroup(ctx, m, &resp.Diagnostics)
	}
	if resp.Diagnostics.HasError() {
		return
	}
	m.VirtualMachines = m.choose(machines)
	resp.Diagnostics.Append(resp.State.Set(ctx, m)...)
}

// choose filters, sorts and converts the listed machines.
func (m vmsDataSourceModel) choose(listed []placed) []reportedMachine {
	chosen := slices.DeleteFunc(listed, func(p placed) bool {
		return !m.matches(p.VirtualMachine) || p.Deleted && !m.IncludeDeleted.ValueBool()
	})
	slices.SortFunc(chosen, func(a, b placed) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
	models := make([]reportedMachine, len(chosen))
	for i, p := range chosen {
		models[i] = reportMachine(types.StringValue(p.account), types.StringValue(p.group), &p.VirtualMachine)
	}
	return models
}

// ofGroup reads one listing, shared with callers that ask at the same moment.
func (d *vmsDataSource) ofGroup(ctx context.Context, m vmsDataSourceModel, diags *diag.Diagnostics) []placed {
	account, group := m.Account.ValueString(), m.Group.ValueString()
	var options []cloudserver.ReadOption
	if m.IncludeDeleted.ValueBool() {
		options = append(options, cloudserver.IncludeDeleted)
	}
	machines, err := listGroup(ctx, d.data, account, group, options...)
	if err != nil {
		addListError(ctx, d.data, account, group, err, diags)
	}
	return inGroup(account, group, machines)
}

// ofAccount reads one overview of the account, which also has the names of its
// groups (API.md §5).
func (d *vmsDataSource) ofAccount(ctx context.Context, m vmsDataSourceModel, diags *diag.Diagnostics) []placed {
	name := m.Account.ValueString()
	ask := d.data.Client.Account
	if m.IncludeDeleted.ValueBool() {
		ask = d.data.Client.AccountWithDeleted
	}
	account, err := ask(ctx, name)
	switch {
	case err != nil:
		addListError(ctx, d.data, name, "", err, diags)
		return nil
	case account.Groups == nil:
		diags.AddError(fmt.Sprintf("Cannot list the virtual machines of account %q", name),
			"The service answered without the account's groups. Set group to list the machines of one group.")
		return nil
	}
	var machines []placed
	for _, group := range account.Groups {
		machines = append(machines, inGroup(name, group.Name, group.VirtualMachines)...)
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
