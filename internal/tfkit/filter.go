// SPDX-License-Identifier: MPL-2.0

package tfkit

import (
	"cmp"
	"context"
	"fmt"
	pattern "path"
	"slices"
	"strings"

	source "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// Filter selects machines. It is the configuration of list resources, and embedded in the data source cloudserver_vms. A
// null attribute selects every machine.
type Filter struct {
	Account         types.String `tfsdk:"account"`
	Group           types.String `tfsdk:"group"`
	NamePattern     types.String `tfsdk:"name_pattern"`
	PowerOn         types.Bool   `tfsdk:"power_on"`
	ZoneName        types.String `tfsdk:"zone_name"`
	HardwareProfile types.String `tfsdk:"hardware_profile"`
}

// FoundMachine is a machine with the name of its group.
type FoundMachine struct {
	cloudserver.VirtualMachine
	Group     string
	AccountID int64
}

// Title returns group/name, the form in which a machine can be imported.
func (m FoundMachine) Title() string { return m.Group + "/" + m.Name }

// FilterArguments returns the arguments of a data source that select machines.
func FilterArguments() map[string]source.Attribute {
	text := func(description string, computed bool, validators ...validator.String) source.Attribute {
		return source.StringAttribute{
			MarkdownDescription: description, Optional: true, Computed: computed, Validators: validators,
		}
	}
	notEmpty := NotEmpty
	return map[string]source.Attribute{
		"account":          text("Default: the provider's `account`.", true, PathName),
		"group":            text("Default: all groups of the account; the provider's `group` is not used.", false, PathName),
		"name_pattern":     text("Pattern of the whole name, with `*`, `?`, `[a-c]` and `[!a-c]`.", false, notEmpty, namePattern),
		"power_on":         source.BoolAttribute{MarkdownDescription: "Only machines that are on, or off.", Optional: true},
		"zone_name":        text("Only machines in this zone.", false, notEmpty),
		"hardware_profile": text("Only machines with this profile in use.", false, notEmpty),
	}
}

// namePattern refuses anything but a pattern.
var namePattern = Text{
	Accepts: "a pattern such as web*, with *, ? and [a-c]", Summary: "Invalid name pattern",
	Valid: func(text string) bool {
		_, err := MatchesPattern(text, "")
		return err == nil
	},
}

// FilterSchema returns the schema of a list resource that has the same arguments.
func FilterSchema(description string) schema.Schema {
	attributes := map[string]schema.Attribute{}
	for name, argument := range FilterArguments() {
		switch a := argument.(type) {
		case source.StringAttribute:
			attributes[name] = schema.StringAttribute{
				MarkdownDescription: a.MarkdownDescription, Optional: true, Validators: a.Validators,
			}
		case source.BoolAttribute:
			attributes[name] = schema.BoolAttribute{MarkdownDescription: a.MarkdownDescription, Optional: true}
		}
	}
	return schema.Schema{MarkdownDescription: description, Attributes: attributes}
}

// FindListed reads the machines that a list block selects, sorted by group and name. All blocks of a query that leave
// out soft-deleted machines share one overview of an account. It sets the account if the filter has none. what completes
// "Cannot list …".
func (f *Filter) FindListed(
	ctx context.Context, d *ProviderData, what string, includeDeleted bool, diags *diag.Diagnostics,
) (machines []FoundMachine) {
	if diags.HasError() || !d.RequireReady("list "+what, diags) {
		return nil
	}
	if includeDeleted {
		machines = f.Find(ctx, d, true, diags)
	} else {
		machines = f.find(ctx, d, d.Inventory.Overview, nil, diags)
		machines = slices.DeleteFunc(machines, func(m FoundMachine) bool { return m.Deleted })
	}
	slices.SortFunc(machines, func(a, b FoundMachine) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Name, b.Name))
	})
	return machines
}

// Find reads the selected machines as they are now. It sets the account if the filter has none.
func (f *Filter) Find(
	ctx context.Context, d *ProviderData, includeDeleted bool, diags *diag.Diagnostics,
) []FoundMachine {
	var options []cloudserver.ReadOption
	if includeDeleted {
		options = append(options, cloudserver.IncludeDeleted)
	}
	found := f.find(ctx, d, func(ctx context.Context, account string) (*cloudserver.Account, error) {
		return d.Client.Overview(ctx, account, options...)
	}, options, diags)
	return slices.DeleteFunc(found, func(m FoundMachine) bool { return m.Deleted && !includeDeleted })
}

