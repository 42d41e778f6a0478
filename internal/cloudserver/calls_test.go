// SPDX-License-Identifier: MPL-2.0

package cloudserver_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

type caller = func(context.Context, *cloudserver.Client) error

// result drops the result of a call except its error.
func result[T any](_ T, err error) error { return err }

// call is a call of the client and the first request that it sends: method, path, query and body.
type call struct {
	do    caller
	sends string // "": tested with sessions
}

// calls are all calls of the client, by the name of the method and possibly of a variant. wellAnswered is a valid
// answer to each.
func calls() map[string]call {
	type ctx = context.Context
	type client = *cloudserver.Client
	vm := cloudserver.Ref{Account: "acme", Group: "web", ID: 7}
	image := cloudserver.Reimage{Distribution: "bookworm", RootPassword: rootPassword, SSHPublicKey: "k", FirstbootScript: firstbootScript}
	whole := cloudserver.VirtualMachineCreate{
		VirtualMachine: cloudserver.VirtualMachineSpec{Name: "web1", ZoneName: new("york"), Settings: cloudserver.Settings{
			Cores: new(int64(2)), Memory: new(int64(4096)), HardwareProfile: new("virtio2013"), HardwareProfileLocked: new(true),
			AutorebootOn: new(false), PowerOn: new(true), Keymap: &cloudserver.Nullable{Value: new("de")}, CDROMURL: &cloudserver.Nullable{Value: new("https://x.invalid")},
		}},
		Discs:   []cloudserver.DiscSpec{{Label: "vda", Size: 25600, StorageGrade: "sata"}, {Label: "vdb", Size: 1}},
		Reimage: &image, IPs: &cloudserver.IPs{IPv4: "192.0.2.1"}, NameIsFree: true,
	}
	schedule := cloudserver.BackupScheduleSpec{StartAt: "2026-11-21 03:00:00", IntervalSeconds: 604800, Capacity: new(int64(1))}
	const accounts, web, machine = "/accounts/acme", "/accounts/acme/groups/web", "/accounts/acme/groups/web/virtual_machines/7"
	const imaged = `{"distribution":"bookworm","root_password":"root \"secret3\" \u0026 \u003cw\u003e","ssh_public_key":"k","firstboot_script":"#!/bin/sh\nuseradd -p secret4 \"ü\"\n"}`
	return map[string]call{
		"Account":              {func(x ctx, c client) error { return result(c.Account(x, "acme")) }, "GET " + accounts + "? "},
		"Overview":             {func(x ctx, c client) error { return result(c.Overview(x, "acme", cloudserver.IncludeDeleted)) }, "GET " + accounts + "?include_deleted=true&view=overview "},
		"Accounts":             {func(x ctx, c client) error { return result(c.Accounts(x)) }, "GET /accounts? "},
		"AddDisc":              {func(x ctx, c client) error { return result(c.AddDisc(x, vm, whole.Discs[1])) }, "POST " + machine + `/discs? {"label":"vdb","size":1}`},
		"Backups":              {func(x ctx, c client) error { return result(c.Backups(x, vm, 7)) }, "GET " + machine + "/discs/7/backups? "},
		"CheckSession":         {func(x ctx, c client) error { return c.CheckSession(x, "session-1") }, ""},
		"CreateBackupSchedule": {func(x ctx, c client) error { return result(c.CreateBackupSchedule(x, vm, 7, schedule)) }, "POST " + machine + `/discs/7/backup_schedules? {"start_at":"2026-11-21 03:00:00","interval_seconds":604800,"capacity":1}`},
		"CreateGroup":          {func(x ctx, c client) error { return result(c.CreateGroup(x, "acme", "db")) }, "POST " + accounts + `/groups? {"name":"db"}`},
		"CreateVirtualMachine": {func(x ctx, c client) error { return result(c.CreateVirtualMachine(x, "acme", "web", whole)) }, "POST " + web + `/vm_create? {"virtual_machine":{"name":"web1","zone_name":"york","cores":2,"memory":4096,"hardware_profile":"virtio2013","hardware_profile_locked":true,"autoreboot_on":false,"power_on":true,"keymap":"de","cdrom_url":"https://x.invalid"},"discs":[{"label":"vda","size":25600,"storage_grade":"sata"},{"label":"vdb","size":1}],"reimage":` + imaged + `,"ips":{"ipv4":"192.0.2.1"}}`},
		"CreateVirtualMachine least": {func(x ctx, c client) error {
			return result(c.CreateVirtualMachine(x, "acme", "web", cloudserver.VirtualMachineCreate{VirtualMachine: cloudserver.VirtualMachineSpec{Name: "x"}, NameIsFree: true}))
		}, "POST " + web + `/vm_create? {"virtual_machine":{"name":"x"}}`},
		"Definitions":               {func(x ctx, c client) error { return result(c.Definitions(x)) }, "GET /definitions? "},
		"DeleteBackup":              {func(x ctx, c client) error { return c.DeleteBackup(x, vm, 7, 9) }, "DELETE " + machine + "/discs/7/backups/9?purge=true "},
		"DeleteBackupSchedule":      {func(x ctx, c client) error { return c.DeleteBackupSchedule(x, vm, 7, 5) }, "DELETE " + machine + "/discs/7/backup_schedules/5? "},
		"DeleteGroup":               {func(x ctx, c client) error { return c.DeleteGroup(x, "a b", "...") }, "DELETE /accounts/a%20b/groups/...? "},
		"DeleteVirtualMachine":      {func(x ctx, c client) error { return c.DeleteVirtualMachine(x, vm, true) }, "DELETE " + machine + "?purge=true "},
		"DeleteVirtualMachine soft": {func(x ctx, c client) error { return c.DeleteVirtualMachine(x, vm, false) }, "DELETE " + machine + "? "},
		"Discs":                     {func(x ctx, c client) error { return result(c.Discs(x, vm)) }, "GET " + machine + "/discs? "},
		"Disc":                      {func(x ctx, c client) error { return result(c.Disc(x, 7)) }, "GET /discs/7? "},
		"Group":                     {func(x ctx, c client) error { return result(c.Group(x, "acme", "web")) }, "GET " + web + "? "},
		"Groups":                    {func(x ctx, c client) error { return result(c.Groups(x, "acme")) }, "GET " + accounts + "/groups? "},
		"IP":                        {func(x ctx, c client) error { return result(c.IP(x, "2001:db8::7")) }, "GET /ips/2001:db8::7? "},
		"OpenSession":               {func(x ctx, c client) error { return result(c.OpenSession(x, "123456")) }, ""},
		"OpenSlidingSession":        {func(x ctx, c client) error { return result(c.OpenSlidingSession(x)) }, ""},
		"PowerDown":                 {func(x ctx, c client) error { return c.PowerDown(x, vm) }, "POST " + machine + `/signal? {"signal":"powerdown"}`},
		"PurgeDisc":                 {func(x ctx, c client) error { return c.PurgeDisc(x, vm, 3) }, "DELETE " + machine + "/discs/3?purge=true "},
		"ReimageVirtualMachine":     {func(x ctx, c client) error { return c.ReimageVirtualMachine(x, vm, image) }, "POST " + machine + "/reimage? " + imaged},
		"RenameGroup":               {func(x ctx, c client) error { return c.RenameGroup(x, "acme", "web", 7, "dbs") }, "PUT " + web + `? {"name":"dbs"}`},
		"RestoreBackup":             {func(x ctx, c client) error { return c.RestoreBackup(x, vm, 7, 9) }, "PUT " + machine + `/discs/7/backups/9? {"restore":true}`},
		"SetRDNS":                   {func(x ctx, c client) error { return c.SetRDNS(x, "192.0.2.1", "web1.example.com") }, `PUT /ips/192.0.2.1? {"rdns":"web1.example.com"}`},
		"Signal":                    {func(x ctx, c client) error { return c.Signal(x, vm, "sendkey", "ctrl-c") }, "POST " + machine + `/signal? {"signal":"sendkey","data":"ctrl-c"}`},
		"TakeBackup":                {func(x ctx, c client) error { return result(c.TakeBackup(x, vm, 7)) }, "POST " + machine + "/discs/7/backups? {}"},
		"UpdateDisc": {func(x ctx, c client) error {
			return c.UpdateDisc(x, vm, 7, cloudserver.DiscUpdate{Size: new(int64(6)), Label: new("data")})
		}, "PUT " + machine + `/discs/7? {"size":6,"label":"data"}`},
		"UpdateDisc moves": {func(x ctx, c client) error {
			return c.UpdateDisc(x, vm, 7, cloudserver.DiscUpdate{VirtualMachineID: new(int64(8))})
		}, "PUT " + machine + `/discs/7? {"virtual_machine_id":8}`},
		"UpdateVirtualMachine": {func(x ctx, c client) error {
			return c.UpdateVirtualMachine(x, vm, cloudserver.VirtualMachineUpdate{Name: new("web2"), Settings: cloudserver.Settings{CDROMURL: &cloudserver.Nullable{}, PowerOn: new(false)}, Deleted: new(false)})
		}, "PUT " + machine + `? {"name":"web2","power_on":false,"cdrom_url":null,"deleted":false}`},
		"UpdateVirtualMachine moves": {func(x ctx, c client) error {
			return c.UpdateVirtualMachine(x, vm, cloudserver.VirtualMachineUpdate{GroupID: new(int64(3))})
		}, "PUT " + machine + `? {"group_id":3}`},
		"VirtualMachine": {func(x ctx, c client) error { return result(c.VirtualMachine(x, 7, cloudserver.IncludeDeleted)) }, "GET /virtual_machines/7?include_deleted=true&view=overview "},
		"VirtualMachineByName": {func(x ctx, c client) error {
			return result(c.VirtualMachineByName(x, "x", "a b&c=d%", "é", cloudserver.IncludeDeleted))
		}, "GET /accounts/x/groups/a%20b&c=d%25/virtual_machines/%C3%A9?include_deleted=true&view=overview "},
		"VirtualMachines": {func(x ctx, c client) error { return result(c.VirtualMachines(x, "acme", "web")) }, "GET " + web + "/virtual_machines?view=overview "},
		"VirtualMachines bare": {func(x ctx, c client) error {
			return result(c.VirtualMachines(x, "acme", "web", cloudserver.WithoutOverview))
		}, "GET " + web + "/virtual_machines? "},
	}
}

