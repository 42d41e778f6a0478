// SPDX-License-Identifier: MPL-2.0

package rdns

import (
	"context"
	"maps"
	"net/netip"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"golang.org/x/sync/errgroup"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

var _ list.ListResourceWithConfigure = (*rdnsList)(nil)

// rdnsList is the list resource. It shares the name and the Configure method of the resource.
type rdnsList struct {
	rdnsResource
}

// NewListResource returns the list resource cloudserver_rdns, for `terraform query` of the reverse names of the
// machines in a group or an account.
func NewListResource() list.ListResource {
	return &rdnsList{newResource()}
}

// ListResourceConfigSchema returns the arguments that select machines.
func (l *rdnsList) ListResourceConfigSchema(_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse) {
	resp.Schema = tfkit.FilterSchema("Finds the reverse DNS names that somebody has set for addresses of machines. " +
		"It needs a request for each address.")
}

// atATime is the number of concurrent requests for addresses, because the service cannot list them (API.md §5.4).
const atATime = 8

// listed is an address of a machine whose reverse name somebody has set.
type listed struct {
	model

	machine tfkit.FoundMachine
}

// List requests the names of all addresses of the machines.
func (l *rdnsList) List(ctx context.Context, req list.ListRequest, stream *list.ListResultsStream) {
	var diags diag.Diagnostics
	var wanted tfkit.Filter
	diags.Append(req.Config.Get(ctx, &wanted)...)
	machines := wanted.FindListed(ctx, l.Data, "reverse DNS names", false, &diags)
	names, err := l.names(ctx, machines)
	if err != nil {
		tfkit.AddError(&diags, "Cannot list reverse DNS names", err, nil, "")
	}
	if diags.HasError() {
		stream.Results = list.ListResultsStreamDiagnostics(diags)
		return
	}
	stream.Results = tfkit.ListResults(
		req, "reverse DNS names", names, diags, func(found listed) list.ListResult { return found.result(ctx, req) },
	)
}

// names returns the addresses whose names somebody has set.
func (l *rdnsList) names(ctx context.Context, machines []tfkit.FoundMachine) ([]listed, error) {
	var all []listed
	for _, machine := range machines {
		for _, address := range addressesOf(machine) {
			all = append(all, listed{model{Address: types.StringValue(address.String())}, machine})
		}
	}
	asking, ctx := errgroup.WithContext(ctx)
	asking.SetLimit(atATime)
	for i := range all {
		asking.Go(func() error {
			name, err := all[i].read(ctx, l.Data.Client)
			all[i].Hostname = tfkit.StringOrNull(name)
			if cloudserver.IsNotFound(err) { // its machine was deleted in the meantime
				return nil
			}
			return err
		})
	}
	if err := asking.Wait(); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(all, listed.isOwn), nil
}

// addressesOf returns the machine's addresses without duplicates.
func addressesOf(machine tfkit.FoundMachine) (addresses []netip.Addr) {
	for _, card := range machine.NetworkInterfaces {
		for _, text := range slices.Concat(card.IPs, slices.Sorted(maps.Keys(card.ExtraIPs))) {
			address, err := netip.ParseAddr(text)
			if address = address.Unmap(); err == nil && !slices.Contains(addresses, address) {
				addresses = append(addresses, address)
			}
		}
	}
	return addresses
}

// isOwn reports whether the name is the service's own, which nobody has set.
func (f listed) isOwn() bool {
	own := f.machine.Hostname
	return f.Hostname.IsNull() || own != nil && sameName(*own, f.Hostname.ValueString())
}

// result returns a name in the form in which an import would write it to the state.
func (f listed) result(ctx context.Context, req list.ListRequest) list.ListResult {
	title := f.machine.Title() + ": " + f.Address.ValueString() + " is " + f.Hostname.ValueString()
	return tfkit.ListResult(ctx, req, title, f.identity(), f.model)
}
