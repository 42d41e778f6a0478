package check

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// strayError is returned if the path of the check's machine leads to another one. Nothing was sent.
type strayError struct {
	wanted cloudserver.Ref
	found  *cloudserver.VirtualMachine
}

// Error names both machines.
func (e *strayError) Error() string {
	return fmt.Sprintf("the path of virtual machine %d leads to the machine %q (ID %d): "+
		"the service takes names and ids alike, or CLOUDSERVER_ENDPOINT leads to another service now; nothing was sent",
		e.wanted.ID, e.found.Name, e.found.ID)
}

// isStray reports whether err is a [strayError].
func isStray(err error) bool {
	_, stray := errors.AsType[*strayError](err)
	return stray
}

// change makes a call that changes the machine, as often as the client would.
func (l *lifetime) change(ctx context.Context, call func(cloudserver.Writer) error) error {
	return l.client.Change(ctx, func(ctx context.Context, _ time.Time) (bool, error) { return false, l.reach(ctx, l.ref) },
		func(_ context.Context, w cloudserver.Writer) error { return call(w) })
}

// destroy makes a call that destroys. It is repeated only if the service has certainly not carried it out: it
// throttled, or the session was renewed. Any other failure is for the report.
func (l *lifetime) destroy(ctx context.Context, ref cloudserver.Ref, call func(cloudserver.Writer) error) error {
	var failure error
	return l.client.Change(ctx, func(ctx context.Context, _ time.Time) (bool, error) {
		if failure != nil && !cloudserver.IsThrottled(failure) && !cloudserver.IsRenewed(failure) {
			return false, failure
		}
		return false, l.reach(ctx, ref)
	}, func(_ context.Context, w cloudserver.Writer) error {
		failure = call(w)
		return failure
	})
}

// reach returns an error unless a read at the machine's path returns the machine of this check. The service takes names
// and IDs alike, so that somebody else's machine may be at that path. A machine that is not described yet is awaited.
func (l *lifetime) reach(ctx context.Context, ref cloudserver.Ref) error {
	var found *cloudserver.VirtualMachine
	err := cloudserver.Poll(ctx, func(ctx context.Context) (bool, error) {
		var err error
		found, err = l.client.VirtualMachineAt(ctx, ref, cloudserver.IncludeDeleted)
		if errors.Is(err, cloudserver.ErrNotDescribed) {
			return false, nil
		}
		return true, err
	})
	switch {
	case err != nil:
		return err
	case found.ID != ref.ID, !slices.ContainsFunc(l.names(), func(name string) bool { return strings.EqualFold(name, found.Name) }):
		return &strayError{ref, found}
	}
	return nil
}

// names returns the names that the machine of the check has during its life.
func (l *lifetime) names() []string { return []string{l.name, l.name + renamed} }
