package vm

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// vmsDataSourceModel has the machines of an account, or of one of its groups.
type vmsDataSourceModel struct {
	tfkit.Filter
	IncludeDeleted  types.Bool        `tfsdk:"include_deleted"`
	VirtualMachines []reportedMachine `tfsdk:"virtual_machines"`
}

// NewVMsDataSource returns the data source cloudserver_vms.
func NewVMsDataSource() datasource.DataSource {
	attributes := tfkit.FilterArguments()
	maps.Copy(attributes, map[string]schema.Attribute{
		"include_deleted": schema.BoolAttribute{
			MarkdownDescription: "Whether soft-deleted machines are listed too. Default: `false`.", Optional: true,
		},
		"virtual_machines": nested("The machines.", reportedAttributes()),
	})
	return &tfkit.DataSource[vmsDataSourceModel]{
		Name: "_vms", What: "list virtual machines", Find: findMachines, Attributes: attributes,
		Description: "Provides the virtual machines of an account or of one of its groups that match all filters, " +
			"sorted by name. " +
			"A machine that is still being created may be missing.",
	}
}

func findMachines(ctx context.Context, data *tfkit.ProviderData, m *vmsDataSourceModel, diags *diag.Diagnostics) {
	machines := m.Find(ctx, data, m.IncludeDeleted.ValueBool(), diags)
	slices.SortFunc(machines, func(a, b tfkit.FoundMachine) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
	m.VirtualMachines = mapped(machines, func(found tfkit.FoundMachine) reportedMachine {
		at := place{m.Account, tfkit.IDOrNull(found.AccountID), types.StringValue(found.Group)}
		return reportMachine(at, &found.VirtualMachine)
	})
}
