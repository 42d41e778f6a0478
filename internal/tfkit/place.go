package tfkit

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// AccountOr returns the configured account, or else the provider's. It reports an
// error at the attribute account where there is neither; what is the object that
// needs one.
func (d *ProviderData) AccountOr(configured types.String, what string, diags *diag.Diagnostics) types.String {
	if !configured.IsNull() || d == nil {
		return configured
	}
	if d.Account.IsNull() {
		diags.AddAttributeError(path.Root("account"), "Missing account of "+what,
			"Set account here, in the provider block, or in CLOUDSERVER_ACCOUNT.")
	}
	return d.Account
}

// Places lists accounts and groups. A directory implements it, and a client.
type Places interface {
	// Accounts returns the accounts that the credentials can see.
	Accounts(ctx context.Context) ([]cloudserver.Account, error)
	// Groups returns the groups of an account.
	Groups(ctx context.Context, account string) ([]cloudserver.Group, error)
}

// NoSuchGroup returns the sentences for a group that was not found, with the names
// that are closest: of the account's groups, or of the accounts if it is the
// account that was not found.
func NoSuchGroup(ctx context.Context, places Places, account, group string) string {
	groups, err := places.Groups(ctx, account)
	if cloudserver.IsNotFound(err) {
		return NoSuchAccount(ctx, places, account)
	}
	names := make([]string, len(groups))
	for i, g := range groups {
		names[i] = g.Name
	}
	return noSuch(fmt.Sprintf("Account %q has no group %q", account, group), group, names, err)
}

// NoSuchAccount returns the sentences for an account that was not found, with the
// names that are closest.
func NoSuchAccount(ctx context.Context, places Places, account string) string {
	accounts, err := places.Accounts(ctx)
	names := make([]string, len(accounts))
	for i, a := range accounts {
		names[i] = a.Name
	}
	text := fmt.Sprintf("There is no account %q", account)
	for _, a := range accounts {
		if IDText(a.ID) == account {
			text += fmt.Sprintf(" (the account with that ID is named %q)", a.Name)
		}
	}
	return noSuch(text, account, names, err)
}

// noSuch adds the names, unless they could not be listed.
func noSuch(absence, name string, names []string, err error) string {
	text := absence + ", or these credentials cannot see it."
	if err != nil {
		return text
	}
	return text + " " + SuggestVisible(name, names)
}
