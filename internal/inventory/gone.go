// SPDX-License-Identifier: MPL-2.0

package inventory

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// CheckGone returns what a 404 for an object means: a *GoneError, a *HiddenError or an *OtherServiceError, or why the
// account cannot be asked for. account is the name of the object's account, or "" if it is unknown; accountID is its ID
// in the state, or 0.
func (v *Inventory) CheckGone(ctx context.Context, account string, accountID int64, denial error) error {
	shown, err := v.seeAccount(ctx, account, accountID, v.currentTime())
	switch {
	case cloudserver.IsNotFound(err), cloudserver.IsForbidden(err), err == nil && shown == nil:
		return &HiddenError{Account: account, Denial: denial}
	case err != nil:
		return fmt.Errorf("%w; cannot find out whether the account is visible: %w", hideStatus(denial), err)
	case accountID != 0 && shown.ID != 0 && shown.ID != accountID:
		return &OtherServiceError{Account: account, Was: accountID, Is: shown.ID, Endpoint: v.api.Endpoint()}
	}
	return &GoneError{denial}
}

// seeAccount returns the account as a request shows it that begins after the given time. Without a name, it returns the
// account with the ID or, if that is 0, any; nil: none is visible.
func (v *Inventory) seeAccount(
	ctx context.Context, account string, id int64, after time.Time,
) (*cloudserver.Account, error) {
	if account != "" {
		return get(ctx, v, v.account, account, after, func(ctx context.Context) (*cloudserver.Account, error) {
			return v.api.Account(ctx, account)
		})
	}
	all, err := get(ctx, v, v.accounts, "", after, v.api.Accounts)
	for i := range all {
		if id == 0 || all[i].ID == id {
			return &all[i], err
		}
	}
	return nil, err
}

// hideStatus returns an error with the same text that is not a not-found error.
func hideStatus(err error) error { return errors.New(err.Error()) }

// GoneError is returned for an object that is gone: the service answers 404 for its ID, and shows its account.
type GoneError struct{ Denial error }

// Error returns the service's answer.
func (e *GoneError) Error() string { return e.Denial.Error() }

// Unwrap returns the client's not-found error.
func (e *GoneError) Unwrap() error { return e.Denial }

// IsGone reports whether the error is for an object that is gone.
func IsGone(err error) bool {
	_, gone := errors.AsType[*GoneError](err)
	return gone
}

// DeletedError is returned for a machine that is soft-deleted.
type DeletedError struct{ Machine *cloudserver.VirtualMachine }

// Error says so.
func (e *DeletedError) Error() string {
	return fmt.Sprintf("the virtual machine %q (ID %d) is soft-deleted", cloudserver.Shown(e.Machine.Name), e.Machine.ID)
}

// IsDeletedOrGone reports whether the error is a *DeletedError, or for an object that is gone.
func IsDeletedOrGone(err error) bool {
	_, isDeleted := errors.AsType[*DeletedError](err)
	return isDeleted || IsGone(err)
}

// HiddenError is returned if the service shows neither an object nor its account. It is not a not-found error.
type HiddenError struct {
	Account string // name; "": any
	Denial  error
}

// Error names the account.
func (e *HiddenError) Error() string {
	if e.Account == "" {
		return e.Denial.Error() + "; these credentials can see no account"
	}
	return fmt.Sprintf("%s; these credentials cannot see account %q either", e.Denial, e.Account)
}

// OtherServiceError is returned if the account of an object has another ID than in the state.
type OtherServiceError struct {
	Account  string
	Was, Is  int64 // IDs
	Endpoint string
}

// Error describes how this service differs from that of the state.
func (e *OtherServiceError) Error() string {
	return fmt.Sprintf("account %q has the ID %d at %s, but %d in the state: this is another service",
		e.Account, e.Is, e.Endpoint, e.Was)
}
