package vm

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// keepAccount treats an account that is only written otherwise, by its name
// instead of its id, as the same: a machine is not replaced for that. The
// service is asked only where the two differ.
func (r *vmResource) keepAccount(ctx context.Context, state *model, plan model) {
	if !r.data.Ready() || !differs(state.Account, plan.Account) || !tfkit.Given(state.Account) {
		return
	}
	if r.accountID(ctx, state.Account) == r.accountID(ctx, plan.Account) {
		state.Account = plan.Account
	}
}

// accountID is the account's numeric id, or its name where the service does not
// tell.
func (r *vmResource) accountID(ctx context.Context, account types.String) string {
	found, err := r.data.Client.AccountAlone(ctx, account.ValueString())
	if err != nil {
		return account.ValueString()
	}
	return idText(found.ID)
}
