// Package location finds accounts and groups: those of a configuration or of a machine. It also explains what is not
// found, and handles names that the service may take for IDs.
package location

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/origin"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// AccountOr returns the configured account, or the provider's. If there is neither, it reports an error at the
// attribute account; what names the object that needs one.
func AccountOr(d tfkit.Defaults, configured types.String, what string, diags *diag.Diagnostics) types.String {
	if !configured.IsNull() {
		return configured
	}
	if d.Account.IsNull() {
		diags.AddAttributeError(path.Root("account"), "Missing account of "+what,
			"Set account here, in the provider block, or in CLOUDSERVER_ACCOUNT."+d.UnknownVariables)
	}
	return d.Account
}

// KnownAccountOr is AccountOr for an operation that has to send a request now. It reports an error if the provider's
// account is not known yet.
func KnownAccountOr(d tfkit.Defaults, configured types.String, what string, diags *diag.Diagnostics) types.String {
	account := AccountOr(d, configured, what, diags)
	if account.IsUnknown() {
		addUnknownDefault("account", what, diags)
	}
	return account
}

// KnownGroupOr returns the configured group, or the provider's. It reports an error if the latter is not known yet.
func KnownGroupOr(d tfkit.Defaults, configured types.String, what string, diags *diag.Diagnostics) types.String {
	if !configured.IsNull() {
		return configured
	}
	if d.Group.IsUnknown() {
		addUnknownDefault("group", what, diags)
	}
	return d.Group
}

// ErrNoAccount is returned for a machine whose account is unknown.
var ErrNoAccount = errors.New("the service lists no account with the machine's group; set account in the provider block, or CLOUDSERVER_ACCOUNT")

// Locate returns the address of a machine that the service has reported. The report has the ID of the group, but a path
// needs the names of the group and its account. If the service does not list the group, the provider's account is used;
// without one, the error is ErrNoAccount. A machine that a state of this process has is an [origin.Error] if it is of
// another service.
func Locate(ctx context.Context, f *fleet.Fleet, states *run.Memory, vm *cloudserver.VirtualMachine) (fleet.Machine, error) {
	return LocateAgain(ctx, f, states, vm, nil)
}

// LocateAgain is [Locate] for an operation that has read the machine before: known is what is known since, to which no later
// answer may be in contradiction. nil stands for what states of this process know.
func LocateAgain(
	ctx context.Context, f *fleet.Fleet, states *run.Memory, vm *cloudserver.VirtualMachine, known *origin.Machine,
) (fleet.Machine, error) {
	address := fleet.Machine{Account: f.Directory.Default, GroupID: vm.GroupID, ID: vm.ID}
	group, err := f.Directory.GroupByID(ctx, vm.GroupID, address.Account)
	switch {
	case err != nil:
		return address, err
	case group != nil:
		address.Account, address.Group = group.Account, group.Name
	case address.Account == "":
		return address, ErrNoAccount
	}
	if address.Origin = known; known == nil {
		at := origin.Place{Group: address.Group, Account: address.Account}
		address.Origin = origin.Known(vm.ID, "", vm.Name, at, nil, f.Directory.Finder(address.Account))
		address.Origin.ExpectDomain(cmp.Or(states.Of(run.ObjectWithID(run.VirtualMachine, vm.ID)).Domain, f.Domains.Machine(vm.ID)))
	}
	return address, address.Origin.Admit(ctx, vm, time.Time{})
}

func addUnknownDefault(name, what string, diags *diag.Diagnostics) {
	diags.AddAttributeError(path.Root(name), fmt.Sprintf("Unknown %s of %s", name, what), UnknownDefault(name, name))
}

// UnknownDefault explains that the provider's account or group, as name says, is not known yet. instead is what can be
// set here.
func UnknownDefault(name, instead string) string {
	return fmt.Sprintf("The provider's %s is not known yet, because it depends on something that is not applied yet. "+
		"Set %s here, or apply that first, with -target if necessary.", name, instead)
}

