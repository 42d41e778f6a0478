// SPDX-License-Identifier: MPL-2.0

package tfkit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/inventory"
)

// AccountOr returns the configured account, or the provider's. If there is neither, it reports an error at the
// attribute account; what names the object that needs one.
func (d Defaults) AccountOr(configured types.String, what string, diags *diag.Diagnostics) types.String {
	if !configured.IsNull() {
		return configured
	}
	if d.Account.IsNull() {
		diags.AddAttributeError(path.Root("account"), "Missing account of "+what,
			"Set account here, in the provider block, or in CLOUDSERVER_ACCOUNT.")
	}
	return d.Account
}

// KnownAccountOr is AccountOr for an operation that has to send a request now. It reports an error if the provider's
// account is not known yet.
func (d Defaults) KnownAccountOr(configured types.String, what string, diags *diag.Diagnostics) types.String {
	account := d.AccountOr(configured, what, diags)
	if account.IsUnknown() {
		addUnknownDefault("account", what, diags)
	}
	return account
}

// KnownGroupOr returns the configured group, or the provider's. It reports an error if the latter is not known yet.
func (d Defaults) KnownGroupOr(configured types.String, what string, diags *diag.Diagnostics) types.String {
	if !configured.IsNull() {
		return configured
	}
	if d.Group.IsUnknown() {
		addUnknownDefault("group", what, diags)
	}
	return d.Group
}

func addUnknownDefault(name, what string, diags *diag.Diagnostics) {
	diags.AddAttributeError(path.Root(name), fmt.Sprintf("Unknown %s of %s", name, what),
		fmt.Sprintf("The provider's %s is not known yet, because it depends on something that is not applied yet. "+
			"Set %s here, or apply that first, with -target if necessary.", name, name))
}

// ErrNoAccount is returned for a machine whose account is unknown.
var ErrNoAccount = errors.New("the service lists no account with the machine's group; " +
	"set account in the provider block, or CLOUDSERVER_ACCOUNT")

// Locate returns where a machine is that the service has described: the answer has the ID of the group, but requests
// need its account as well. If the service does not list the group, the provider's account is used; without one, the
// error is ErrNoAccount. group is nil if the service does not list it.
func Locate(
	ctx context.Context, f *inventory.Inventory, vm *cloudserver.VirtualMachine,
) (at inventory.Location, group *inventory.Group, err error) {
	at = inventory.Location{Account: f.DefaultAccount, GroupID: vm.GroupID, ID: vm.ID}
	group, err = f.GroupByID(ctx, vm.GroupID, at.Account)
	switch {
	case err != nil:
		return at, nil, err
	case group != nil:
		at.Account, at.AccountID = group.Account, group.AccountID
	case at.Account == "":
		return at, nil, ErrNoAccount
	}
	return at, group, nil
}

// Owner is the account of an object, as its private state keeps it. The zero value stands for the provider's account.
type Owner struct {
	Account   string `json:"account,omitempty"` // name
	AccountID int64  `json:"account_id,omitempty"`
}

// CheckGone finds out what a 404 for an object means (see inventory.CheckGone). Any other error is returned unchanged.
func (d *ProviderData) CheckGone(ctx context.Context, owner Owner, err error) error {
	if !cloudserver.IsNotFound(err) {
		return err
	}
	if owner.Account == "" {
		owner.Account = d.Account.ValueString()
	}
	return d.Inventory.CheckGone(ctx, owner.Account, owner.AccountID, err)
}

// NoSuchGroup explains that a group was not found, with the closest names: those of the account's groups, or those of
// accounts if the account was not found.
func (d *ProviderData) NoSuchGroup(ctx context.Context, account, group string) string {
	groups, err := d.Inventory.Groups(ctx, account)
	if cloudserver.IsNotFound(err) {
		return d.NoSuchAccount(ctx, account)
	}
	names := make([]string, len(groups))
	for i, g := range groups {
		if cloudserver.IDText(g.ID) == group {
			return fmt.Sprintf("%s is the ID of the group %q. Write its name, as in cloudserver_group.NAME.name.", group, g.Name)
		}
		names[i] = g.Name
	}
	return noSuch(fmt.Sprintf("Account %q has no group %q", account, group), group, names, err, d.Group, "group")
}

// NoSuchAccount explains that an account was not found, with the closest names.
func (d *ProviderData) NoSuchAccount(ctx context.Context, account string) string {
	accounts, err := d.Inventory.Accounts(ctx)
	names := make([]string, len(accounts))
	for i, a := range accounts {
		names[i] = a.Name
	}
	if slices.Contains(names, account) {
		return fmt.Sprintf("The service lists the account %q, and answers 404 to requests for what is in it. "+
			"Check that these credentials may see its groups.", account)
	}
	return noSuch(fmt.Sprintf("There is no account %q", account), account, names, err, d.Account, "account")
}

// noSuch adds the closest names, unless they could not be listed, and where the name comes from if it is the provider's
// default.
func noSuch(absence, name string, names []string, err error, byDefault types.String, attribute string) string {
	text := absence + ", or these credentials cannot see it."
	switch {
	case cloudserver.IsNotFound(err):
		text += " " + Detail(err, "Check that endpoint is the base URL of the service's HTTP API.")
	case err == nil:
		text += " " + SuggestVisible(name, names)
	}
	if byDefault.ValueString() == name {
		text += fmt.Sprintf(" The name is the provider's default: it comes from %s in the provider block, or from CLOUDSERVER_%s.",
			attribute, strings.ToUpper(attribute))
	}
	return text
}
