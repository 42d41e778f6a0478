package presence

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// Find asks for an object of an account, by its ID, and decides what a denial means. The
// error is [IsGone] only if that is proved: the service denies the object, shows the
// account after that, and denies the object again. An account that is out of sight for a
// while is noticed by one of the three, whenever that while begins and ends.
//
// Any other error says nothing about the object. Without an account, that of the
// provider counts.
func Find[T any](ctx context.Context, d *tfkit.ProviderData, account string, ask func(context.Context) (*T, error)) (*T, error) {
	found, err := ask(ctx)
	if !cloudserver.IsNotFound(err) {
		return found, err
	}
	if err := prove(ctx, d, account, err); err != nil {
		return nil, err
	}
	found, err = ask(ctx)
	if cloudserver.IsNotFound(err) {
		return nil, &goneError{err}
	}
	return found, err
}

// prove returns nil if the service shows the account after it has denied an object.
func prove(ctx context.Context, d *tfkit.ProviderData, account string, denial error) error {
	if account == "" {
		account = d.Account.ValueString()
	}
	err := d.Fleet.Directory.Prove(ctx, account)
	switch {
	case cloudserver.IsNotFound(err):
		return &hiddenError{account, denial, err}
	case err != nil:
		return &unprovedError{denial, err}
	}
	return nil
}

// goneError is a denial of an object that is gone.
type goneError struct{ denial error }

// Error is what the service answered.
func (e *goneError) Error() string { return e.denial.Error() }

// Unwrap returns the denial.
func (e *goneError) Unwrap() error { return e.denial }

// Gone returns an error that [IsGone], for an object that something visible does not have.
func Gone(denial error) error { return &goneError{denial} }

// IsGone reports whether an object is known to be gone.
func IsGone(err error) bool {
	_, gone := errors.AsType[*goneError](err)
	return gone
}

// hiddenError is a denial of an object whose account the service does not show either.
type hiddenError struct {
	account        string // "": any
	denial, hidden error
}

// Error is what the service answered to both.
func (e *hiddenError) Error() string { return e.denial.Error() + "; " + e.hidden.Error() }

// IsHidden reports whether the service denies an object and its account, so that nobody
// knows whether the object is gone.
func IsHidden(err error) bool {
	_, hidden := errors.AsType[*hiddenError](err)
	return hidden
}

// unprovedError is a denial of an object while it is not known whether the account is
// visible. It is not a not-found error.
type unprovedError struct{ denial, err error }

// Error is what the service answered to both.
func (e *unprovedError) Error() string { return e.denial.Error() + "; " + e.err.Error() }

// Unwrap returns why the account could not be asked for.
func (e *unprovedError) Unwrap() error { return e.err }

// AddUnknown reports a failure after which nobody knows whether an object still exists.
// What names the object in the sentence about it.
func AddUnknown(diags *diag.Diagnostics, summary, what string, err error, attribute tfkit.AttributePath) {
	advice := "The state is unchanged."
	if hidden, ok := errors.AsType[*hiddenError](err); ok {
		account := "any account"
		if hidden.account != "" {
			account = fmt.Sprintf("the account %q", hidden.account)
		}
		advice = fmt.Sprintf("The service does not show %s to these credentials, so it is unknown whether %s still exists. The state is unchanged. Check endpoint and the credentials. "+
			"If the account was closed, remove its resources from the state with `terraform state rm`.", account, what)
	}
	tfkit.AddError(diags, summary, err, attribute, advice)
}
