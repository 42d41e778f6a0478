package e2e_test

import (
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

const disc = `
disc {
  label = "vda"
  size  = 25600
}`

// vm returns a machine with a disc and further lines.
func vm(lines string) string {
	return bare("name = \"web1\"\n" + lines + "\n" + disc)
}

// bare returns a machine with these lines only.
func bare(lines string) string {
	return "resource \"cloudserver_vm\" \"web\" {\n" + indent(lines) + "}"
}

func indent(lines string) string {
	lines = strings.TrimSpace(lines)
	if lines == "" {
		return ""
	}
	return strings.ReplaceAll("  "+strings.ReplaceAll(lines, "\n", "\n  ")+"\n", "\n  \n", "\n\n")
}

func imageOf(lines string) string {
	return vm("reimage {\n  distribution  = \"bookworm\"\n  root_password = \"made-up\"\n" + indent(lines) + "}")
}

func validated() []mistake {
	return []mistake{
		{title: "An empty name", config: bare(`name = ""` + "\n" + disc)},
		{title: "A name that the service does not accept", config: bare(`name = "Web_1 foo"` + "\n" + disc), do: "applied"},
		{title: "A name that is too short", config: bare(`name = "db"` + "\n" + disc), do: "applied"},
		{title: "A name with a slash", config: bare(`name = "web/1"` + "\n" + disc)},
		{title: "A name of digits", config: bare(`name = "2026"` + "\n" + disc)},
		{title: "Two discs with one label", config: vm("disc {\n  label = \"vda\"\n  size  = 51200\n}")},
		{title: "A disc without a size", config: bare("name = \"web1\"\ndisc {\n  label = \"vda\"\n  size  = 0\n}")},
		{title: "A disc in gigabytes", config: bare("name = \"web1\"\ndisc {\n  label = \"vda\"\n  size  = 25\n}")},
		{title: "Memory in gigabytes", config: vm("memory = 4")},
		{title: "No disc", config: bare(`name = "web1"`)},
		{title: "An address that is not one", config: vm("group = \"private\"\nips {\n  ipv4 = \"192.0.2.300\"\n}")},
		{title: "An address with a prefix length", config: vm("group = \"private\"\nips {\n  ipv4 = \"192.0.2.10/24\"\n}")},
		{title: "Off, and started by the service", config: vm("power_on      = false\nautoreboot_on = true")},
		{title: "A name as ID of the group", config: vm(`group_id = "production"`)},
		{title: "An image without a distribution", config: vm("reimage {\n  root_password = \"made-up\"\n}")},
		{title: "Another on_change", config: imageOf(`on_change = "rebuild"`)},
		{title: "cloud-config as first boot script", config: imageOf(`firstboot_script = "#cloud-config\npackages: [nginx]\n"`)},
		{title: "An image that nobody can log in to", config: vm("reimage {\n  distribution = \"bookworm\"\n}")},
		{title: "A private key as public key", config: imageOf(`ssh_public_key = "-----BEGIN OPENSSH PRIVATE KEY-----"`)},
		{title: "A port of 0", config: vm("ready {\n  port = 0\n}")},
		{title: "A health check without a slash", config: vm("ready {\n  port      = 8080\n  http_path = \"health\"\n}")},
		{title: "A status that is no range", config: vm("ready {\n  port        = 8080\n  http_path   = \"/health\"\n  http_status = \"2xx\"\n}")},
		{title: "A host key that is not one", config: vm("ready {\n  port         = 22\n  ssh_host_key = \"SHA256:D5LWrC5IeYHBsuRwX2cghrj1yh2695Ff9CDNMqAOr+Q\"\n}")},
		{title: "A check over HTTP and over SSH", config: vm("ready {\n  port         = 22\n  http_path    = \"/health\"\n  ssh_host_key = \"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f\"\n}")},
		{title: "An address with a scheme to connect to", config: vm("ready {\n  port = 443\n  host = \"https://web1.example.com\"\n}")},
		{title: "A timeout of nothing", config: vm("timeouts {\n  create = \"0s\"\n}")},
	}
}

func planned() []mistake {
	return []mistake{
		{title: "A distribution by its usual name", config: vm("reimage {\n  distribution  = \"debian-12\"\n  root_password = \"made-up\"\n}")},
		{title: "A misspelt distribution", config: vm("reimage {\n  distribution  = \"bokworm\"\n  root_password = \"made-up\"\n}")},
		{title: "An unknown storage grade", config: bare("name = \"web1\"\ndisc {\n  label         = \"vda\"\n  size          = 25600\n  storage_grade = \"nvme\"\n}")},
		{title: "An unknown zone", config: vm(`zone_name = "yrok"`)},
		{title: "A hardware profile that is not listed", config: vm(`hardware_profile = "virtio2014"`)},
		{title: "Two groups, by name and by ID", config: vm("group    = \"private\"\ngroup_id = \"1002\"")},
		{title: "A group that does not exist", config: vm(`group = "prodution"`)},
	}
}

func names() []mistake {
	taken := func(e *acctest.Emulator, _ int64) {
		e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "web1"})
	}
	deleted := func(e *acctest.Emulator, _ int64) {
		e.SoftDelete(e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "web1"}))
	}
	return []mistake{
		{title: "The same name twice", config: machine + "\n" + strings.Replace(machine, `"web" {`, `"copy" {`, 1)},
		{title: "A name that another machine has", config: machine, world: taken},
		{title: "A name that another machine has, applied all the same", config: machine, do: "applied", world: taken},
		{title: "A name that a soft-deleted machine has", config: machine, do: "applied", world: deleted},
	}
}

func imports() []mistake {
	legacy := func(e *acctest.Emulator, _ int64) {
		e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{
			Name: "legacy1", PowerOn: true, Discs: []emulator.Disc{{Label: "vda", Size: 25600, StorageGrade: "sata"}, {Label: "data", Size: 51200, StorageGrade: "archive"}},
		})
	}
	swapped := func(e *acctest.Emulator, _ int64) {
		e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{
			Name: "legacy1", PowerOn: true, Discs: []emulator.Disc{{Label: "data", Size: 25600, StorageGrade: "sata"}, {Label: "vda", Size: 51200, StorageGrade: "archive"}},
		})
	}
	block := func(id string) string {
		return "import {\n  to = cloudserver_vm.legacy\n  id = \"" + id + "\"\n}"
	}
	return []mistake{
		{title: "An ID of no known form", config: block("legacy1")},
		{title: "A name that does not exist", config: block("default/legcy1"), world: legacy},
		{title: "A number that does not exist", config: block("4711"), world: legacy},
		{title: "A soft-deleted machine", config: block("1004"), world: func(e *acctest.Emulator, id int64) {
			legacy(e, id)
			e.SoftDelete(1004)
		}},
		{title: "An import without disc blocks", config: block("default/legacy1") + "\n\n" + "resource \"cloudserver_vm\" \"legacy\" {\n  name = \"legacy1\"\n}", world: legacy},
		{title: "An import with swapped disc labels", world: swapped, config: block("default/legacy1") + "\n\nresource \"cloudserver_vm\" \"legacy\" {\n  name = \"legacy1\"\n\n  disc {\n    label = \"vda\"\n    size  = 25600\n  }\n\n  disc {\n    label = \"data\"\n    size  = 51200\n  }\n}"},
	}
}
