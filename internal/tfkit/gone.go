package tfkit

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// HiddenAccount is an account that the service does not show, so that nobody knows
// whether something in it is gone.
type HiddenAccount struct {
	Account string // "": any
	Err     error
}

func (e *HiddenAccount) Error() string { return e.Err.Error() }

// Unwrap returns the service's answer.
func (e *HiddenAccount) Unwrap() error { return e.Err }

// ProveVisible returns nil if the service shows the account, so that what is not
// found in it is gone. Without an account, that of the provider counts.
func (d *ProviderData) ProveVisible(ctx context.Context, account string) error {
	if account == "" {
		account = d.Account.ValueString()
	}
	err := d.Directory.Visible(ctx, account)
	if cloudserver.IsNotFound(err) {
		return &HiddenAccount{account, err}
	}
	return err
}

// AddUnproved reports a failure that does not prove that an object is gone. What
// names the object in the sentence about it.
func AddUnproved(diags *diag.Diagnostics, summary, what string, err error, attribute AttributePath) {
	advice := "The state is unchanged."
	if hidden, ok := errors.AsType[*HiddenAccount](err); ok {
		account := "any account"
		if hidden.Account != "" {
			account = fmt.Sprintf("the account %q", hidden.Account)
		}
		advice = fmt.Sprintf("The service does not show %s to these credentials, so it is unknown whether %s still exists. The state is unchanged. Check endpoint and the credentials. "+
			"If the account was closed, remove its resources from the state with `terraform state rm`.", account, what)
	}
	AddError(diags, summary, err, attribute, advice)
}
