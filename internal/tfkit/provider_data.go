// Package tfkit is the glue between Terraform's plugin framework and the rest
// of the provider, for every resource and specific to none. It passes the
// configured provider on, turns the client's errors into diagnostics at the
// attribute to blame, and has the value types that the framework lacks.
package tfkit

import (
	"context"
	"fmt"
	"net"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
)

// ProviderData is what the configured provider passes to every resource, data
// source, list resource and action.
type ProviderData struct {
	// Client calls the service. It is nil while Unknown is not empty.
	Client *cloudserver.Client
	// ServiceIsHere reports whether the service is on this computer, as an emulator is: then
	// machines may be here, too.
	ServiceIsHere bool
	// Session returns a client with other credentials, or at another endpoint of
	// sessions; what is empty is that of Client.
	Session func(username, password, authEndpoint string) (*cloudserver.Client, error)
	// Fleet reads machines and waits for them in few requests. Its directory knows the
	// names and ids of accounts and groups.
	Fleet *fleet.Fleet
	// Notes are what plans and reads of a run note for each other.
	Notes run.Notes
	// Running knows the operations of this process.
	Running run.Operations
	// Dial connects to machines.
	Dial Dial
	// Rollout limits how many machines may be down at the same time.
	Rollout *run.Rollout
	// Account and Group are the provider's defaults: null when there is none,
	// unknown when Terraform does not know them yet.
	Account, Group types.String
	// HostDomain is the cluster domain of the service, with its dot: what the hostnames of
	// all machines end with. "" where that is not known before the service is asked.
	HostDomain string
	// Catalogue returns the service's definitions, asked for once a process. They
	// need no credentials, so it is nil only while something else is unknown.
	Catalogue func(context.Context) (*cloudserver.Definitions, error)
	// NoActions reports that the CLI is known to have no actions.
	NoActions bool
	// PlanChecks reports whether plans are checked against the service.
	PlanChecks bool
	// Unknown lists the provider arguments that are not known yet and without
	// which the service cannot be asked.
	Unknown []string

	// Turns lets operations on one object go one after the other.
	Turns run.Turns
	// Memory is what this process knows of objects that other resources manage.
	Memory run.Memory
}

// Dial connects to an address, as [net.Dialer.DialContext] does.
type Dial func(ctx context.Context, network, address string) (net.Conn, error)

// Configure sets data to what a Configure method was given. Terraform calls it
// with nothing before the provider is configured: then data stays nil.
func Configure(providerData any, data **ProviderData, diags *diag.Diagnostics) {
	if providerData == nil {
		return
	}
	configured, ok := providerData.(*ProviderData)
	if !ok {
		diags.AddError("Unexpected provider data",
			fmt.Sprintf("The provider passed %T to a component that expects %T. Please report this to the provider's developers.", providerData, configured))
		return
	}
	*data = configured
}

// Ready reports whether the service can be asked. It cannot while a plan does not
// know the provider's own arguments yet, and that is no error.
func (d *ProviderData) Ready() bool {
	return d != nil && d.Client != nil
}

// RequireReady is Ready for an operation that needs the service: it reports an
// error where the service cannot be asked.
func (d *ProviderData) RequireReady(what string, diags *diag.Diagnostics) bool {
	if d.Ready() {
		return true
	}
	var unknown []string
	if d != nil {
		unknown = d.Unknown
	}
	diags.AddError("Cannot "+what,
		fmt.Sprintf("The provider's configuration is not known yet (%s), because it depends on something that is not applied yet. "+
			"Apply that first, with -target if necessary, or give the provider values that are known at plan.", strings.Join(unknown, ", ")))
	return false
}

// WithAction returns how a user does what an action does with its argument.
func (d *ProviderData) WithAction(action, argument string) string {
	if d.NoActions {
		return fmt.Sprintf("with a call to the service (%s; this CLI has no actions: the page of %s shows the call)", argument, action)
	}
	return fmt.Sprintf("with the action %s (%s)", action, argument)
}
