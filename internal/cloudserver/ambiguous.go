package cloudserver

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"
)

const (
	lastLook     = 5 * time.Second // for a look-up after the caller was interrupted
	describeWait = time.Second     // the first wait for a machine to be described
)

// creation is one CreateVirtualMachine. Names are unique in a group, which is
// what makes it safe: however late a lost request takes effect, a second one
// is then refused.
type creation struct {
	client         *Client
	account, group string
	create         VirtualMachineCreate

	ambiguous bool // an earlier attempt may have made the machine
	stumbled  bool // the service answered one that it has failed
}

func (c *creation) run(ctx context.Context) (*VirtualMachine, error) {
	for attempt := 0; ; attempt++ {
		vm, err := c.attempt(ctx)
		switch {
		case err == nil:
			return vm, nil
		case isNameTaken(err):
			return c.nameTaken(ctx, err)
		case !IsUnsure(err) && c.ambiguous: // a refusal says nothing of the attempts before it
			return nil, &UnsureError{Name: c.create.VirtualMachine.Name, Err: err}
		case !IsUnsure(err):
			return nil, err
		}
		c.ambiguous = true
		if vm, lookErr := c.afterFailure(ctx, attempt, err); vm != nil || lookErr != nil {
			return vm, lookErr
		}
		if attempt >= c.client.maxRetries || ctx.Err() != nil || hasSuspect(err) {
			return nil, &UnsureError{Name: c.create.VirtualMachine.Name, Err: err}
		}
	}
}

// IsUnsure reports a failure after which what was asked for may be done: no answer
// to a request that may have been sent, an answer that cannot be read, or one
// of a service that stumbled.
func IsUnsure(err error) bool {
	if lost, ok := errors.AsType[*TransportError](err); ok {
		return lost.Sent
	}
	status := StatusCode(err)
	return status >= 500 || status == http.StatusRequestTimeout || errors.Is(err, errMisunderstood)
}

func isNameTaken(err error) bool {
	refused, ok := errors.AsType[*Error](err)
	return ok && refused.StatusCode == http.StatusBadRequest && refused.Has("name", "already been taken")
}

// afterFailure looks whether the failed attempt has made the machine. It waits
// first, because the service may still be at it. Nil, nil: it has not.
func (c *creation) afterFailure(ctx context.Context, attempt int, failure error) (*VirtualMachine, error) {
	asked := time.Duration(-1)
	if answered, ok := errors.AsType[*Error](failure); ok && answered.RetryAfter > 0 {
		asked = answered.RetryAfter
	}
	if pause(ctx, backoff(attempt, asked)) != nil { // interrupted: look once more all the same
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), lastLook)
		defer cancel()
	}
	vm, err := c.lookUp(ctx)
	switch {
	case IsNotFound(err):
		return nil, nil
	case err != nil:
		return nil, &UnsureError{Name: c.create.VirtualMachine.Name, Err: failure, LookErr: err}
	}
	return c.adopt(vm, failure)
}

// nameTaken finds out by whom: after an ambiguous attempt it may be us.
func (c *creation) nameTaken(ctx context.Context, refusal error) (*VirtualMachine, error) {
	vm, err := c.lookUp(ctx)
	switch {
	case err == nil && c.ambiguous:
		return c.adopt(vm, refusal)
	case err != nil && c.ambiguous:
		return nil, &UnsureError{Name: c.create.VirtualMachine.Name, Err: refusal, LookErr: err}
	case err != nil: // the refusal is told without the details
		return nil, c.takenBy(&VirtualMachine{}, refusal)
	}
	return nil, c.takenBy(vm, refusal)
}

// adopt takes the machine of the wanted name if it is the wanted machine.
func (c *creation) adopt(vm *VirtualMachine, failure error) (*VirtualMachine, error) {
	if vm.Deleted || !c.create.isFulfilledBy(vm) {
		return nil, c.takenBy(vm, failure)
	}
	vm.Adopted = true
	return vm, nil
}

func (c *creation) takenBy(vm *VirtualMachine, err error) error {
	return &NameTaken{
		Account: c.account, Group: c.group, Name: c.create.VirtualMachine.Name,
		ID: vm.ID, Deleted: vm.Deleted, Err: err,
	}
}

// lookUp asks for the machine by its name, a soft-deleted one too, and waits
// while it exists but cannot be described yet.
func (c *creation) lookUp(ctx context.Context) (*VirtualMachine, error) {
	for attempt := 0; ; attempt++ {
		vm, err := c.client.VirtualMachineByName(ctx, c.account, c.group, c.create.VirtualMachine.Name, IncludeDeleted)
		if !errors.Is(err, ErrNotDescribed) {
			return vm, err
		}
		if waitErr := pause(ctx, min(describeWait<<min(attempt, 3), lastLook)); waitErr != nil {
			return nil, fmt.Errorf("%w (%w)", err, waitErr)
		}
	}
}
