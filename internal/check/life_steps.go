package check

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// The smallest machine worth creating.
const (
	leastMemory = 1024 // megabytes
	leastDisc   = 1024 // megabytes
	bootLabel   = "vda"
	renamed     = "-renamed"            // is added to the name
	farAhead    = "2099-01-04 04:00:00" // when the first backup would be taken
)

// condition is what a step waits for.
type condition = func(*cloudserver.VirtualMachine) bool

var isOn, isOff condition = (*cloudserver.VirtualMachine).IsOn, (*cloudserver.VirtualMachine).IsOff

// steps returns the life of a machine, in order.
func (l *lifetime) steps() []step {
	return slices.Concat(l.creation(), l.discSteps(), l.powerSteps(), l.ending())
}

// changing returns the step that changes settings of the machine.
func (l *lifetime) changing(
	what, expected, breaks string, update cloudserver.VirtualMachineUpdate, until condition,
) step {
	return step{want: want{"PUT " + what, expected, breaks, false}, until: until, do: func(ctx context.Context) error {
		return l.change(ctx, func(w cloudserver.Writer) error { return errorOf(w.UpdateVirtualMachine(ctx, l.ref, update)) })
	}}
}

func (l *lifetime) creation() []step {
	path := fmt.Sprintf("POST /accounts/%s/groups/%s/vm_create", l.account, l.group)
	request := cloudserver.VirtualMachineCreate{
		VirtualMachine: cloudserver.VirtualMachineSpec{Name: l.name, Settings: cloudserver.Settings{
			Cores: new(int64(1)), Memory: new(int64(leastMemory)), PowerOn: new(true), AutorebootOn: new(true),
		}},
		Discs: []cloudserver.DiscSpec{{Label: bootLabel, Size: leastDisc}},
	}
	again := func(ctx context.Context) error {
		vm, err := l.client.CreateVirtualMachine(ctx, l.account, l.group, request)
		switch {
		case cloudserver.IsNameTaken(err):
			return nil
		case err == nil && vm.ID != l.ref.ID:
			second := cloudserver.Ref{Account: l.account, Group: l.group, ID: vm.ID}
			if err := l.destroy(ctx, second, func(w cloudserver.Writer) error { return w.DeleteVirtualMachine(ctx, second, true) }); err != nil {
				return fmt.Errorf("a second machine of the same name was created (ID %d), and could not be purged: %w", vm.ID, err)
			}
			return fmt.Errorf("a second machine of the same name was created (ID %d), and purged again", vm.ID)
		}
		return err
	}
	rename := func(what, name string) step {
		return l.changing(what, "the machine is renamed", "machines cannot be renamed", cloudserver.VirtualMachineUpdate{Name: &name},
			func(vm *cloudserver.VirtualMachine) bool { return vm.Name == name })
	}
	return []step{
		{
			want: want{path, "status 202 with the machine; then power_on becomes true", "machines cannot be created", false},
			do:   func(ctx context.Context) error { return l.create(ctx, request) }, until: isOn, looks: true,
		},
		{want: want{
			path + " under the same name", `status 400, {"name": ["has already been taken"]}`,
			"a taken name is not recognised, and its error is less clear", false,
		}, do: again},
		rename("name", l.name+renamed), rename("name (back)", l.name),
	}
}

func (l *lifetime) discSteps() []step {
	size, label := int64(2*leastDisc), "data2"
	has := func(fits func(cloudserver.Disc) bool) condition {
		return func(vm *cloudserver.VirtualMachine) bool {
			return slices.ContainsFunc(vm.Discs, func(d cloudserver.Disc) bool { return d.ID == l.disc && fits(d) })
		}
	}
	isThere := has(func(cloudserver.Disc) bool { return true })
	change := func(what, expected, breaks string, update cloudserver.DiscUpdate, fits func(cloudserver.Disc) bool) step {
		return step{want{"PUT …/discs/{disc} " + what, expected, breaks, false}, func(ctx context.Context) error {
			return l.change(ctx, func(w cloudserver.Writer) error { return errorOf(w.UpdateDisc(ctx, l.ref, l.disc, update)) })
		}, has(fits), false}
	}
	return []step{
		{want{"POST …/discs", "the disc is added", "discs cannot be added", false}, func(ctx context.Context) error {
			return l.change(ctx, func(w cloudserver.Writer) error {
				return errorOf(w.AddDisc(ctx, l.ref, cloudserver.DiscSpec{Label: "data", Size: leastDisc}))
			})
		}, func(vm *cloudserver.VirtualMachine) bool {
			i := slices.IndexFunc(
				vm.Discs, func(d cloudserver.Disc) bool { return cloudserver.SameLabel(d.Label, "data") },
			)
			if i >= 0 {
				l.disc = vm.Discs[i].ID
			}
			return i >= 0
		}, false},
		change("size", "the disc grows", "discs cannot grow", cloudserver.DiscUpdate{Size: &size}, func(d cloudserver.Disc) bool { return d.Size == size }),
		change("label", "the disc is renamed", "discs cannot be renamed", cloudserver.DiscUpdate{Label: &label},
			func(d cloudserver.Disc) bool { return d.Label == label }),
		{want{
			"POST, DELETE …/discs/{disc}/backup_schedules", "the schedule is created, and deleted",
			"cloudserver_backup_schedule does not work", true,
		}, func(ctx context.Context) error {
			var schedule *cloudserver.BackupSchedule
			err := l.change(ctx, func(w cloudserver.Writer) (err error) {
				schedule, err = w.CreateBackupSchedule(
					ctx, l.ref, l.disc,
					cloudserver.BackupScheduleSpec{StartAt: farAhead, IntervalSeconds: 7 * 24 * 60 * 60},
				)
				return err
			})
			if cloudserver.IsAmbiguous(err) { // for example because the answer has no ID
				disc, lookErr := l.client.Disc(ctx, l.disc)
				if lookErr != nil || len(disc.BackupSchedules) != 1 {
					return err
				}
				schedule, err = &disc.BackupSchedules[0], nil
			}
			if err != nil {
				return err
			}
			err = l.destroy(ctx, l.ref, func(w cloudserver.Writer) error { return w.DeleteBackupSchedule(ctx, l.ref, l.disc, schedule.ID) })
			if disc, lookErr := l.client.Disc(ctx, l.disc); lookErr == nil && len(disc.BackupSchedules) > 0 &&
				cloudserver.IsMisunderstood(err) {
				return errors.New("the disc still has the schedule after the call has answered")
			}
			return err
		}, nil, false},
		{
			want{"DELETE …/discs/{disc}?purge=true", "status 204, and the disc is gone", "discs cannot be removed", false},
			func(ctx context.Context) error {
				return l.destroy(ctx, l.ref, func(w cloudserver.Writer) error { return w.PurgeDisc(ctx, l.ref, l.disc) })
			},
			func(vm *cloudserver.VirtualMachine) bool { return !isThere(vm) }, false,
		},
	}
}

