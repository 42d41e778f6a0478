package acctest_test

import (
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// Ids in the documented answers.
const (
	documentedVM    = 346
	documentedDisc  = 679
	documentedGroup = 12
)

const (
	documentedMachine = `"type":"application/vnd.example.virtual-machine","autoreboot_on":true,"cdrom_url":null,"cores":1,` +
		`"group_id":12,"id":346,"management_address":"198.51.100.8","memory":1024,"name":"web1","power_on":true,"keymap":null,"deleted":false,` +
		`"hostname":"web1.default.demo.cluster.example","head":"head-york-1","hardware_profile":"virtio2013","hardware_profile_locked":false,` +
		`"zone_name":"york","last_imaged_with":"bookworm"`
	documentedOverview = `{` + documentedMachine + `,"discs":[` + documentedDiscAnswer + `],"network_interfaces":[{"id":5,"label":null,` +
		`"mac":"52:54:00:00:00:05","vlan_num":101,"ips":["198.51.100.9","2001:db8::9"],"extra_ips":{},"virtual_machine_id":346}]}`
	documentedDiscAnswer = `{"type":"application/vnd.example.disc","id":679,"label":"vda","size":25600,"storage_grade":"sata","virtual_machine_id":346,"storage_pool":"tier1-sata","backup_count":0,"backup_schedules":[],"backups_enabled":false}`
	inDefault            = "/accounts/demo/groups/default"
)

func understoodMachine(more func(*cloudserver.VirtualMachine)) *cloudserver.VirtualMachine {
	vm := &cloudserver.VirtualMachine{
		ID: documentedVM, GroupID: documentedGroup, Name: "web1",
		Hostname: new("web1.default.demo.cluster.example"), ManagementAddress: new("198.51.100.8"), HardwareProfile: new("virtio2013"),
		Head: new("head-york-1"), ZoneName: new("york"), LastImagedWith: new("bookworm"),
		Cores: new(int64(1)), Memory: new(int64(1024)), PowerOn: new(true), AutorebootOn: new(true), HardwareProfileLocked: new(false),
	}
	if more != nil {
		more(vm)
	}
	return vm
}

func withOverview(vm *cloudserver.VirtualMachine) {
	vm.Discs = []cloudserver.Disc{understoodDisc()}
	vm.NetworkInterfaces = []cloudserver.NetworkInterface{{
		ID: 5, MAC: new("52:54:00:00:00:05"), VLANNum: new(int64(101)), IPs: []string{"198.51.100.9", "2001:db8::9"}, ExtraIPs: map[string]string{},
	}}
}

func understoodDisc() cloudserver.Disc {
	return cloudserver.Disc{
		ID: documentedDisc, Label: "vda", Size: 25600, StorageGrade: "sata", StoragePool: "tier1-sata", VirtualMachineID: documentedVM,
		BackupCount: new(int64(0)), BackupsEnabled: new(false), BackupSchedules: []cloudserver.BackupSchedule{},
	}
}

func off(e *emulator.Emulator, id int64) {
	_ = e.Change(id, func(m *emulator.Machine) { m.PowerOn = false })
}

// contract is API.md as exchanges.
func contract() []document {
	ref := cloudserver.Ref{Account: "demo", Group: "default", ID: documentedVM}
	return []document{
		{
			name:    "API.md §7 vm_create",
			request: "POST " + inDefault + "/vm_create",
			body: `{"virtual_machine":{"name":"web2","cores":1,"memory":1024,"hardware_profile":"virtio2013","power_on":true,"cdrom_url":"https://iso.example/a.iso",` +
				`"zone_name":"york","autoreboot_on":true,"hardware_profile_locked":false,"keymap":"de"},` +
				`"discs":[{"label":"vda","size":25600,"storage_grade":"sata"}],` +
				`"reimage":{"distribution":"bookworm","root_password":"not-a-real-password","ssh_public_key":"ssh-ed25519 AAAA","firstboot_script":"#!/bin/sh\n"}}`,
			status: 202,
			answer: `{"virtual_machine":{"type":"application/vnd.example.virtual-machine","autoreboot_on":true,"cdrom_url":"https://iso.example/a.iso","cores":1,"group_id":12,"id":346,` +
				`"management_address":"198.51.100.8","memory":1024,"name":"web1","power_on":false,"keymap":"de","deleted":false,"hostname":"web1.default.demo.cluster.example","head":null,` +
				`"hardware_profile":"virtio2013","hardware_profile_locked":false,"zone_name":"york","last_imaged_with":null},` +
				`"discs":[` + documentedDiscAnswer + `],"reimage":{"distribution":"bookworm","root_password":"not-a-real-password"}}`,
			call: func(t *testing.T, c *cloudserver.Client) (any, error) {
				return c.CreateVirtualMachine(t.Context(), "demo", "default", cloudserver.VirtualMachineCreate{
					VirtualMachine: cloudserver.VirtualMachineSpec{Name: "web2", ZoneName: new("york"), Settings: cloudserver.Settings{Cores: new(int64(1)), Memory: new(int64(1024)), HardwareProfile: new("virtio2013"), PowerOn: new(true), CDROMURL: &cloudserver.Nullable{Value: new("https://iso.example/a.iso")}, AutorebootOn: new(true), HardwareProfileLocked: new(false), Keymap: &cloudserver.Nullable{Value: new("de")}}},
					Discs:          []cloudserver.DiscSpec{{Label: "vda", Size: 25600, StorageGrade: "sata"}},
					Reimage:        &cloudserver.Reimage{Distribution: "bookworm", RootPassword: "not-a-real-password", SSHPublicKey: "ssh-ed25519 AAAA", FirstbootScript: "#!/bin/sh\n"},
				})
			},
			understood: understoodMachine(func(vm *cloudserver.VirtualMachine) {
				vm.PowerOn, vm.Head, vm.LastImagedWith, vm.Keymap, vm.CDROMURL = new(false), nil, nil, new("de"), new("https://iso.example/a.iso")
				vm.Discs = []cloudserver.Disc{understoodDisc()}
			}),
		},
		{
			name: "API.md §3 one machine by its id", request: "GET /virtual_machines/{vm}?view=overview", status: 200, answer: documentedOverview,
			call: func(t *testing.T, c *cloudserver.Client) (any, error) {
				return c.VirtualMachine(t.Context(), documentedVM)
			},
			understood: understoodMachine(withOverview),
		},
		{
			name: "API.md §3 one machine by its name", request: "GET " + inDefault + "/virtual_machines/web1?view=overview", status: 200, answer: documentedOverview,
			call: func(t *testing.T, c *cloudserver.Client) (any, error) {
				return c.VirtualMachineByName(t.Context(), "demo", "default", "web1")
			},
			understood: understoodMachine(withOverview),
		},
		{
			name: "API.md §3 the machines of a group", request: "GET " + inDefault + "/virtual_machines?view=overview", status: 200, answer: `[` + documentedOverview + `]`,
			call: func(t *testing.T, c *cloudserver.Client) (any, error) {
				return c.VirtualMachines(t.Context(), "demo", "default")
			},
			understood: []cloudserver.VirtualMachine{*understoodMachine(withOverview)},
		},
		{
			name: "API.md §3 update", request: "PUT " + inDefault + "/virtual_machines/{vm}",
			body: `{"name":"web1","cdrom_url":null,"autoreboot_on":true}`, status: 200, answer: `{` + documentedMachine + `}`,
			call: func(t *testing.T, c *cloudserver.Client) (any, error) {
				return c.UpdateVirtualMachine(t.Context(), ref, cloudserver.VirtualMachineUpdate{Name: new("web1"), Settings: cloudserver.Settings{CDROMURL: &cloudserver.Nullable{}, AutorebootOn: new(true)}})
			},
			understood: understoodMachine(nil),
		},
		{
			name: "API.md §3 signal", request: "POST " + inDefault + "/virtual_machines/{vm}/signal",
			body: `{"signal":"sendkey","data":"ctrl-alt-delete"}`, status: 200, answer: `{"signal":"sendkey"}`,
			call: func(t *testing.T, c *cloudserver.Client) (any, error) {
				return nil, c.Signal(t.Context(), ref, "sendkey", "ctrl-alt-delete")
			},
		},
		{
			name: "API.md §3 reimage", request: "POST " + inDefault + "/virtual_machines/{vm}/reimage", beforeEmulation: off,
			body: `{"distribution":"noble","root_password":"not-a-real-password"}`, status: 200, answer: `{"distribution":"noble","root_password":"not-a-real-password"}`,
			call: func(t *testing.T, c *cloudserver.Client) (any, error) {
				return nil, c.ReimageVirtualMachine(t.Context(), ref, cloudserver.Reimage{Distribution: "noble", RootPassword: "not-a-real-password"})
			},
		},
		{
			name: "API.md §4 add a disc", request: "POST " + inDefault + "/virtual_machines/{vm}/discs",
			body: `{"label":"vdb","size":25600,"storage_grade":"sata"}`, status: 201, answer: documentedDiscAnswer,
			call: func(t *testing.T, c *cloudserver.Client) (any, error) {
				return c.AddDisc(t.Context(), ref, cloudserver.DiscSpec{Label: "vdb", Size: 25600, StorageGrade: "sata"})
			},
			understood: new(understoodDisc()),
		},
		{
			name: "API.md §4 grow and rename a disc", request: "PUT " + inDefault + "/virtual_machines/{vm}/discs/{disc}",
			body: `{"size":51200,"label":"data"}`, status: 200, answer: documentedDiscAnswer,
			call: func(t *testing.T, c *cloudserver.Client) (any, error) {
				return c.UpdateDisc(t.Context(), ref, documentedDisc, cloudserver.DiscUpdate{Size: new(int64(51200)), Label: new("data")})
			},
			understood: new(understoodDisc()),
		},
		{
			name: "API.md §5 a group", request: "GET " + inDefault, status: 200, answer: `{"type":"application/vnd.example.group","id":12,"name":"default","account_id":3}`,
			call: func(t *testing.T, c *cloudserver.Client) (any, error) {
				return c.Group(t.Context(), "demo", "default")
			},
			understood: &cloudserver.Group{ID: documentedGroup, AccountID: 3, Name: "default"},
		},
		{
			name: "API.md §5 a new group", request: "POST /accounts/demo/groups", body: `{"name":"blue"}`, status: 201,
			answer: `{"type":"application/vnd.example.group","id":12,"name":"blue","account_id":3}`,
			call: func(t *testing.T, c *cloudserver.Client) (any, error) {
				return c.CreateGroup(t.Context(), "demo", "blue", nil)
			},
			understood: &cloudserver.Group{ID: documentedGroup, AccountID: 3, Name: "blue"},
		},
		{
			name: "API.md §5 an account", request: "GET /accounts/demo", status: 200, answer: `{"type":"application/vnd.example.account","id":3,"name":"demo","suspended":false}`,
			call: func(t *testing.T, c *cloudserver.Client) (any, error) {
				return c.Account(t.Context(), "demo")
			},
			understood: &cloudserver.Account{ID: 3, Name: "demo"},
		},
		{
			name: "API.md §2 a session", request: "GET /session/" + emulator.DemoAPIKey, status: 200,
			answer: `{"username":"demo","factors":["password"],"group_memberships":[]}`,
			call: func(t *testing.T, c *cloudserver.Client) (any, error) {
				return nil, c.CheckSession(t.Context(), emulator.DemoAPIKey)
			},
		},
	}
}
