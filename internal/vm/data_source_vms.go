package vm

import (
	"cmp"
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

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
	machines := machinesOf(ctx, d.data, m.Account.ValueString(), m.Group.ValueString(), m.IncludeDeleted.ValueBool(), &resp.Diagnostics)
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
