package cloudserver_test

import (
	"context"
	"errors"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

type caller = func(context.Context, *cloudserver.Client) error

// result drops what a call returns besides its error.
func result[T any](_ T, err error) error { return err }

// The calls as the API's description has them, but for those that TestContract
// (internal/acctest) holds against the same documents as the emulator.
func TestCalls(t *testing.T) {
	t.Parallel()
	vm := cloudserver.Ref{Account: "acme", Group: "web", ID: 7}
	for name, test := range map[string]struct {
		do                  caller
		method, path, query string
		body                string
	}{
		"create": {func(ctx context.Context, c *cloudserver.Client) error {
			spec := cloudserver.VirtualMachineSpec{Name: "web1", ZoneName: pointer("york"), Settings: cloudserver.Settings{Cores: pointer(int64(2)), Memory: pointer(int64(4096)), HardwareProfile: pointer("virtio2013"), CDROMURL: &cloudserver.Nullable{Value: pointer("https://x.invalid")}, Keymap: &cloudserver.Nullable{Value: pointer("de")}, PowerOn: pointer(true), AutorebootOn: pointer(false), HardwareProfileLocked: pointer(true)}}
			return result(c.CreateVirtualMachine(ctx, "acme", "web", cloudserver.VirtualMachineCreate{
				VirtualMachine: spec, Discs: []cloudserver.DiscSpec{{Label: "vda", Size: 25600, StorageGrade: "sata"}, {Label: "vdb", Size: 1}},
				Reimage: &cloudserver.Reimage{Distribution: "bookworm", RootPassword: "p", SSHPublicKey: "k", FirstbootScript: "s"}, IPs: &cloudserver.IPs{IPv4: "192.0.2.1"},
			}))
		}, "POST", "/accounts/acme/groups/web/vm_create", "", `{"virtual_machine":{"name":"web1","zone_name":"york","cores":2,"memory":4096,"hardware_profile":"virtio2013","hardware_profile_locked":true,"autoreboot_on":false,"power_on":true,"keymap":"de","cdrom_url":"https://x.invalid"},"discs":[{"label":"vda","size":25600,"storage_grade":"sata"},{"label":"vdb","size":1}],"reimage":{"distribution":"bookworm","root_password":"p","ssh_public_key":"k","firstboot_script":"s"},"ips":{"ipv4":"192.0.2.1"}}`},
		"create the least": {func(ctx context.Context, c *cloudserver.Client) error {
			return result(c.CreateVirtualMachine(ctx, "acme", "web", cloudserver.VirtualMachineCreate{VirtualMachine: cloudserver.VirtualMachineSpec{Name: "x"}}))
		}, "POST", "/accounts/acme/groups/web/vm_create", "", `{"virtual_machine":{"name":"x"}}`},
		"list": {func(ctx context.Context, c *cloudserver.Client) error {
			return result(c.VirtualMachines(ctx, "acme", "web"))
		}, "GET", "/accounts/acme/groups/web/virtual_machines", "view=overview", ""},
		"update": {func(ctx context.Context, c *cloudserver.Client) error {
			return result(c.UpdateVirtualMachine(ctx, vm, cloudserver.VirtualMachineUpdate{Name: pointer("web2")}))
		}, "PUT", "/accounts/acme/groups/web/virtual_machines/7", "", `{"name":"web2"}`},
		"soft delete": {func(ctx context.Context, c *cloudserver.Client) error {
			return c.DeleteVirtualMachine(ctx, vm, false)
		}, "DELETE", "/accounts/acme/groups/web/virtual_machines/7", "", ""},
		"purge": {func(ctx context.Context, c *cloudserver.Client) error {
			return c.DeleteVirtualMachine(ctx, vm, true)
		}, "DELETE", "/accounts/acme/groups/web/virtual_machines/7", "purge=true", ""},
		"signal": {func(ctx context.Context, c *cloudserver.Client) error {
			return c.Signal(ctx, vm, "powerdown", "")
		}, "POST", "/accounts/acme/groups/web/virtual_machines/7/signal", "", `{"signal":"powerdown"}`},
		"grow disc": {func(ctx context.Context, c *cloudserver.Client) error {
			return result(c.UpdateDisc(ctx, vm, 7, cloudserver.DiscUpdate{Size: pointer(int64(6))}))
		}, "PUT", "/accounts/acme/groups/web/virtual_machines/7/discs/7", "", `{"size":6}`},
		"rename disc": {func(ctx context.Context, c *cloudserver.Client) error {
			return result(c.UpdateDisc(ctx, vm, 7, cloudserver.DiscUpdate{Label: pointer("data")}))
		}, "PUT", "/accounts/acme/groups/web/virtual_machines/7/discs/7", "", `{"label":"data"}`},
		"purge disc": {func(ctx context.Context, c *cloudserver.Client) error {
			return c.PurgeDisc(ctx, vm, 3)
		}, "DELETE", "/accounts/acme/groups/web/virtual_machines/7/discs/3", "purge=true", ""},
		"group": {func(ctx context.Context, c *cloudserver.Client) error {
			return result(c.Group(ctx, "acme", "web"))
		}, "GET", "/accounts/acme/groups/web", "view=overview", ""},
		"groups": {func(ctx context.Context, c *cloudserver.Client) error {
			return result(c.Groups(ctx, "acme"))
		}, "GET", "/accounts/acme/groups", "", ""},
		"rename group": {func(ctx context.Context, c *cloudserver.Client) error {
			return result(c.RenameGroup(ctx, "acme", "db", 7, "dbs"))
		}, "PUT", "/accounts/acme/groups/db", "", `{"name":"dbs"}`},
		"delete group": {func(ctx context.Context, c *cloudserver.Client) error {
			return c.DeleteGroup(ctx, "acme", "dbs")
		}, "DELETE", "/accounts/acme/groups/dbs", "", ""},
		"account": {func(ctx context.Context, c *cloudserver.Client) error {
			return result(c.Account(ctx, "acme"))
		}, "GET", "/accounts/acme", "view=overview", ""},
		"accounts": {func(ctx context.Context, c *cloudserver.Client) error {
			return result(c.Accounts(ctx))
		}, "GET", "/accounts", "", ""},
		"address": {func(ctx context.Context, c *cloudserver.Client) error {
			return result(c.IP(ctx, "2001:db8::7"))
		}, "GET", "/ips/2001:db8::7", "", ""},
		"reverse name": {func(ctx context.Context, c *cloudserver.Client) error {
			return c.SetRDNS(ctx, "192.0.2.1", "web1.example.com")
		}, "PUT", "/ips/192.0.2.1", "", `{"rdns":"web1.example.com"}`},
		"escaped": {func(ctx context.Context, c *cloudserver.Client) error {
			return c.DeleteGroup(ctx, "a b", "...")
		}, "DELETE", "/accounts/a%20b/groups/...", "", ""},
		"escaped too": {func(ctx context.Context, c *cloudserver.Client) error {
			return result(c.VirtualMachineByName(ctx, "x", "a b&c=d%", "é", cloudserver.IncludeDeleted))
		}, "GET", "/accounts/x/groups/a%20b&c=d%25/virtual_machines/%C3%A9", "include_deleted=true&view=overview", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service := serve(answer(200, `{"id":7,"virtual_machine":{"id":7}}`))
			if err := test.do(t.Context(), newClient(t, service)); err != nil {
				t.Fatal(err)
			}
			got := service.journal()[0]
			if got.method != test.method || got.path != "/base"+test.path || got.query != test.query || got.body != test.body {
				t.Errorf("got  %s %s?%s %s\nwant %s /base%s?%s %s", got.method, got.path, got.query, got.body, test.method, test.path, test.query, test.body)
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

func TestEmptyNamesAreNotSent(t *testing.T) {
	t.Parallel()
	service := serve(healthy)
	client := newClient(t, service)
	_, err := client.VirtualMachineByName(t.Context(), "acme", "", "web1")
	if err == nil || err.Error() != `GET: the name or id after "groups" is empty` || len(service.journal()) != 0 {
		t.Errorf("got %v after %d requests", err, len(service.journal()))
	}
}

func TestNotDescribed(t *testing.T) {
	t.Parallel()
	client := newClient(t, serve(answer(202, "")))
	if _, err := client.VirtualMachine(t.Context(), 7); !errors.Is(err, cloudserver.ErrNotDescribed) {
		t.Errorf("by id: %v", err)
	}
	if _, err := client.VirtualMachineByName(t.Context(), "a", "g", "n"); !errors.Is(err, cloudserver.ErrNotDescribed) {
		t.Errorf("by name: %v", err)
	}
}
