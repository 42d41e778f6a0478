package cloudserver_test

import (
	"context"
	"fmt"
	"reflect"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// The secrets of the hostile tests. A marker survives every escaping.
const (
	hostilePassword = `pass "zqmarker1" & <w>`
	hostileToken    = "zqmarker2-token"
	hostileRoot     = `root "zqmarker3" & <w>`
	hostileScript   = "#!/bin/sh\nuseradd -p zqmarker4 \"ü\"\n"
	hostileSession  = "zqmarker5-session"
	hostileMarker   = "zqmarker"
)

// believed returns an error if a call has believed an answer for another object.
func believed(err error, got, wanted any) error {
	if err == nil && got != wanted {
		return fmt.Errorf("BELIEVED: an answer for %v instead of %v", got, wanted)
	}
	return err
}

// hostileCalls are all calls of the client, by the name of the method.
func hostileCalls() map[string]caller {
	type ctx = context.Context
	type client = *cloudserver.Client
	vm := cloudserver.Ref{Account: "acme", Group: "web", ID: 7}
	image := cloudserver.Reimage{Distribution: "bookworm", RootPassword: hostileRoot, FirstbootScript: hostileScript}
	return map[string]caller{
		"Account":            func(x ctx, c client) error { return result(c.Account(x, "acme")) },
		"AccountAlone":       func(x ctx, c client) error { return result(c.AccountAlone(x, "acme")) },
		"AccountWithDeleted": func(x ctx, c client) error { return result(c.AccountWithDeleted(x, "acme")) },
		"Accounts":           func(x ctx, c client) error { return result(c.Accounts(x)) },
		"AddDisc": func(x ctx, c client) error {
			return result(c.AddDisc(x, vm, cloudserver.DiscSpec{Label: "vdb", Size: 50}))
		},
		"Backups":      func(x ctx, c client) error { return result(c.Backups(x, vm, 3)) },
		"CheckSession": func(x ctx, c client) error { return c.CheckSession(x, hostileSession) },
		"CreateBackupSchedule": func(x ctx, c client) error {
			return result(c.CreateBackupSchedule(x, vm, 3, cloudserver.BackupScheduleSpec{StartAt: "2026-11-21 03:00:00", IntervalSeconds: 60}))
		},
		"CreateGroup": func(x ctx, c client) error { return result(c.CreateGroup(x, "acme", "db", nil)) },
		"CreateVirtualMachine": func(x ctx, c client) error {
			return result(c.CreateVirtualMachine(x, "acme", "web", cloudserver.VirtualMachineCreate{VirtualMachine: cloudserver.VirtualMachineSpec{Name: "web1"}, Reimage: &image}))
		},
		"Definitions":          func(x ctx, c client) error { return result(c.Definitions(x)) },
		"DeleteBackupSchedule": func(x ctx, c client) error { return c.DeleteBackupSchedule(x, vm, 3, 5) },
		"DeleteGroup":          func(x ctx, c client) error { return c.DeleteGroup(x, "acme", "db") },
		"DeleteVirtualMachine": func(x ctx, c client) error { return c.DeleteVirtualMachine(x, vm, true) },
		"Disc": func(x ctx, c client) error {
			disc, err := c.Disc(x, 3)
			return believed(err, valueOr(disc).ID, int64(3))
		},
		"Discs":              func(x ctx, c client) error { return result(c.Discs(x, vm)) },
		"Group":              func(x ctx, c client) error { return result(c.Group(x, "acme", "web")) },
		"GroupAlone":         func(x ctx, c client) error { return result(c.GroupAlone(x, "acme", "web")) },
		"Groups":             func(x ctx, c client) error { return result(c.Groups(x, "acme")) },
		"IP":                 func(x ctx, c client) error { return result(c.IP(x, "192.0.2.1")) },
		"OpenSession":        func(x ctx, c client) error { return result(c.OpenSession(x, "123456")) },
		"OpenSlidingSession": func(x ctx, c client) error { return result(c.OpenSlidingSession(x)) },
		"PurgeDisc":          func(x ctx, c client) error { return c.PurgeDisc(x, vm, 3) },
		"ReimageVirtualMachine": func(x ctx, c client) error {
			return c.ReimageVirtualMachine(x, vm, image)
		},
		"RenameGroup":   func(x ctx, c client) error { return result(c.RenameGroup(x, "acme", "web", 7, "db")) },
		"RestoreBackup": func(x ctx, c client) error { return c.RestoreBackup(x, vm, 3, 9) },
		"SetRDNS":       func(x ctx, c client) error { return c.SetRDNS(x, "192.0.2.1", "a.example") },
		"Signal":        func(x ctx, c client) error { return c.Signal(x, vm, "reset", "") },
		"PowerDown":     func(x ctx, c client) error { return c.PowerDown(x, vm) },
		"TakeBackup":    func(x ctx, c client) error { return result(c.TakeBackup(x, vm, 3)) },
		"UpdateDisc": func(x ctx, c client) error {
			disc, err := c.UpdateDisc(x, vm, 3, cloudserver.DiscUpdate{Size: pointer(int64(60))})
			if disc == nil {
				return err
			}
			return believed(err, disc.ID, int64(3))
		},
		"UpdateVirtualMachine": func(x ctx, c client) error {
			updated, err := c.UpdateVirtualMachine(x, vm, cloudserver.VirtualMachineUpdate{Settings: cloudserver.Settings{CDROMURL: &cloudserver.Nullable{Value: pointer("https://a.example/a.iso")}}})
			if updated == nil {
				return err
			}
			return believed(err, updated.ID, int64(7))
		},
		"VirtualMachine": func(x ctx, c client) error {
			read, err := c.VirtualMachine(x, 7, cloudserver.IncludeDeleted)
			return believed(err, valueOr(read).ID, int64(7))
		},
		"VirtualMachineAt":         func(x ctx, c client) error { return result(c.VirtualMachineAt(x, vm)) },
		"VirtualMachineByName":     func(x ctx, c client) error { return result(c.VirtualMachineByName(x, "acme", "web", "web1")) },
		"VirtualMachines":          func(x ctx, c client) error { return result(c.VirtualMachines(x, "acme", "web")) },
		"VirtualMachinesOfAccount": func(x ctx, c client) error { return result(c.VirtualMachinesOfAccount(x, 12)) },
	}
}

func valueOr[T any](pointer *T) T {
	if pointer == nil {
		var zero T
		return zero
	}
	return *pointer
}

// TestHostileCallsAreComplete fails when a call is added without a hostile test.
func TestHostileCallsAreComplete(t *testing.T) {
	t.Parallel()
	calls, kind := hostileCalls(), reflect.TypeFor[*cloudserver.Client]()
	takesContext := reflect.TypeFor[context.Context]()
	for i := range kind.NumMethod() {
		method := kind.Method(i)
		if method.Type.NumIn() > 1 && method.Type.In(1) == takesContext && calls[method.Name] == nil {
			t.Errorf("%s is not among the hostile calls", method.Name)
		}
	}
}
