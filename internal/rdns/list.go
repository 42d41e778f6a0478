package rdns

import (
	"context"
	"errors"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"golang.org/x/sync/errgroup"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/location"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

var _ list.ListResourceWithConfigure = (*rdnsList)(nil)

// rdnsList is the list resource. It has the name and the Configure method of the
// resource.
type rdnsList struct {
	rdnsResource
}

// NewListResource returns the list resource cloudserver_rdns, for `terraform query`
// over the reverse names of the machines of a group or an account.
func NewListResource() list.ListResource {
	return &rdnsList{newResource()}
}

// ListResourceConfigSchema has the arguments that select machines.
func (l *rdnsList) ListResourceConfigSchema(_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse) {
	resp.Schema = location.FilterSchema("Finds the reverse DNS names that somebody has set for addresses of the virtual machines that it selects, by group and name. " +
		"The service's own name, which is the machine's `hostname`, is left out. It needs a request for each address.")
}

// atATime is how many addresses are asked for at the same time: the service has no
// listing of them (API.md §5.4).
const atATime = 8

// listed is an address of a machine with the name that somebody has set.
type listed struct {
	model

	machine location.Machine
}

// List asks for the names of all addresses of the machines. The names that could not be
// read are an error after the others.
func (l *rdnsList) List(ctx context.Context, req list.ListRequest, stream *list.ListResultsStream) {
	var diags diag.Diagnostics
	machines, _ := location.FindListed(ctx, l.Data, req, "reverse DNS names", &diags)
	if diags.HasError() {
		stream.Results = list.ListResultsStreamDiagnostics(diags)
		return
	}
	names, err := l.names(ctx, machines)
	if err != nil {
		tfkit.AddError(&diags, "Cannot read all reverse DNS names", err, nil, tfkit.Again(err))
	}
	stream.Results = func(push func(list.ListResult) bool) {
		for result := range tfkit.ListResults(req, "reverse DNS names", names, func(found listed) list.ListResult { return found.result(ctx, req) }) {
			if !push(result) {
				return
			}
		}
		if diags.HasError() {
			push(list.ListResult{Diagnostics: diags})
		}
	}
}

// names returns the addresses whose names somebody has set, and an error for those
// that could not be read.
func (l *rdnsList) names(ctx context.Context, machines []location.Machine) ([]listed, error) {
	var all []listed
	for _, machine := range machines {
		for _, address := range machine.Addresses() {
			all = append(all, listed{model{Address: types.StringValue(address.String())}, machine})
		}
	}
	errs := make([]error, len(all))
	var asking errgroup.Group
	asking.SetLimit(atATime)
	for i := range all {
		asking.Go(func() error {
			name, err := all[i].name(ctx, l.Data)
			if all[i].Hostname = tfkit.StringOrNull(name); !cloudserver.IsNotFound(err) { // it has gone with its machine since
				errs[i] = err
			}
			return nil
		})
	}
	_ = asking.Wait() // errs has them
	return slices.DeleteFunc(all, listed.isOwn), errors.Join(errs...)
}

// isOwn reports whether nobody has set a name.
func (f listed) isOwn() bool {
	own := f.machine.Hostname
	return f.Hostname.IsNull() || own != nil && sameName(*own, f.Hostname.ValueString())
}

// result returns a name as an import would write it to the state.
func (f listed) result(ctx context.Context, req list.ListRequest) list.ListResult {
	one := req.NewListResult(ctx)
	one.DisplayName = f.machine.Title() + ": " + f.Address.ValueString() + " is " + f.Hostname.ValueString()
	f.identity().Save(ctx, one.Identity, &one.Diagnostics)
	if req.IncludeResource {
		one.Diagnostics.Append(one.Resource.Set(ctx, f.model)...)
	}
	return one
}
