// SPDX-License-Identifier: MPL-2.0

package machine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
)

// discTimeout is how long the service may take to show that a disc was added or purged.
const discTimeout = 2 * time.Minute

// Discs returns the discs of a machine: those in its description or, if that has none, those in their own list.
func (m *Machine) Discs(ctx context.Context, vm *cloudserver.VirtualMachine) ([]cloudserver.Disc, error) {
	if vm.Discs != nil {
		return vm.Discs, nil
	}
	return m.service.Client.Discs(ctx, m.Ref())
}

// AddDisc adds a disc, waits until the machine shows it, and returns it. If the answer to the request is lost, what the
// machine shows decides.
func (m *Machine) AddDisc(ctx context.Context, spec cloudserver.DiscSpec) (*cloudserver.Disc, error) {
	created, requestErr := m.service.Client.AddDisc(ctx, m.Ref(), spec)
	if !mayHaveActed(m.noteWrite(requestErr)) {
		return nil, requestErr
	}
	isAdded := func(d cloudserver.Disc) bool {
		if created != nil {
			return d.ID == created.ID
		}
		return cloudserver.SameLabel(d.Label, spec.Label)
	}
	discs, err := m.awaitChange(ctx, fmt.Sprintf("the disc %q to be on the machine", spec.Label), requestErr,
		func(discs []cloudserver.Disc) bool { return slices.ContainsFunc(discs, isAdded) })
	if err != nil {
		return nil, err
	}
	return &discs[slices.IndexFunc(discs, isAdded)], nil
}

// UpdateDisc grows or renames a disc.
func (m *Machine) UpdateDisc(ctx context.Context, id int64, update cloudserver.DiscUpdate) error {
	return m.noteWrite(m.service.Client.UpdateDisc(ctx, m.Ref(), id, update))
}

// MoveDisc moves a disc with its data to another machine. Both machines must be off. If the answer to the request is
// lost, what the disc shows decides.
func (m *Machine) MoveDisc(ctx context.Context, id int64, to *Machine) error {
	err := to.noteWrite(m.UpdateDisc(ctx, id, cloudserver.DiscUpdate{VirtualMachineID: &to.location.ID}))
	if !cloudserver.IsAmbiguous(err) {
		return err
	}
	disc, lookErr := m.service.Client.Disc(ctx, id)
	if lookErr == nil && disc.VirtualMachineID == to.location.ID {
		return nil
	}
	return err
}

// PurgeDisc destroys a disc, and waits until the machine no longer shows it.
func (m *Machine) PurgeDisc(ctx context.Context, id int64) error {
	requestErr := m.noteWrite(m.service.Client.PurgeDisc(ctx, m.Ref(), id))
	if !mayHaveActed(requestErr) && !cloudserver.IsNotFound(requestErr) {
		return requestErr
	}
	isPurged := func(discs []cloudserver.Disc) bool {
		return !slices.ContainsFunc(discs, func(d cloudserver.Disc) bool { return d.ID == id })
	}
	_, err := m.awaitChange(ctx, fmt.Sprintf("disc %d to be purged", id), requestErr, isPurged)
	return err
}

// awaitChange waits until the discs of the machine show a change that was requested. If the request was ambiguous, the
// error of the wait has its error as well.
func (m *Machine) awaitChange(
	ctx context.Context, what string, requestErr error, done func([]cloudserver.Disc) bool,
) ([]cloudserver.Disc, error) {
	ctx, cancel := context.WithTimeout(ctx, discTimeout)
	defer cancel()
	progress.Report(ctx, "waiting for "+what)
	discs, err := m.AwaitDiscs(ctx, what, done)
	if requestErr != nil && err != nil {
		err = fmt.Errorf("%w; %w", requestErr, err)
	}
	return discs, err
}

// AwaitDiscs waits until the discs of the machine are as wanted, and returns them. If ctx ends, the error has the discs
// as last seen, or why they could not be read.
func (m *Machine) AwaitDiscs(
	ctx context.Context, what string, done func([]cloudserver.Disc) bool,
) ([]cloudserver.Disc, error) {
	var discs []cloudserver.Disc
	seen := ""
	isDone := func(vm *cloudserver.VirtualMachine) bool {
		var err error
		discs, err = m.Discs(ctx, vm)
		if err != nil {
			if ctx.Err() == nil {
				seen = "its discs could not be read: " + err.Error()
			}
			return false
		}
		seen = describeDiscs(discs)
		return done(discs)
	}
	if m.last != nil && isDone(m.last) {
		return discs, nil
	}
	err := m.Wait(ctx, what, isDone)
	if wait, ok := errors.AsType[*progress.Unfinished](err); ok && seen != "" {
		wait.Seen = seen + "; " + wait.Seen
	}
	return discs, err
}

// describeDiscs lists the discs of a machine.
func describeDiscs(discs []cloudserver.Disc) string {
	if len(discs) == 0 {
		return "the machine has no discs"
	}
	var titles []string
	for _, d := range discs {
		titles = append(titles, fmt.Sprintf("%q (ID %d)", cloudserver.Shown(d.Label), d.ID))
	}
	return "the machine has the discs " + strings.Join(titles, ", ")
}
