package check

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// strayError is returned if the path of the check's machine leads to another one. Nothing was sent.
type strayError struct {
	wanted cloudserver.Ref
	found  *cloudserver.VirtualMachine
}

// Error names both machines.
func (e *strayError) Error() string {
	return fmt.Sprintf("the path of virtual machine %d leads to the machine %q (ID %d): the service takes names and ids alike, or the endpoint leads to another service now; nothing was sent",
		e.wanted.ID, e.found.Name, e.found.ID)
}

// isStray reports whether err is a [strayError].
func isStray(err error) bool {
	_, stray := errors.AsType[*strayError](err)
	return stray
}

// reach makes a call that changes the machine, if a read at its path returns the machine of this check. The service takes
// names and IDs alike, so that somebody else's machine may be at that path. A machine that is not described yet is
// awaited.
func (l *lifetime) reach(ctx context.Context, ref cloudserver.Ref, call func() error) error {
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
	return call()
}

// names returns the names that the machine of the check has during its life.
func (l *lifetime) names() []string { return []string{l.name, l.name + renamed} }

// destroy makes a call that destroys, which the client does not repeat, and looks where it leads before each attempt.
func (l *lifetime) destroy(ctx context.Context, call func() error) error {
	return persist(ctx, func() error { return l.reach(ctx, l.ref, call) })
}