// The secrets that the calls send.
const (
	rootPassword    = `root "secret3" & <w>`
	firstbootScript = "#!/bin/sh\nuseradd -p secret4 \"ü\"\n"
)

const wellAnswered = `{"id":7,"virtual_machine":{"id":7}}`

// done answers a call as API.md promises.
func done(request *http.Request) (*http.Response, error) {
	switch {
	case request.Method == http.MethodDelete:
		return answer(204, "")(request)
	case request.Method == http.MethodGet && strings.HasSuffix(request.URL.Path, "/acme/groups"): // of which db is none
		return answer(200, `[{"id":7,"name":"web"}]`)(request)
	}
	return answer(200, wellAnswered)(request)
}

// TestCalls: each call sends the request that API.md describes.
func TestCalls(t *testing.T) {
	t.Parallel()
	for name, call := range calls() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service := serve(done)
			if err := call.do(t.Context(), newClient(t, service)); err != nil && call.sends != "" && name != "Definitions" {
				t.Fatal(err)
			}
			if call.sends == "" {
				return
			}
			got := service.journal()[len(service.journal())-1]
			if text := got.method + " " + strings.TrimPrefix(got.path, "/base") + "?" + got.query + " " + got.body; text != call.sends {
				t.Errorf("got  %s\nwant %s", text, call.sends)
			}
			for header, want := range map[string]string{
				"Content-Type": "application/json", "Accept": "application/json",
				"Authorization": "Bearer apikey.test", "User-Agent": "terraform-provider-cloudserver",
			} {
				if value := got.header.Get(header); value != want {
					t.Errorf("%s is %q, want %q", header, value, want)
				}
			}
		})
	}
}

// do makes a call of the table.
func do(ctx context.Context, c *cloudserver.Client, name string) error {
	return calls()[name].do(ctx, c)
}

func TestNotDescribed(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"VirtualMachine", "VirtualMachineByName"} {
		if err := do(t.Context(), newClient(t, serve(answer(202, ""))), name); !errors.Is(err, cloudserver.ErrNotDescribed) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
