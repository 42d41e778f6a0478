// Package presence decides what became of an object that a state has: it is there, it is
// gone, which is proved, it is out of sight, it is another service's, or another resource
// of this run manages it. The rules and their messages are the same for every noun, on
// every path: refresh, plan, apply, destroy, import.
package presence

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// hiddenAccount is the service's answer for an account that it does not show, so that
// nobody knows whether something in it is gone.
type hiddenAccount struct {
	error
	account string // "": any
}

func (e *hiddenAccount) Unwrap() error { return e.error }

// ProveVisible returns nil if the service shows the account, so that what is not
// found in it is gone. Without an account, that of the provider counts.
func ProveVisible(ctx context.Context, d *tfkit.ProviderData, account string) error {
	if account == "" {
		account = d.Account.ValueString()
	}
	err := d.Fleet.Directory.Visible(ctx, account, "")
	if cloudserver.IsNotFound(err) {
		return &hiddenAccount{err, account}
	}
	return err
}

// AddUnproved reports a failure that does not prove that an object is gone. What
// names the object in the sentence about it.
func AddUnproved(diags *diag.Diagnostics, summary, what string, err error, attribute tfkit.AttributePath) {
	advice := "The state is unchanged."
	if hidden, ok := errors.AsType[*hiddenAccount](err); ok {
		account := "any account"
		if hidden.account != "" {
			account = fmt.Sprintf("the account %q", hidden.account)
		}
		advice = fmt.Sprintf("The service does not show %s to these credentials, so it is unknown whether %s still exists. The state is unchanged. Check endpoint and the credentials. "+
			"If the account was closed, remove its resources from the state with `terraform state rm`.", account, what)
	}
	tfkit.AddError(diags, summary, err, attribute, advice)
}