// find reads the selected machines: those of a group in one listing, those of an account in one overview, which also has
// the names of its groups (API.md §5).
func (f *Filter) find(
	ctx context.Context, d *ProviderData, overview func(context.Context, string) (*cloudserver.Account, error),
	options []cloudserver.ReadOption, diags *diag.Diagnostics,
) []FoundMachine {
	if f.Account = d.KnownAccountOr(f.Account, "the virtual machines", diags); diags.HasError() {
		return nil
	}
	groups, err := f.groups(ctx, d, overview, options)
	if err != nil {
		d.addListError(ctx, f.Account.ValueString(), f.Group.ValueString(), err, diags)
		return nil
	}
	var found []FoundMachine
	for _, group := range groups {
		for _, vm := range group.VirtualMachines {
			found = append(found, FoundMachine{vm, group.Name, group.AccountID})
		}
	}
	found = slices.DeleteFunc(found, func(m FoundMachine) bool { return !f.matches(m.VirtualMachine) })
	if len(found) == 0 {
		f.explainNone(ctx, d, diags)
	}
	return found
}

// explainNone warns of what may be the reason why no machine is selected: values that the service does not list, though a
// machine may have one, and a regular expression.
func (f *Filter) explainNone(ctx context.Context, d *ProviderData, diags *diag.Diagnostics) {
	const none = "No machine was found with it."
	zone, profile := Zone, HardwareProfile
	zone.Unlisted, profile.Unlisted = none, none
	var choices []Choice
	if Given(f.ZoneName) {
		choices = append(choices, Choice{path.Root("zone_name"), f.ZoneName.ValueString(), zone})
	}
	if Given(f.HardwareProfile) {
		choices = append(choices, Choice{path.Root("hardware_profile"), f.HardwareProfile.ValueString(), profile})
	}
	d.CheckChoices(ctx, choices, diags)
	if text := f.NamePattern.ValueString(); strings.ContainsAny(text, "^$|()+") || strings.Contains(text, ".*") {
		diags.AddAttributeWarning(path.Root("name_pattern"), fmt.Sprintf("No machine matches the pattern %q", text),
			"The pattern looks like a regular expression. Here, * stands for any text and ? for any character: "+
				"for all names that begin with web, write \"web*\".")
	}
}

// groups returns the groups that the filter selects, with their machines.
func (f *Filter) groups(
	ctx context.Context, d *ProviderData, overview func(context.Context, string) (*cloudserver.Account, error),
	options []cloudserver.ReadOption,
) ([]cloudserver.Group, error) {
	account := f.Account.ValueString()
	if f.Group.IsNull() {
		all, err := overview(ctx, account)
		if err != nil {
			return nil, err
		}
		return all.Groups, nil
	}
	found, err := d.Inventory.GroupNamed(ctx, account, f.Group.ValueString())
	if err != nil {
		return nil, err
	}
	group := found.Group
	group.VirtualMachines, err = d.Client.VirtualMachines(ctx, account, cloudserver.IDText(group.ID), options...)
	return []cloudserver.Group{group}, err
}

// addListError reports that a listing failed: that of an account if group is "".
func (d *ProviderData) addListError(ctx context.Context, account, group string, err error, diags *diag.Diagnostics) {
	at, where := "account", fmt.Sprintf("account %q", account)
	if group != "" {
		at, where = "group", fmt.Sprintf("group %q of %s", group, where)
	}
	summary := "Cannot list the virtual machines of " + where
	switch {
	case !cloudserver.IsNotFound(err):
		AddError(diags, summary, err, nil, "")
	case group != "":
		diags.AddAttributeError(path.Root(at), summary, d.NoSuchGroup(ctx, account, group))
	default:
		diags.AddAttributeError(path.Root(at), summary, d.NoSuchAccount(ctx, account))
	}
}

// matches reports whether the machine is selected. If the service does not report a value, a filter on that value does
// not match.
func (f *Filter) matches(vm cloudserver.VirtualMachine) bool {
	fits, _ := MatchesPattern(f.NamePattern.ValueString(), vm.Name)
	return (f.NamePattern.IsNull() || fits) &&
		(f.PowerOn.IsNull() || vm.PowerOn != nil && *vm.PowerOn == f.PowerOn.ValueBool()) &&
		matchesText(f.ZoneName, vm.ZoneName) &&
		matchesText(f.HardwareProfile, vm.HardwareProfile)
}

func matchesText(wanted types.String, reported *string) bool {
	return wanted.IsNull() || reported != nil && *reported == wanted.ValueString()
}

// MatchesPattern reports whether a pattern matches the whole name. No name has a slash, which path.Match treats as a
// separator. Ranges are negated with ! as in shells.
func MatchesPattern(text, name string) (bool, error) {
	return pattern.Match(strings.ReplaceAll(text, "[!", "[^"), name)
}
