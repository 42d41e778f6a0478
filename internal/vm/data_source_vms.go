package vm

import (
	"cmp"
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// vmsDataSourceModel has the machines of an account, or of one of its groups.
type vmsDataSourceModel struct {
	filter
	Account         types.String      `tfsdk:"account"`
	Group           types.String      `tfsdk:"group"`
	IncludeDeleted  types.Bool        `tfsdk:"include_deleted"`
	VirtualMachines []reportedMachine `tfsdk:"virtual_machines"`
}

// NewVMsDataSource returns the data source cloudserver_vms.
func NewVMsDataSource() datasource.DataSource {
	notEmpty, name := []validator.String{tfkit.NotEmpty}, []validator.String{tfkit.NotEmpty, tfkit.PathName}
	return &tfkit.DataSource[vmsDataSourceModel]{
		Name: "_vms", What: "list virtual machines", Find: findMachines,
		Description: "Provides the virtual machines of an account or of one of its groups, in one request, sorted by name and then by ID. A machine has to match all filters. " +
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
			"name_pattern":     schema.StringAttribute{MarkdownDescription: namePatternDescription, Optional: true, Validators: []validator.String{namePattern}},
			"power_on":         schema.BoolAttribute{MarkdownDescription: powerOnFilterDescription, Optional: true},
			"zone_name":        schema.StringAttribute{MarkdownDescription: zoneNameFilterDescription, Optional: true, Validators: notEmpty},
			"hardware_profile": schema.StringAttribute{MarkdownDescription: profileFilterDescription, Optional: true, Validators: notEmpty},
			"include_deleted":  schema.BoolAttribute{MarkdownDescription: "Whether soft-deleted machines are listed too. Default: `false`.", Optional: true},
			"virtual_machines": nested("The machines.", reportedAttributes()),
		},
	}
}

func findMachines(ctx context.Context, data *tfkit.ProviderData, m *vmsDataSourceModel, diags *diag.Diagnostics) {
	if m.Account = data.KnownAccountOr(m.Account, "the virtual machines", diags); diags.HasError() {
		return
	}
	machines := machinesOf(ctx, data, m.Account.ValueString(), m.Group.ValueString(), m.IncludeDeleted.ValueBool(), diags)
	machines = slices.DeleteFunc(machines, func(p placed) bool {
		return !m.matches(p.VirtualMachine) || p.Deleted && !m.IncludeDeleted.ValueBool()
	})
	slices.SortFunc(machines, func(a, b placed) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
	m.VirtualMachines = make([]reportedMachine, len(machines))
	for i, p := range machines {
		m.VirtualMachines[i] = reportMachine(types.StringValue(p.account), types.StringValue(p.group), &p.VirtualMachine)
	}
}
