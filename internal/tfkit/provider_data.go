package tfkit

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/directory"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
)

// ProviderData is what the configured provider hands to every resource and
// data source.
type ProviderData struct {
	// Client talks to the service. It is nil while Unknown is not empty.
	Client *cloudserver.Client
	// Config is what Client was made of, for a client with other credentials.
	Config cloudserver.Config
	// Fleet reads machines and waits for them in few requests.
	Fleet *fleet.Fleet
	// Directory knows the names and ids of accounts and groups.
	Directory *directory.Directory
	// Account and Group are the provider's defaults: null when there is none,
	// unknown when Terraform does not know them yet.
	Account, Group types.String
	// Catalogue gives the live definitions, asked for once a process.
	Catalogue func(context.Context) (*cloudserver.Definitions, error)
	// PlanChecks says whether plans are checked against Catalogue.
	PlanChecks bool
	// Unknown names the provider arguments without which nothing can be asked
	// of the service and whose values Terraform does not know yet.
	Unknown []string
}

// Configure fills data from what a Configure method was given. Terraform calls
// it with nothing before the provider is configured: then data stays nil.
func Configure(providerData any, data **ProviderData, diags *diag.Diagnostics) {
	if providerData == nil {
		return
	}
	configured, ok := providerData.(*ProviderData)
	if !ok {
		diags.AddError("Unexpected provider data",
			fmt.Sprintf("The provider handed %T to a component that expects %T. Please report this to the provider's developers.", providerData, configured))
		return
	}
	*data = configured
}

// Ready says whether the service can be asked. While a plan does not know the
// provider's own arguments yet it cannot, and that is no error.
func (d *ProviderData) Ready() bool {
	return d != nil && d.Client != nil
}

// RequireReady reports an error where an operation cannot go on without the
// service although the provider's arguments are not known yet.
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
			"Apply that first, with -target if need be, or give the provider values that are known at plan.", strings.Join(unknown, ", ")))
	return false
}
