package check

import (
	"context"
	"fmt"
	"net/http"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// The smallest machine that makes sense.
const (
	leastMemory = 1024 // megabytes
	leastDisc   = 1024 // megabytes
	bootLabel   = "vda"
	farAhead    = "2099-01-04 04:00:00" // when the first backup would be taken
)

// steps returns the life of a machine, in order.
func (l *lifetime) steps() []step {
	var steps []step
	for _, part := range [][]step{l.creation(), l.changes(), l.discSteps(), l.powerSteps(), l.ending()} {
		steps = append(steps, part...)
	}
	return steps
}

func line(call, expected, standing, breaks string) Line {
	return Line{Call: call, Expected: expected, Standing: standing, Breaks: []string{breaks}}
}

func (l *lifetime) creation() []step {
	path := fmt.Sprintf("POST /accounts/%s/groups/%s/vm_create", l.account, l.group)
	request := cloudserver.VirtualMachineCreate{
		VirtualMachine: cloudserver.VirtualMachineSpec{Name: l.name, Settings: cloudserver.Settings{
			Cores: new(int64(1)), Memory: new(int64(leastMemory)), PowerOn: new(true), AutorebootOn: new(true),
		}},
		Discs: []cloudserver.DiscSpec{{Label: bootLabel, Size: leastDisc}},
	}
	return []step{
		{
			line: line(path, "status 202 with the machine; then power_on becomes true", "S", "machines cannot be created"),
			do:   func(ctx context.Context) error { return l.create(ctx, request) }, until: isOn, looks: true,
		},
		{
			line: line(path+" under the same name", `status 400, {"name": ["has already been taken"]}`, "R", "a taken name is not recognised, and its error is less clear"),
			do: func(ctx context.Context) error {
				vm, err := l.client.CreateVirtualMachine(ctx, l.account, l.group, request)
				if err == nil && vm.ID != l.ref.ID {
					_ = l.client.DeleteVirtualMachine(ctx, cloudserver.Ref{Account: l.account, Group: l.group, ID: vm.ID}, true)
					return fmt.Errorf("a second machine of the same name was created (ID %d), and purged again", vm.ID)
				}
				return err
			}, accept: isNameTaken, answer: "assumed, and so it is: the refusal is understood",
		},
	}
}

func (l *lifetime) changes() []step {
	renamed := l.name + "-renamed"
	named := func(name string) func(*cloudserver.VirtualMachine) bool {
		return func(vm *cloudserver.VirtualMachine) bool { return vm.Name == name }
	}
	rename := func(name string) func(context.Context) error {
		return func(ctx context.Context) error { return l.put(ctx, cloudserver.VirtualMachineUpdate{Name: &name}) }
	}
	return []step{
		{line: line("PUT name", "the machine is renamed", "R", "machines cannot be renamed"), do: rename(renamed), until: named(renamed)},
		{line: line("PUT name (back)", "the machine is renamed", "R", "machines cannot be renamed"), do: rename(l.name), until: named(l.name)},
		{
			line: line("PUT cores on a machine that is on", "accepted, or refused with 400", "R", "cores and memory cannot be changed"),
			do: func(ctx context.Context) error {
				return l.put(ctx, cloudserver.VirtualMachineUpdate{Settings: cloudserver.Settings{Cores: new(int64(2))}})
			},
			accept: func(err error) bool {
				l.refused = cloudserver.StatusCode(err) == http.StatusBadRequest
				return l.refused
			},
			answer: "the provider always power-cycles a machine for a raise, so either answer is fine",
		},
	}
}

func (l *lifetime) discSteps() []step {
	size, label := int64(2*leastDisc), "data2"
	has := func(fits func(cloudserver.Disc) bool) func(*cloudserver.VirtualMachine) bool {
		return func(vm *cloudserver.VirtualMachine) bool {
			for _, disc := range vm.Discs {
				if disc.ID == l.disc && fits(disc) {
					return true
				}
			}
			return false
		}
	}
	return []step{
		{
			line: line("POST …/discs", "the disc is added", "R", "discs cannot be added"),
			do: func(ctx context.Context) error {
				disc, err := l.client.AddDisc(ctx, l.ref, cloudserver.DiscSpec{Label: "data", Size: leastDisc})
				if err == nil {
					l.disc = disc.ID
				}
				return err
			}, until: has(func(cloudserver.Disc) bool { return true }),
		},
		{
			line:  line("PUT …/discs/{disc} size", "the disc grows", "R", "discs cannot grow"),
			do:    func(ctx context.Context) error { return l.putDisc(ctx, cloudserver.DiscUpdate{Size: &size}) },
			until: has(func(d cloudserver.Disc) bool { return d.Size == size }),
		},
		{
			line:  line("PUT …/discs/{disc} label", "the disc is renamed", "R", "discs cannot be renamed"),
			do:    func(ctx context.Context) error { return l.putDisc(ctx, cloudserver.DiscUpdate{Label: &label}) },
			until: has(func(d cloudserver.Disc) bool { return d.Label == label }),
		},
		{
			line: line("POST, DELETE …/discs/{disc}/backup_schedules", "the schedule is created, and deleted", "R", "cloudserver_backup_schedule does not work"),
			do: func(ctx context.Context) error {
				schedule, err := l.client.CreateBackupSchedule(ctx, l.ref, l.disc, cloudserver.BackupScheduleSpec{StartAt: farAhead, IntervalSeconds: 7 * 24 * 60 * 60})
				if err != nil {
					return err
				}
				return l.client.DeleteBackupSchedule(ctx, l.ref, l.disc, schedule.ID)
			}, minor: true,
		},
		{
			line: line("DELETE …/discs/{disc}?purge=true", "status 204, and the disc is gone", "R", "discs cannot be removed"),
			do:   func(ctx context.Context) error { return l.client.PurgeDisc(ctx, l.ref, l.disc) },
			until: func(vm *cloudserver.VirtualMachine) bool {
				return !has(func(cloudserver.Disc) bool { return true })(vm)
			},
		},
	}
}

func (l *lifetime) powerSteps() []step {
	distribution := ""
	return []step{
		{
			line: line("PUT power_on false, autoreboot_on false", "the machine goes off and stays off", "R", "machines cannot be stopped"),
			do:   func(ctx context.Context) error { return l.put(ctx, power(false, false)) }, until: isOff,
		},
		{
			line: line("PUT power_on true, autoreboot_on true", "the machine comes on", "R", "machines cannot be started"),
			do:   func(ctx context.Context) error { return l.put(ctx, power(true, true)) }, until: isOn,
		},
		{
			line: line("PUT power_on false, autoreboot_on true", "the machine is brought back: the service starts any machine that is off while autoreboot_on is true", "R", "restarts leave machines off"),
			do:   func(ctx context.Context) error { return l.put(ctx, power(false, true)) }, until: isOn,
		},
		{
			line: line("POST …/signal powerdown, after PUT autoreboot_on false", "accepted; whether the guest reacts is up to the guest", "R", "guests are not asked to shut down before they are switched off"),
			do: func(ctx context.Context) error {
				if err := l.put(ctx, cloudserver.VirtualMachineUpdate{Settings: cloudserver.Settings{AutorebootOn: new(false)}}); err != nil {
					return err
				}
				return l.client.PowerDown(ctx, l.ref)
			}, minor: true,
		},
		{
			line: line("PUT power_on false, autoreboot_on false (for the reimage)", "the machine goes off", "R", "machines cannot be reimaged"),
			do:   func(ctx context.Context) error { return l.put(ctx, power(false, false)) }, until: isOff,
		},
		{
			line: line("POST …/reimage", "the image is installed, and the machine is on", "R", "machines cannot be reimaged in place"),
			do: func(ctx context.Context) error {
				definitions, err := l.client.Definitions(ctx)
				if err != nil {
					return err
				}
				if len(definitions.Distributions) > 0 {
					distribution = definitions.Distributions[0]
				}
				return l.client.ReimageVirtualMachine(ctx, l.ref, cloudserver.Reimage{Distribution: distribution, RootPassword: throwAwayPassword()})
			}, until: isOn,
		},
	}
}

func (l *lifetime) ending() []step {
	deleted := func(wanted bool) func(*cloudserver.VirtualMachine) bool {
		return func(vm *cloudserver.VirtualMachine) bool { return vm.Deleted == wanted }
	}
	return []step{
		{
			line: line("DELETE …/virtual_machines/{vm}", "status 204, and the machine is soft-deleted", "R", "purge_on_destroy = false does not work"),
			do:   func(ctx context.Context) error { return l.client.DeleteVirtualMachine(ctx, l.ref, false) }, until: deleted(true),
		},
		{
			line: line("PUT deleted false", "the machine is undeleted", "R", "the action cloudserver_vm_undelete does not work"),
			do: func(ctx context.Context) error {
				return l.put(ctx, cloudserver.VirtualMachineUpdate{Deleted: new(false)})
			}, until: deleted(false),
		},
		{
			line: line("DELETE …/virtual_machines/{vm}?purge=true", "status 204, and the machine is gone when the call answers", "R", "destroying and creating again may fail, because the name is still taken"),
			do: func(ctx context.Context) error {
				if err := l.client.DeleteVirtualMachine(ctx, l.ref, true); err != nil {
					return err
				}
				_, err := l.client.VirtualMachine(ctx, l.ref.ID, cloudserver.IncludeDeleted)
				if !cloudserver.IsNotFound(err) {
					return fmt.Errorf("the machine is still there after the call has answered: %w", err)
				}
				l.ref = cloudserver.Ref{}
				return nil
			},
		},
	}
}

func (l *lifetime) put(ctx context.Context, update cloudserver.VirtualMachineUpdate) error {
	_, err := l.client.UpdateVirtualMachine(ctx, l.ref, update)
	return err
}

func (l *lifetime) putDisc(ctx context.Context, update cloudserver.DiscUpdate) error {
	_, err := l.client.UpdateDisc(ctx, l.ref, l.disc, update)
	return err
}

func power(on, autoreboot bool) cloudserver.VirtualMachineUpdate {
	return cloudserver.VirtualMachineUpdate{Settings: cloudserver.Settings{PowerOn: &on, AutorebootOn: &autoreboot}}
}
