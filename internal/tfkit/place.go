package tfkit

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// AccountOr gives the account that the configuration names, or the provider's.
// Where there is neither, it reports that at the attribute account; what is the
// thing that needs one.
func (d *ProviderData) AccountOr(configured types.String, what string, diags *diag.Diagnostics) types.String {
	if !configured.IsNull() || d == nil {
		return configured
	}
	if d.Account.IsNull() {
		diags.AddAttributeError(path.Root("account"), "No account for "+what,
			"Set account here, in the provider block, or in CLOUDSERVER_ACCOUNT.")
	}
	return d.Account
}

// NoSuchGroup says that the service does not know a group, and which names are
// like the one that was asked for: those of the account's groups, or of the
// accounts when it is the account that is not known.
func NoSuchGroup(ctx context.Context, client *cloudserver.Client, account, group string) string {
	groups, err := client.Groups(ctx, account)
	if cloudserver.IsNotFound(err) {
		return NoSuchAccount(ctx, client, account)
	}
	names := make([]string, len(groups))
	for i, g := range groups {
		names[i] = g.Name
	}
	return noSuch(fmt.Sprintf("group %q of account %q", group, account), group, names, err)
}

// NoSuchAccount says that the service does not know an account, and which
// accounts have a name that is like the one that was asked for.
func NoSuchAccount(ctx context.Context, client *cloudserver.Client, account string) string {
	accounts, err := client.Accounts(ctx)
	names := make([]string, len(accounts))
	for i, a := range accounts {
		names[i] = a.Name
	}
	return noSuch(fmt.Sprintf("account %q", account), account, names, err)
}

// noSuch words the absence. Names that could not be had are left out.
func noSuch(what, name string, names []string, err error) string {
	text := fmt.Sprintf("The service knows no %s, or does not show it to this session.", what)
	if err != nil {
		return text
	}
	return text + " " + NearestSentence(name, names)
}
