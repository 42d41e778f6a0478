package vm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	pattern "path"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/location"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// vmsDataSourceModel has the machines of an account, or of one of its groups.
type vmsDataSourceModel struct {
	filter
	IncludeDeleted  types.Bool        `tfsdk:"include_deleted"`
	VirtualMachines []reportedMachine `tfsdk:"virtual_machines"`
}

// NewVMsDataSource returns the data source cloudserver_vms.
func NewVMsDataSource() datasource.DataSource {
	attributes := filterArguments()
	maps.Copy(attributes, map[string]schema.Attribute{
		"include_deleted":  schema.BoolAttribute{MarkdownDescription: "Whether soft-deleted machines are listed too. Default: `false`.", Optional: true},
		"virtual_machines": nested("The machines.", reportedAttributes()),
	})
	return &tfkit.DataSource[vmsDataSourceModel]{
		Name: "_vms", What: "list virtual machines", Find: findMachines, Attributes: attributes,
		Description: "Provides the virtual machines of an account or of one of its groups, in one request, sorted by name and then by ID. A machine has to match all filters. " +
			"A machine that is still being created may be missing.",
	}
}

func findMachines(ctx context.Context, data *tfkit.ProviderData, m *vmsDataSourceModel, diags *diag.Diagnostics) {
	machines := m.find(ctx, data, m.IncludeDeleted.ValueBool(), diags)
	slices.SortFunc(machines, func(a, b listedMachine) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID)) })
	m.VirtualMachines = mapped(machines, func(p listedMachine) reportedMachine {
		return reportMachine(m.Account, types.StringValue(p.group), &p.VirtualMachine)
	})
}

// filter selects machines. The list resource has it as its configuration, and the
// data source cloudserver_vms embeds it. A null attribute selects every machine.
type filter struct {
	Account         types.String `tfsdk:"account"`
	Group           types.String `tfsdk:"group"`
	NamePattern     types.String `tfsdk:"name_pattern"`
	PowerOn         types.Bool   `tfsdk:"power_on"`
	ZoneName        types.String `tfsdk:"zone_name"`
	HardwareProfile types.String `tfsdk:"hardware_profile"`
}

func filterArguments() map[string]schema.Attribute {
	text := func(description string, computed bool, validators ...validator.String) schema.Attribute {
		return schema.StringAttribute{MarkdownDescription: description, Optional: true, Computed: computed, Validators: validators}
	}
	return map[string]schema.Attribute{
		"account": text("Name of the account. Default: the provider's `account`.", true, tfkit.NotEmpty, tfkit.PathName),
		"group":   text("Name of the group. Default: all groups of the account; the provider's `group` is not used.", false, tfkit.NotEmpty, tfkit.PathName),
		"name_pattern": text("Only machines whose whole name matches the pattern: `*` matches any characters, `?` one, `[a-c]` one of a range, `[!a-c]` one that is not. Upper and lower case differ.",
			false, namePattern),
		"power_on":         schema.BoolAttribute{MarkdownDescription: "Only machines that are on (`true`) or off (`false`).", Optional: true},
		"zone_name":        text("Only machines in this zone.", false, tfkit.NotEmpty),
		"hardware_profile": text("Only machines with this hardware profile in use.", false, tfkit.NotEmpty),
	}
}

// listedMachine is a machine with the name of its group.
type listedMachine struct {
	cloudserver.VirtualMachine
	group string
}

// find reads the machines that are selected: of a group in one listing, and of an account
// in one overview, which also has the names of its groups (API.md §5).
func (f *filter) find(ctx context.Context, data *tfkit.ProviderData, withDeleted bool, diags *diag.Diagnostics) []listedMachine {
	if f.Account = location.KnownAccountOr(data, f.Account, "the virtual machines", diags); diags.HasError() {
		return nil
	}
	var options []cloudserver.ReadOption
	if withDeleted {
		options = append(options, cloudserver.IncludeDeleted)
	}
	account, group := f.Account.ValueString(), f.Group.ValueString()
	groups := []cloudserver.Group{{Name: group}}
	var overview *cloudserver.Account
	var err error
	if group != "" {
		groups[0].VirtualMachines, err = listGroup(ctx, data, account, group, options...)
	} else if overview, err = data.Client.Overview(ctx, account, options...); err == nil {
		groups = overview.Groups
	}
	if groups == nil {
		err = errors.New("the service answered without the account's groups; set group to list the machines of one group")
	}
	if err != nil {
		addListError(ctx, data, account, group, err, diags)
	}
	var found []listedMachine
	for _, g := range groups {
		for _, vm := range g.VirtualMachines {
			if f.matches(vm) && (withDeleted || !vm.Deleted) {
				found = append(found, listedMachine{vm, g.Name})
			}
		}
	}
	return found
}

// listGroup lists the machines of the group with the name. In a path, digits could
// mean the ID of another group.
func listGroup(ctx context.Context, data *tfkit.ProviderData, account, name string, options ...cloudserver.ReadOption) ([]cloudserver.VirtualMachine, error) {
	element, err := data.Fleet.Directory.Element(ctx, account, name, 0)
	if err != nil {
		return nil, err
	}
	return data.Client.VirtualMachines(ctx, account, element, options...)
}

// addListError reports a listing that failed, of an account if group is "".
func addListError(ctx context.Context, data *tfkit.ProviderData, account, group string, err error, diags *diag.Diagnostics) {
	at, where, missing := "account", fmt.Sprintf("account %q", account), func() string { return location.NoSuchAccount(ctx, data.Client, account) }
	if group != "" {
		at, where, missing = "group", fmt.Sprintf("group %q of %s", group, where), func() string { return location.NoSuchGroup(ctx, data.Client, account, group) }
	}
	summary := "Cannot list the virtual machines of " + where
	if cloudserver.IsNotFound(err) {
		diags.AddAttributeError(path.Root(at), summary, missing())
		return
	}
	tfkit.AddError(diags, summary, err, nil, "")
}

// matches reports whether the machine is selected. A machine for which the
// service does not report a value does not match a filter on that value.
func (f *filter) matches(vm cloudserver.VirtualMachine) bool {
	fits, _ := matchesPattern(f.NamePattern.ValueString(), vm.Name)
	return (f.NamePattern.IsNull() || fits) &&
		(f.PowerOn.IsNull() || vm.PowerOn != nil && *vm.PowerOn == f.PowerOn.ValueBool()) &&
		matchesText(f.ZoneName, vm.ZoneName) &&
		matchesText(f.HardwareProfile, vm.HardwareProfile)
}

func matchesText(wanted types.String, reported *string) bool {
	return wanted.IsNull() || reported != nil && *reported == wanted.ValueString()
}

// matchesPattern reports whether the whole name matches. No name has a slash, which
// path.Match treats as a separator; ranges are negated with !, as a shell does.
func matchesPattern(text, name string) (bool, error) {
	return pattern.Match(strings.ReplaceAll(text, "[!", "[^"), name)
}

// namePattern refuses what is not a pattern.
var namePattern = tfkit.Text{
	Accepts: "a pattern such as web*, with *, ? and [a-c]", Summary: "Invalid name pattern",
	Problem: func(_ path.Path, text string) string {
		if _, err := matchesPattern(text, ""); err != nil {
			return fmt.Sprintf("%q has a [ without its ], or a \\ at the end. It must be a pattern such as web*, with *, ? and [a-c].", text)
		}
		return ""
	},
}