func (l *lifetime) powerSteps() []step {
	return []step{
		l.changing("power_on false, autoreboot_on false", "the machine goes off and stays off", "machines cannot be stopped", power(false, false), isOff),
		l.changing("cores on a machine that is off", "the machine has the cores", "cores and memory cannot be changed",
			cloudserver.VirtualMachineUpdate{Settings: cloudserver.Settings{Cores: new(int64(2))}},
			func(vm *cloudserver.VirtualMachine) bool { return vm.Cores == nil || *vm.Cores == 2 }),
		l.changing("power_on true, autoreboot_on true", "the machine comes on", "machines cannot be started", power(true, true), isOn),
		l.changing("power_on false, autoreboot_on true", "the machine is brought back: the service starts any machine that is off while autoreboot_on is true",
			"restarts leave machines off", power(false, true), isOn),
		{want{
			"POST …/signal powerdown, after PUT autoreboot_on false", "accepted; whether the guest reacts is up to the guest",
			"guests are not asked to shut down before they are switched off", true,
		}, func(ctx context.Context) error {
			off := cloudserver.VirtualMachineUpdate{Settings: cloudserver.Settings{AutorebootOn: new(false)}}
			if err := l.change(ctx, func(w cloudserver.Writer) error { return errorOf(w.UpdateVirtualMachine(ctx, l.ref, off)) }); err != nil {
				return err
			}
			return l.change(ctx, func(w cloudserver.Writer) error { return w.PowerDown(ctx, l.ref) })
		}, nil, false},
		l.changing("power_on false, autoreboot_on false (for the reimage)", "the machine goes off", "machines cannot be reimaged", power(false, false), isOff),
		{want{
			"POST …/reimage", "the image is installed, and the machine is on", "machines cannot be reimaged in place", false,
		}, func(ctx context.Context) error {
			definitions, err := l.client.Definitions(ctx)
			if err != nil {
				return err
			}
			image := cloudserver.Reimage{RootPassword: rand.Text()} // nobody ever sees it
			if len(definitions.Distributions) > 0 {
				image.Distribution = definitions.Distributions[0]
			}
			return l.change(ctx, func(w cloudserver.Writer) error { return w.ReimageVirtualMachine(ctx, l.ref, image) })
		}, isOn, false},
	}
}

func (l *lifetime) ending() []step {
	deleted := func(wanted bool) condition {
		return func(vm *cloudserver.VirtualMachine) bool { return vm.Deleted == wanted }
	}
	return []step{
		{
			want{"DELETE …/virtual_machines/{vm}", "status 204, and the machine is soft-deleted", "purge_on_destroy = false does not work", false},
			func(ctx context.Context) error {
				return l.destroy(ctx, l.ref, func(w cloudserver.Writer) error { return w.DeleteVirtualMachine(ctx, l.ref, false) })
			}, deleted(true), false,
		},
		l.changing("deleted false", "the machine is undeleted", "the action cloudserver_vm_undelete does not work",
			cloudserver.VirtualMachineUpdate{Deleted: new(false)}, deleted(false)),
		{want{
			"DELETE …/virtual_machines/{vm}?purge=true", "status 204, and the machine is gone when the call answers",
			"destroying and creating again may fail, because the name is still taken", false,
		}, func(ctx context.Context) error {
			deleteErr := l.purge(ctx)
			if deleteErr != nil && !cloudserver.IsMisunderstood(deleteErr) {
				return deleteErr
			}
			switch _, err := l.client.VirtualMachine(ctx, l.ref.ID, cloudserver.IncludeDeleted); {
			case err == nil:
				return errors.New("the machine is still there after the call has answered")
			case !cloudserver.IsNotFound(err):
				return fmt.Errorf("it cannot be found out whether the machine is still there: %w", err)
			}
			l.ref = cloudserver.Ref{}
			return deleteErr
		}, nil, false},
	}
}

func power(on, autoreboot bool) cloudserver.VirtualMachineUpdate {
	return cloudserver.VirtualMachineUpdate{Settings: cloudserver.Settings{PowerOn: &on, AutorebootOn: &autoreboot}}
}
