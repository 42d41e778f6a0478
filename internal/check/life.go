package check

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

const (
	cleanUpWithin   = time.Minute
	cleanUpAttempts = 3
)

// life takes one machine of the smallest size through its whole life. Whatever is left of it at the end is purged.
func (p *prober) life(ctx context.Context) {
	l := &lifetime{prober: p, account: p.options.Account, group: p.options.Group, name: p.options.Machine}
	if p.taken[l.name] {
		p.report.reason = l.taken()
		return
	}
	if cloudserver.IsDigits(l.name) {
		p.report.reason = fmt.Sprintf("The name %q may be taken for an ID: give --machine a name with a letter. Nothing was created.", l.name)
		return
	}
	if !l.isFree(ctx) {
		return
	}
	defer l.cleanUp(ctx)
	for _, step := range l.steps() {
		if !l.take(ctx, step) {
			return
		}
		if step.looks {
			p.machine(ctx, l.account, l.group, *l.vm)
		}
	}
}

// lifetime is the machine of a check and its current state.
type lifetime struct {
	*prober
	account, group, name string

	ref  cloudserver.Ref // zero until it is created, and after it is purged
	vm   *cloudserver.VirtualMachine
	disc int64
}

// taken returns why a machine of this name cannot be created.
func (l *lifetime) taken() string {
	return fmt.Sprintf("The name %q is taken in the group %q: give --machine the name of a machine that does not exist. Nothing was created.", l.name, l.group)
}

// isFree reports whether no machine has the name, a soft-deleted one included. It reads the name itself, because a
// listing may be refused, or lack a machine, and the machine of a taken name would be purged as that of the check.
func (l *lifetime) isFree(ctx context.Context) bool {
	isTaken := false
	result, err := l.call(want{
		fmt.Sprintf("GET /accounts/%s/groups/%s/virtual_machines/%s?include_deleted=true", l.account, l.group, l.name),
		"status 404: no machine has the name", "no machine is created, because its name may be that of somebody's machine", false,
	}, func() error {
		_, err := l.client.VirtualMachineByName(ctx, l.account, l.group, l.name, cloudserver.IncludeDeleted)
		if isTaken = err == nil; cloudserver.IsNotFound(err) {
			return nil
		}
		return err
	}, func(line *Line) {
		line.Got = "status 404"
		if isTaken {
			line.Result, line.Got = Skipped, "a machine"
		}
	})
	switch {
	case isTaken:
		l.report.reason = l.taken()
	case err != nil:
		l.report.reason = fmt.Sprintf("Whether the name %q is free in the group %q is not known: %v. Nothing was created.", l.name, l.group, err)
	}
	return result == OK
}

// step is one call on the machine, and what to wait for afterwards.
type step struct {
	want  want
	do    func(context.Context) error
	until func(*cloudserver.VirtualMachine) bool // nil: do not wait
	looks bool                                   // then read the machine in every way
}

// take carries out a step and reports whether the life can go on.
func (l *lifetime) take(ctx context.Context, s step) bool {
	result, _ := l.call(s.want, func() error { return s.do(ctx) }, func(line *Line) { // the report has the error
		line.Got = l.answered()
		if s.until == nil {
			return
		}
		began := time.Now()
		switch err := l.wait(ctx, s.until); {
		case errors.Is(err, context.Canceled):
			line.Result, line.Got = Interrupted, line.Got+"; interrupted"
		case err != nil:
			line.worsen(Missing, "waiting for this change times out")
			line.Got += "; " + err.Error()
		default:
			line.Got += fmt.Sprintf("; as expected after %s", time.Since(began).Round(time.Second))
		}
	})
	return result == OK || result == Differs
}

// answered describes the answer to a write.
func (l *lifetime) answered() string {
	if l.wrote == nil {
		return "nothing"
	}
	return fmt.Sprintf("status %d", l.wrote.Status)
}

// create creates the machine. [lifetime.isFree] has just found its name free, so after an ambiguous answer or an interrupt a machine of that name
// belongs to the check, and cleanUp purges it.
func (l *lifetime) create(ctx context.Context, request cloudserver.VirtualMachineCreate) error {
	request.Look = &cloudserver.Look{}
	vm, err := l.client.CreateVirtualMachine(ctx, l.account, l.group, request)
	if isUnknown(err) {
		return fmt.Errorf("%w; if there is a machine %q in the group %q, purge it by hand", err, l.name, l.group)
	}
	if refused := refusedName(err); refused != "" {
		l.report.reason = fmt.Sprintf("The service does not accept the name %q (%s): give --machine another one. Nothing was created.", l.name, refused)
	}
	if err != nil {
		return err
	}
	l.ref = cloudserver.Ref{Account: l.account, Group: l.group, ID: vm.ID}
	return ctx.Err()
}

// refusedName returns why the service does not accept the name of a new machine, or "".
func refusedName(err error) string {
	answer, ok := errors.AsType[*cloudserver.Error](err)
	if !ok || cloudserver.IsNameTaken(err) {
		return ""
	}
	for _, problem := range answer.Problems {
		if problem.Attribute == "name" || problem.Field == "name" {
			return problem.String()
		}
	}
	return ""
}

// wait polls the machine until it is as expected.
func (l *lifetime) wait(ctx context.Context, until func(*cloudserver.VirtualMachine) bool) error {
	ctx, cancel := context.WithTimeout(ctx, l.options.Wait)
	defer cancel()
	err := cloudserver.Poll(ctx, func(ctx context.Context) (bool, error) {
		vm, err := l.client.VirtualMachine(ctx, l.ref.ID, cloudserver.IncludeDeleted)
		if err == nil && until(vm) {
			l.vm = vm
			return true, nil
		}
		if errors.Is(err, cloudserver.ErrNotDescribed) || cloudserver.IsNotFound(err) {
			err = nil
		}
		return false, err
	})
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fmt.Errorf("not as expected within %s", l.options.Wait)
	}
	return err
}

// cleanUp purges the machine if it still exists, even after an interrupt.
func (l *lifetime) cleanUp(ctx context.Context) {
	if l.ref.ID == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanUpWithin)
	defer cancel()
	left := fmt.Sprintf("the machine %q (ID %d) is left behind: purge it by hand", l.name, l.ref.ID)
	_, _ = l.attempt(want{call: "DELETE …?purge=true (clean up)", expected: "status 204", breaks: left}, func() error {
		for range cleanUpAttempts {
			err := l.purge(ctx)
			if cloudserver.IsAmbiguous(err) { // by now the path may lead to another machine
				_, err = l.client.VirtualMachine(ctx, l.ref.ID, cloudserver.IncludeDeleted)
				if err == nil {
					continue
				}
			}
			if cloudserver.IsNotFound(err) { // the interrupted call, or the one whose answer was lost, did it
				return nil
			}
			if isStray(err) {
				return fmt.Errorf("%w; %s", err, left)
			}
			return err
		}
		return errors.New("the machine is still there")
	}, func(line *Line) { line.Got = l.answered() })
}

// purge purges the machine of the check.
func (l *lifetime) purge(ctx context.Context) error {
	return l.destroy(ctx, l.ref, func(w cloudserver.Writer) error { return w.DeleteVirtualMachine(ctx, l.ref, true) })
}
