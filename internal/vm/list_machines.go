package vm

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"

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

// machinesIn yields the machines of a group by name, or of all groups of an
// account if group is "". A group is asked for, in one request, when its turn
// comes, so a caller that stops early has asked for no more than it needed. An
// error comes last.
func machinesIn(ctx context.Context, data *tfkit.ProviderData, account, group string) iter.Seq2[placed, error] {
	return func(yield func(placed, error) bool) {
		groups, err := groupNames(ctx, data.Client, account, group)
		if err != nil {
			yield(placed{}, err)
			return
		}
		for _, name := range groups {
			machines, err := listGroup(ctx, data, account, name)
			if err != nil {
				yield(placed{}, err)
				return
			}
			byName := func(a, b cloudserver.VirtualMachine) int { return cmp.Compare(a.Name, b.Name) }
			for _, machine := range slices.SortedStableFunc(slices.Values(machines), byName) {
				if !machine.Deleted && !yield(placed{machine, account, name}, nil) {
					return
				}
			}
		}
	}
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

func groupNames(ctx context.Context, client *cloudserver.Client, account, group string) ([]string, error) {
	if group != "" {
		return []string{group}, nil
	}
	groups, err := client.Groups(ctx, account)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(groups))
	for i, g := range groups {
		names[i] = g.Name
	}
	slices.Sort(names)
	return names, nil
}
