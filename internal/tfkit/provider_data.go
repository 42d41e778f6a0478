// SPDX-License-Identifier: MPL-2.0

package tfkit

import (
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/inventory"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/ready"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/rollout"
)

// ProviderData is what the configured provider passes to every resource, data source, list resource and action.
type ProviderData struct {
	// Client calls the service. It is nil while Unknown is not empty.
	Client *cloudserver.Client
	// ServiceIsHere reports whether the service runs on this computer, as an emulator does. Its machines may then be
	// here as well.
	ServiceIsHere bool
	// Session returns a client for opening sessions. An empty argument means that of Client.
	Session func(username, password, authEndpoint string) (*cloudserver.Client, error)
	// Inventory knows what the service has, and waits for machines, in few requests.
	Inventory *inventory.Inventory
	// Dial connects to machines.
	Dial ready.Dial
	// Rollout limits how many machines may be down at the same time.
	Rollout *rollout.Rollout
	// Turns makes operations on the same object run one after the other.
	Turns rollout.Turns
	// Defaults are for objects that do not set these values themselves.
	Defaults
	// NoActions reports that the CLI is known not to support actions.
	NoActions bool
	// IsInvoking: the command invoke configures the provider, so that its user knows where the program is.
	IsInvoking bool
	// MovesMachines is set by the plan of a machine that is created, replaced or moved: an ID or an address that is
	// unknown in a later plan of this process may be a new one.
	MovesMachines atomic.Bool
	// PlanChecks reports whether plans are checked against the service.
	PlanChecks    bool
	checkTimeouts checkTimeouts
	// Unknown lists the provider arguments that are not known yet and without which no request can be made.
	Unknown []string
}

// Defaults are what the provider's configuration says for objects that do not say it themselves. A value is null if there
// is none, and unknown if Terraform does not know it yet.
type Defaults struct {
	Account, Group     types.String
	DeletionProtection types.Bool // of machines
}

// Configured returns the provider's data from the argument of a Configure method. Before the provider is configured,
// Terraform passes nil: then the data says that nothing is known.
func Configured(providerData any, diags *diag.Diagnostics) *ProviderData {
	if configured, ok := providerData.(*ProviderData); ok {
		return configured
	}
	if providerData != nil {
		diags.AddError("Unexpected provider data",
			fmt.Sprintf("The provider passed %T to a component that expects *tfkit.ProviderData. "+
				"Please report this to the provider's developers.", providerData))
	}
	return &ProviderData{
		Defaults: Defaults{
			Account: types.StringUnknown(), Group: types.StringUnknown(), DeletionProtection: types.BoolUnknown(),
		},
	}
}

// Ready reports whether requests can be made. They cannot while Terraform does not know the provider's own arguments,
// which is not an error during a plan.
func (d *ProviderData) Ready() bool { return d.Client != nil }

// RequireReady is Ready for an operation that needs the service: it reports an error if no request can be made. what
// completes "Cannot …".
func (d *ProviderData) RequireReady(what string, diags *diag.Diagnostics) bool {
	if d.Ready() {
		return true
	}
	diags.AddError("Cannot "+what,
		fmt.Sprintf("The provider's configuration is not known yet (%s), because it depends on something that is not applied yet. "+
			"Apply that first, with -target if necessary, or give the provider values that are known at plan.",
			strings.Join(d.Unknown, ", ")))
	return false
}

// WithAction describes how users do what an action does, such as "vm_power", with these arguments: each a name and a
// value, as in "state=stop". Where the CLI has no actions, that is the command invoke.
func (d *ProviderData) WithAction(action string, arguments ...string) string {
	if d.NoActions {
		text := strings.Join(append([]string{"with terraform-provider-cloudserver invoke", action}, arguments...), " ")
		if !d.IsInvoking {
			text += " (see The program in the guide Install and upgrade)"
		}
		return text
	}
	text := "with the action cloudserver_" + action
	if len(arguments) == 0 {
		return text
	}
	written := make([]string, len(arguments))
	for i, argument := range arguments {
		name, value, _ := strings.Cut(argument, "=")
		written[i] = name + " = " + strconv.Quote(value)
	}
	return fmt.Sprintf("%s (%s)", text, strings.Join(written, ", "))
}