// Lister lists accounts and groups. It is implemented by directories and clients.
type Lister interface {
	// Accounts returns the accounts that the credentials can see.
	Accounts(ctx context.Context) ([]cloudserver.Account, error)
	// Groups returns the groups of an account.
	Groups(ctx context.Context, account string) ([]cloudserver.Group, error)
	// BasePath returns the path of the endpoint, or "" if it has none.
	BasePath() string
}

// NoSuchGroup explains that a group was not found, with the closest names: those of the account's groups, or those of
// accounts if the account was not found.
func NoSuchGroup(ctx context.Context, d tfkit.Defaults, list Lister, account, group string) string {
	groups, err := list.Groups(ctx, account)
	if cloudserver.IsNotFound(err) || isID(ctx, list, account) {
		return NoSuchAccount(ctx, d, list, account)
	}
	names := make([]string, len(groups))
	text := fmt.Sprintf("Account %q has no group %q", account, group)
	for i, g := range groups {
		names[i] = g.Name
		if group == cloudserver.IDText(g.ID) {
			text += fmt.Sprintf(" (the group with that ID is named %q)", g.Name)
		}
	}
	return noSuch(text, group, names, err, ofProvider("group", group, d.Group))
}

// isID reports whether no account has the name, which consists of digits. A path takes it for an ID.
func isID(ctx context.Context, list Lister, name string) bool {
	if !cloudserver.IsDigits(name) {
		return false
	}
	accounts, err := list.Accounts(ctx)
	return err == nil && !slices.ContainsFunc(accounts, func(a cloudserver.Account) bool { return a.Name == name })
}

// NoSuchAccount explains that an account was not found, with the closest names.
func NoSuchAccount(ctx context.Context, d tfkit.Defaults, list Lister, account string) string {
	accounts, err := list.Accounts(ctx)
	names := make([]string, len(accounts))
	for i, a := range accounts {
		names[i] = a.Name
	}
	text := fmt.Sprintf("There is no account %q", account)
	if wrong := wrongPath(list, err); wrong != nil {
		return tfkit.Sentence(wrong.Error()) + " Remove the path from endpoint, or correct it."
	}
	if cloudserver.IsNotFound(err) {
		return noSuch(text, account, nil, err, "") + " The service does not list any accounts either: check that endpoint is the base URL of its HTTP API."
	}
	for _, a := range accounts {
		if cloudserver.IDText(a.ID) == account {
			text += fmt.Sprintf(" (the account with that ID is named %q)", a.Name)
		}
	}
	return noSuch(text, account, names, err, ofProvider("account", account, d.Account))
}

// WrongPath returns an error if the endpoint has a path below which the service does not even list accounts. Then the
// path is at fault, and not the name of an account.
func WrongPath(ctx context.Context, list Lister) error {
	_, err := list.Accounts(ctx)
	return wrongPath(list, err)
}

func wrongPath(list Lister, err error) error {
	if !cloudserver.IsNotFound(err) || list.BasePath() == "" {
		return nil
	}
	return fmt.Errorf("the service is not at the path %q of endpoint: %w", list.BasePath(), err)
}

// ofProvider explains where a name comes from if it is the provider's default.
func ofProvider(attribute, name string, byDefault types.String) string {
	if byDefault.ValueString() != name {
		return ""
	}
	return fmt.Sprintf(" It is the provider's default: where it is not set here, correct %s in the provider block, "+
		"or CLOUDSERVER_%s in the environment.", attribute, strings.ToUpper(attribute))
}

// noSuch adds the closest names, unless they could not be listed, and where the name comes from. If the name is among
// them, it was missing only for a moment.
func noSuch(absence, name string, names []string, err error, origin string) string {
	text := absence + ", or these credentials cannot see it."
	switch {
	case err != nil:
		return text + origin
	case slices.Contains(names, name):
		return fmt.Sprintf("The service lists %q, but did not find it for this request. Run the same command again.", name)
	}
	return text + " " + tfkit.SuggestVisible(name, names) + origin
}
