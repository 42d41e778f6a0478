package e2e_test

import (
	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// numbers are mistakes with numbers.
func numbers() []mistake {
	return []mistake{
		{title: "Memory in bytes, and too many of them", config: vm("memory = 18446744073709551616")},
		{title: "A disc of half a megabyte", config: bare("name = \"web1\"\ndisc {\n  label = \"vda\"\n  size  = 0.5\n}")},
		{title: "Half a retry", config: settings("max_retries = 0.5")},
		{title: "A port with a fraction", config: vm("ready {\n  port = 22.5\n}")},
	}
}

// meant are inputs that are valid but probably mistakes, and secrets with the line break of a file.
func meant() []mistake {
	schedule := func(lines string) string {
		return "resource \"cloudserver_backup_schedule\" \"weekly\" {\n" + indent("virtual_machine_id = \"1004\"\ndisc_id            = \"1005\"\n"+lines) + "}"
	}
	const often, weekly = "start_at           = \"2000-01-02 04:00:00\"\ninterval_seconds   = 60", "start_at           = \"2000-01-02 04:00:00\"\ninterval_seconds   = 604800"
	web := func(e *acctest.Emulator, _ int64) {
		e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{
			Name: "web1", Discs: []emulator.Disc{{Label: "vda", Size: 25600, Backups: &emulator.Backups{Schedules: []emulator.BackupSchedule{
				{ID: 1010, StartAt: "2000-01-02 04:00:00", IntervalSeconds: 604800, Capacity: 1},
			}}}},
		})
	}
	return []mistake{
		{title: "A backup every minute", config: schedule(often), world: web},
		{title: "A first backup in ten years", config: schedule("start_at           = \"2010-01-03 04:00:00\"\ninterval_seconds   = 604800"), world: web},
		{title: "A second schedule of the same times", config: schedule(weekly), world: web},
		{title: "Memory in bytes", config: vm("memory = 4294967296")},
		{title: "A disc in bytes", config: bare("name = \"web1\"\ndisc {\n  label = \"vda\"\n  size  = 26843545600\n}")},
		{title: "A root password with a line break", config: vm("reimage {\n  distribution  = \"bookworm\"\n  root_password = \"made-up\\n\"\n}")},
		{title: "A password with a line break", config: settings("token    = null\nusername = \"demo\"\npassword = \"demo\\n\"")},
		{title: "Garbage as public key", config: imageOf(`ssh_public_key = "garbage"`)},
		{title: "A type without its key", config: imageOf(`ssh_public_key = "ssh-ed25519"`)},
		{title: "A public key of another program", config: imageOf(`ssh_public_key = "---- BEGIN SSH2 PUBLIC KEY ----\nAAAA"`)},
		{title: "A byte-order mark alone", config: imageOf(`ssh_public_key = "\ufeff"`)},
		{title: "A byte-order mark before the key", config: imageOf(`ssh_public_key = "\ufeffssh-ed25519 AAAA me@example.com"`)},
		{title: "Garbage as public key of an action", config: "action \"cloudserver_vm_reimage\" \"clean\" {\n  config {\n    virtual_machine_id = \"1004\"\n    distribution       = \"bookworm\"\n    ssh_public_key     = \"garbage\"\n  }\n}", world: web},
		{title: "A regular expression as pattern", config: "data \"cloudserver_vms\" \"web\" {\n  name_pattern = \"^web[0-9]+$\"\n}"},
		{title: "A dot before the asterisk", config: "data \"cloudserver_vms\" \"web\" {\n  name_pattern = \"web.*\"\n}"},
	}
}
