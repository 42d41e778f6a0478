package rdns

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/existing"
)

// isExisting looks for a name that somebody has set for the planned address, for the command imports, and reports
// whether there is one. The hostname of the machine is the service's own name.
func (r *rdnsResource) isExisting(ctx context.Context, plan model, diags *diag.Diagnostics) bool {
	found := existing.Creation{Type: "cloudserver_rdns", Planned: map[string]string{"address": plan.Address.ValueString()}}
	name, err := plan.name(ctx, r.Data.Client)
	if cloudserver.IsNotFound(err) {
		err = nil
	}
	own := r.Data.Memory.Of(plan.object()).Hostname // "": this process has not seen the machine
	if name != "" && (own == "" || !sameName(name, own) || sameName(name, plan.Hostname.ValueString())) {
		found.ImportIDs = []string{plan.address().String()}
	}
	r.Data.Found(found, plan.title(), err, diags)
	return len(found.ImportIDs) > 0
}
