package e2e_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

const second = "disc {\n  label         = \"data\"\n  size          = 51200\n  storage_grade = \"archive\"\n}"

func changed() []mistake {
	two := strings.TrimSuffix(vm(""), "}") + "\n  " + strings.ReplaceAll(second, "\n", "\n  ") + "\n}"
	with := func(config, from, to string) string {
		if !strings.Contains(config, from) {
			panic("the configuration has no " + from)
		}
		return strings.Replace(config, from, to, 1)
	}
	protected := func(config string) string {
		return with(config, "  name = \"web1\"\n", "  name = \"web1\"\n  deletion_protection = true\n")
	}
	deaf := func(cores int) string {
		return vm(fmt.Sprintf("cores                     = %d\nallow_stopping_for_update = true\nready {\n  port = 22\n}", cores))
	}
	checked := func(cores int) string {
		return vm(fmt.Sprintf("cores                     = %d\nallow_stopping_for_update = true\nready {\n  port      = 8080\n  http_path = \"/health\"\n}", cores))
	}
	return []mistake{
		{title: "A smaller disc", had: two, config: with(two, "51200", "10240")},
		{title: "Another grade", had: two, config: with(two, `"archive"`, `"ssd"`)},
		{title: "Another boot disc", had: two, config: bare("name = \"web1\"\n" + second + "\n" + disc)},
		{title: "A disc removed", had: two, config: vm("")},
		{title: "A disc removed from a protected machine", had: protected(two), config: protected(vm(""))},
		{title: "A disc that was moved to another machine", had: two, config: two, world: func(e *acctest.Emulator, id int64) {
			other := e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "web2"})
			_ = e.Change(id, func(m *emulator.Machine) { m.PowerOn, m.AutorebootOn = false, false })
			_ = e.MoveDisc(id, "data", other)
		}},
		{title: "A disc that somebody else attached", had: vm(""), config: vm(""), world: func(e *acctest.Emulator, id int64) {
			e.AddDisc(id, emulator.Disc{Label: "scratch", Size: 10240, StorageGrade: "sata"})
		}},
		{title: "Another distribution", had: imageOf(""), config: with(imageOf(""), "bookworm", "trixie")},
		{title: "Another distribution, in place", had: imageOf(`on_change = "reimage"`), config: with(imageOf(`on_change = "reimage"`), "bookworm", "trixie")},
		{title: "In place, on a protected machine", had: protected(imageOf(`on_change = "reimage"`)), config: protected(with(imageOf(`on_change = "reimage"`), "bookworm", "trixie"))},
		{title: "Another key", had: imageOf(`ssh_public_key = "ssh-ed25519 AAAA"`), config: imageOf(`ssh_public_key = "ssh-ed25519 BBBB"`)},
		{title: "More cores", had: vm("cores = 1"), config: vm("cores = 2")},
		{title: "More cores, with permission", had: vm("cores = 1"), config: vm("cores = 2\nallow_stopping_for_update = true")},
		{title: "Another zone", had: vm("zone_name = \"york\"\npurge_on_destroy = false"), config: vm("zone_name = \"manchester\"\npurge_on_destroy = false")},
		{title: "Destroying a protected machine", had: protected(vm("")), do: "destroyed"},
		{title: "Replacing a protected machine", had: protected(vm("")), config: protected(vm("")), do: "replaced with -replace"},
		{title: "An action on a protected machine", had: protected(vm("")), config: "action \"cloudserver_vm_reimage\" \"clean\" {\n  config {\n    virtual_machine_id = \"1004\"\n    distribution       = \"bookworm\"\n    ssh_public_key     = \"ssh-ed25519 AAAA\"\n    allow_stopping     = true\n  }\n}"},
		{title: "A machine that was soft-deleted elsewhere", had: vm(""), config: vm(""), world: func(e *acctest.Emulator, id int64) { e.SoftDelete(id) }},
		{title: "A machine that has gone off", had: vm(""), config: vm(""), world: func(e *acctest.Emulator, id int64) {
			_ = e.Change(id, func(m *emulator.Machine) { m.PowerOn, m.AutorebootOn = false, false })
		}},
		{title: "A machine that no longer answers", options: emulator.Options{Guests: true}, had: deaf(1), config: deaf(2), do: "applied", world: func(e *acctest.Emulator, id int64) { e.SetDeaf(id, true) }},
		{title: "A machine whose health check fails", options: emulator.Options{Guests: true}, had: checked(1), config: checked(2), do: "applied", world: func(e *acctest.Emulator, id int64) { e.SetHTTPStatus(id, 503) }},
		{title: "A group that does not exist, as target", had: vm(""), config: vm(`group = "prodution"`), do: "applied"},
	}
}

