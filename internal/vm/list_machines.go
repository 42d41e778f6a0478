package vm

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

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
	ask := data.Client.Account
	if withDeleted {
		options, ask = append(options, cloudserver.IncludeDeleted), data.Client.AccountWithDeleted
	}
	if group != "" {
		machines, err := listGroup(ctx, data, account, group, options...)
		if err != nil {
			addListError(ctx, data, account, group, err, diags)
		}
		return inGroup(account, group, machines)
	}
	overview, err := ask(ctx, account)
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
	element, err := data.Directory.Element(ctx, account, name, 0)
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
