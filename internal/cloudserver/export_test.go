package cloudserver

import (
	"context"
	"time"
)

// The tests of this package make the calls of a [Writer] as those of a client. They go through [Client.Change], with a
// look that finds the object until a request does not; those that destroy are one attempt.

// throughTheDoor makes a call with a look that finds the object until a request does not.
func throughTheDoor[T any](ctx context.Context, c *Client, call func(Writer) (T, error)) (result T, err error) {
	var missing error
	err = c.Change(ctx, func(context.Context, time.Time) (bool, error) { return false, missing }, func(_ context.Context, w Writer) (err error) {
		if result, err = call(w); IsNotFound(err) {
			missing = err
		}
		return err
	})
	return result, err
}

// withoutResult makes a call that has no result.
func withoutResult(ctx context.Context, c *Client, call func(Writer) error) error {
	_, err := throughTheDoor(ctx, c, func(w Writer) (struct{}, error) { return struct{}{}, call(w) })
	return err
}

func (c *Client) UpdateVirtualMachine(ctx context.Context, vm Ref, update VirtualMachineUpdate) (*VirtualMachine, error) {
	return throughTheDoor(ctx, c, func(w Writer) (*VirtualMachine, error) { return w.UpdateVirtualMachine(ctx, vm, update) })
}

func (c *Client) DeleteVirtualMachine(ctx context.Context, vm Ref, purge bool) error {
	return Writer{c, new(repetition), new(time.Time)}.DeleteVirtualMachine(ctx, vm, purge)
}

func (c *Client) ReimageVirtualMachine(ctx context.Context, vm Ref, image Reimage) error {
	return withoutResult(ctx, c, func(w Writer) error { return w.ReimageVirtualMachine(ctx, vm, image) })
}

func (c *Client) Signal(ctx context.Context, vm Ref, signal, data string) error {
	return withoutResult(ctx, c, func(w Writer) error { return w.Signal(ctx, vm, signal, data) })
}

func (c *Client) PowerDown(ctx context.Context, vm Ref) error {
	return withoutResult(ctx, c, func(w Writer) error { return w.PowerDown(ctx, vm) })
}

func (c *Client) AddDisc(ctx context.Context, vm Ref, disc DiscSpec) (*Disc, error) {
	return throughTheDoor(ctx, c, func(w Writer) (*Disc, error) { return w.AddDisc(ctx, vm, disc) })
}

func (c *Client) UpdateDisc(ctx context.Context, vm Ref, disc int64, update DiscUpdate) (*Disc, error) {
	return throughTheDoor(ctx, c, func(w Writer) (*Disc, error) { return w.UpdateDisc(ctx, vm, disc, update) })
}

func (c *Client) PurgeDisc(ctx context.Context, vm Ref, disc int64) error {
	return Writer{c, new(repetition), new(time.Time)}.PurgeDisc(ctx, vm, disc)
}

func (c *Client) RenameGroup(ctx context.Context, account, group string, id int64, name string) (*Group, error) {
	return throughTheDoor(ctx, c, func(w Writer) (*Group, error) { return w.RenameGroup(ctx, account, group, id, name) })
}

func (c *Client) DeleteGroup(ctx context.Context, account, group string) error {
	return Writer{c, new(repetition), new(time.Time)}.DeleteGroup(ctx, account, group)
}

func (c *Client) SetRDNS(ctx context.Context, address, rdns string) error {
	if rdns == "" {
		return Writer{c, new(repetition), new(time.Time)}.SetRDNS(ctx, address, rdns)
	}
	return withoutResult(ctx, c, func(w Writer) error { return w.SetRDNS(ctx, address, rdns) })
}

func (c *Client) CreateBackupSchedule(ctx context.Context, vm Ref, disc int64, schedule BackupScheduleSpec) (*BackupSchedule, error) {
	return throughTheDoor(ctx, c, func(w Writer) (*BackupSchedule, error) { return w.CreateBackupSchedule(ctx, vm, disc, schedule) })
}

func (c *Client) DeleteBackupSchedule(ctx context.Context, vm Ref, disc, schedule int64) error {
	return Writer{c, new(repetition), new(time.Time)}.DeleteBackupSchedule(ctx, vm, disc, schedule)
}

func (c *Client) TakeBackup(ctx context.Context, vm Ref, disc int64) (*Backup, error) {
	return throughTheDoor(ctx, c, func(w Writer) (*Backup, error) { return w.TakeBackup(ctx, vm, disc) })
}

func (c *Client) RestoreBackup(ctx context.Context, vm Ref, disc, backup int64) error {
	return withoutResult(ctx, c, func(w Writer) error { return w.RestoreBackup(ctx, vm, disc, backup) })
}