func applied() []mistake {
	return []mistake{
		{title: "An address that another machine has", config: vm("group = \"private\"\nips {\n  ipv4 = \"192.0.2.10\"\n}"), do: "applied", world: func(e *acctest.Emulator, _ int64) {
			e.AddMachine(emulator.DemoAccount, emulator.PrivateGroup, emulator.Machine{Name: "db1", Interfaces: []emulator.Interface{{MAC: "52:54:00:00:00:01", IPs: []string{"192.0.2.10"}}}})
		}},
		{title: "An address in a public group", config: vm("ips {\n  ipv4 = \"198.51.100.10\"\n}"), do: "applied"},
		{title: "Memory that is not offered", options: emulator.Options{Strict: true}, config: vm("cores  = 1\nmemory = 1000"), do: "applied"},
		{title: "A CD that cannot be used", config: vm(`cdrom_url = "ftp://example.com/a.iso"`), do: "applied"},
		{title: "A new machine that does not answer", options: emulator.Options{Guests: true, GuestBoot: time.Hour}, config: vm("ready {\n  port    = 22\n  timeout = \"1m\"\n}"), do: "applied"},
		{title: "A group that does not exist, at apply", config: vm(`group = "prodution"`), do: "applied"},
	}
}

func others() []mistake {
	web := func(e *acctest.Emulator, _ int64) {
		e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{
			Name: "web1", PowerOn: true, Discs: []emulator.Disc{{Label: "vda", Size: 25600}},
		})
	}
	return []mistake{
		{title: "A machine that is not found", config: "data \"cloudserver_vm\" \"db\" {\n  name = \"wbe1\"\n}", world: web},
		{title: "A group that is not found", config: "data \"cloudserver_group\" \"private\" {\n  name = \"privat\"\n}"},
		{title: "A group that is not empty", had: "resource \"cloudserver_group\" \"blue\" {\n  name = \"blue\"\n}", do: "destroyed, with a machine in it", world: func(e *acctest.Emulator, _ int64) {
			e.AddMachine(emulator.DemoAccount, "blue", emulator.Machine{Name: "web1"})
		}},
		{title: "A size that is not one", config: "output \"size\" {\n  value = provider::cloudserver::megabytes(\"4 gigs\")\n}"},
		{title: "A key that is not offered", config: "action \"cloudserver_vm_signal\" \"press\" {\n  config {\n    virtual_machine_id = \"1004\"\n    signal             = \"sendkey\"\n    key                = \"ctrl-alt-del\"\n  }\n}", world: web},
		{title: "An image on a machine that is on", config: "action \"cloudserver_vm_reimage\" \"clean\" {\n  config {\n    virtual_machine_id = \"1004\"\n    distribution       = \"bookworm\"\n    ssh_public_key     = \"ssh-ed25519 AAAA\"\n  }\n}", world: web},
		{title: "Purging a machine that is in use", config: "action \"cloudserver_vm_purge\" \"web\" {\n  config {\n    virtual_machine_id = \"1004\"\n  }\n}", world: web},
		{title: "A machine that does not exist", config: "action \"cloudserver_vm_power\" \"start\" {\n  config {\n    virtual_machine_id = \"4711\"\n    state              = \"start\"\n  }\n}"},
	}
}
