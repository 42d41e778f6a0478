package presence

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// Find reads an object of an account by its ID, and interprets a 404. [IsGone] reports true for the error only if that
// is proved (see [fleet.Reconsider]). If the state has machines in the account, Find also makes sure that the account is
// not another service's.
//
// Any other error says nothing about the object. If account is "", the provider's is used.
//
// Find is for discs and addresses. A machine or a group, whose loss in the state costs more, needs a second path:
// [FindMachine], [FindGroup].
func Find[T any](
	ctx context.Context, f *fleet.Fleet, states *run.Memory, account string, ask func(context.Context) (*T, error),
) (*T, error) {
	return find(ctx, f, states, account, ask, nil)
}

// FindMachine is [Find] for a machine. It is gone only if the path with its group denies it as well, and a listing of its
// account that is not another service's.
func FindMachine(
	ctx context.Context, f *fleet.Fleet, states *run.Memory, m fleet.Machine, ask func(context.Context) (*cloudserver.VirtualMachine, error),
) (*cloudserver.VirtualMachine, error) {
	domain := states.DomainIn(cmp.Or(m.Account, f.Directory.Default))
	return find(ctx, f, states, m.Account, ask, f.Directory.SecondMachine(m, domain))
}

// FindGroup is [Find] for a group. It is gone only if the list of its account lacks it as well.
func FindGroup(
	ctx context.Context, f *fleet.Fleet, states *run.Memory, account string, id int64, ask func(context.Context) (*cloudserver.Group, error),
) (*cloudserver.Group, error) {
	return find(ctx, f, states, account, ask, f.Directory.SecondGroup(id))
}

func find[T any](
	ctx context.Context, f *fleet.Fleet, states *run.Memory, account string, ask func(context.Context) (*T, error), second fleet.Second[T],
) (*T, error) {
	asked := time.Now()
	found, err := ask(ctx)
	if !cloudserver.IsNotFound(err) {
		return found, err
	}
	account = cmp.Or(account, f.Directory.Default)
	found, err = fleet.Reconsider(ctx, f.Directory, account, err, ask, second)
	if IsGone(err) {
		f.ForgetBefore(asked) // another service may have answered since
		if other := (Home{ID: states.AccountID(account)}).Check(ctx, f, states, account, "objects"); other != nil {
			return nil, other
		}
	}
	return found, err
}

// Gone returns an error for which [IsGone] reports true. It is for an object that is missing from a visible parent.
func Gone(denial error) error { return &fleet.GoneError{Denial: denial} }

// IsGone reports whether an object is known to be gone.
func IsGone(err error) bool { return fleet.IsGone(err) }

// IsHidden reports whether the service shows neither the object nor its account, so that it is unknown whether the object
// is gone.
func IsHidden(err error) bool {
	_, hidden := errors.AsType[*fleet.HiddenError](err)
	return hidden
}

// AddUnknown reports a failure after which it is unknown whether an object still exists. what names the object in a
// sentence.
func AddUnknown(diags *diag.Diagnostics, summary, what string, err error, attribute tfkit.AttributePath) {
	advice := "The state is unchanged."
	if hidden, ok := errors.AsType[*fleet.HiddenError](err); ok {
		account := "any account"
		if hidden.Account != "" {
			account = fmt.Sprintf("the account %q", hidden.Account)
		}
		advice = fmt.Sprintf("The service does not show %s to these credentials, so it is unknown whether %s still exists. The state is unchanged. "+
			"Check endpoint and the credentials. "+
			"If the account was closed, remove its resources from the state with `terraform state rm`.", account, what)
	}
	tfkit.AddError(diags, summary, err, attribute, advice)
}
