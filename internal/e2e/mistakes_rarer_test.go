package e2e_test

import (
	"net/http"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// rarer are less common mistakes, as a separate chapter.
func rarer() []mistake {
	group := func(name string) string {
		return "resource \"cloudserver_group\" \"own\" {\n  name = \"" + name + "\"\n}"
	}
	rdns := func(address, hostname string) string {
		return "resource \"cloudserver_rdns\" \"mail\" {\n  address  = \"" + address + "\"\n  hostname = \"" + hostname + "\"\n}"
	}
	schedule := func(lines string) string {
		return "resource \"cloudserver_backup_schedule\" \"weekly\" {\n" + indent(lines) + "}"
	}
	action := func(typ, lines string) string {
		return "action \"cloudserver_" + typ + "\" \"now\" {\n  config {\n  " + strings.ReplaceAll(indent(lines), "\n  ", "\n    ") + "  }\n}"
	}
	web := func(e *acctest.Emulator, _ int64) {
		e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{
			Name: "web1", PowerOn: true, Discs: []emulator.Disc{{Label: "vda", Size: 25600, StorageGrade: "sata"}},
		})
	}
	eight := ""
	for _, label := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i"} {
		eight += "disc {\n  label = \"vd" + label + "\"\n  size  = 25600\n}\n"
	}
	return []mistake{
		{title: "A token with the word Bearer", config: settings(`token = "Bearer apikey.demo"`) + machine},
		{title: "A token with a line break", config: settings(`token = "apikey.demo\n"`) + machine},
		{title: "A token in quotes", config: settings(`token = "\"apikey.demo\""`) + machine},
		{title: "A token with its variable", config: settings(`token = "CLOUDSERVER_TOKEN=apikey.demo"`) + machine},
		{title: "A masked token", config: settings(`token = "***"`) + machine},
		{title: "A token file at ~", config: settings("token      = null\ntoken_file = \"~/.config/cloudserver/token\"")},
		{title: "A certificate at ~", config: settings(`ca_certificate = "~/ca.pem"`)},
		{title: "An endpoint with a query", config: settings(`endpoint = "https://api.example.com/?version=2"`)},
		{title: "An endpoint of another scheme", config: settings(`endpoint = "ftp://api.example.com"`)},
		{title: "A negative number of retries", config: settings(`max_retries = -1`)},
		{title: "A session for a day", config: settings("token            = null\nusername         = \"demo\"\npassword         = \"demo\"\nsession_validity = \"24h\"")},
		{title: "A certificate that is not PEM", config: settings(`ca_certificate = "MIIB"`)},

		{title: "No cores", config: vm("cores = 0")},
		{title: "A fraction of a core", config: vm("cores = 1.5")},
		{title: "Nine discs", config: bare("name = \"web1\"\n" + eight)},
		{title: "A disc with a path as label", config: bare("name = \"web1\"\ndisc {\n  label = \"/dev/vda\"\n  size  = 25600\n}"), do: "applied"},
		{title: "A disc with an empty label", config: bare("name = \"web1\"\ndisc {\n  label = \"\"\n  size  = 25600\n}")},
		{title: "A grade in capital letters", config: bare("name = \"web1\"\ndisc {\n  label         = \"vda\"\n  size          = 25600\n  storage_grade = \"SSD\"\n}")},
		{title: "A distribution with a capital letter", config: vm("reimage {\n  distribution  = \"Bookworm\"\n  root_password = \"made-up\"\n}")},
		{title: "A name that is too long", config: bare("name = \"" + strings.Repeat("web", 22) + "\"\n" + disc), do: "applied"},
		{title: "A hostname as name", config: bare("name = \"web1.example.com\"\n" + disc), do: "applied"},
		{title: "A time in words", config: vm(`shutdown_timeout = "2 minutes"`)},
		{title: "A path instead of a public key", config: imageOf(`ssh_public_key = "~/.ssh/id_ed25519.pub"`)},
		{title: "A path instead of a script", config: imageOf(`firstboot_script = "firstboot.sh"`)},
		{title: "An empty root password", config: vm("reimage {\n  distribution  = \"bookworm\"\n  root_password = \"\"\n}")},
		{title: "An IPv6 address as ipv4", config: vm("group = \"private\"\nips {\n  ipv4 = \"2001:db8:1::10\"\n}")},
		{title: "An address outside the private VLAN", config: vm("group = \"private\"\nips {\n  ipv4 = \"10.0.0.5\"\n}"), do: "applied"},
		{title: "An IPv4 address as ipv6", config: vm("group = \"private\"\nips {\n  ipv6 = \"192.0.2.10\"\n}")},
		{title: "An ID with a leading zero", config: vm(`group_id = "01002"`)},
		{title: "The ID of a group as its name", config: vm(`group = "1002"`)},
		{title: "A disc of a negative size", config: bare("name = \"web1\"\ndisc {\n  label = \"vda\"\n  size  = -1\n}")},
		{title: "A disc with digits as label", config: bare("name = \"web1\"\ndisc {\n  label = \"7\"\n  size  = 25600\n}")},
		{title: "A group with its account", config: vm(`group = "demo/default"`)},
		{title: "A CD without a URL", config: vm(`cdrom_url = "debian.iso"`)},
		{title: "A CD without a host", config: vm(`cdrom_url = "https:///debian.iso"`)},
		{title: "A keymap by its name", config: vm(`keymap = "english"`), do: "applied"},

		{title: "A group with a space", config: group("Web servers"), do: "applied"},
		{title: "A group of digits", config: group("2026")},
		{title: "A group that exists", config: group("private"), do: "applied"},
		{title: "A reverse name for an address of somebody else", config: rdns("203.0.113.9", "mail.example.com"), do: "applied"},
		{title: "A reverse name that is an address", config: rdns("198.51.100.2", "198.51.100.2")},
		{title: "A hostname as address", config: rdns("mail.example.com", "mail.example.com")},
		{title: "A reverse name that the service refuses", config: rdns("198.51.100.2", "mail_1"), do: "applied", world: func(e *acctest.Emulator, _ int64) {
			e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "web1", Interfaces: []emulator.Interface{{MAC: "52:54:00:00:00:01", IPs: []string{"198.51.100.2"}}}})
		}},
		{title: "A machine in a suspended account", config: vm(`account = "frozen"`), do: "applied", world: func(e *acctest.Emulator, _ int64) {
			e.AddAccount("frozen", true)
			e.AddGroup("frozen", emulator.DefaultGroup, false)
		}},
		{title: "A machine beyond the quota", config: machine, do: "applied", world: func(e *acctest.Emulator, _ int64) {
			e.Inject(emulator.Fault{Match: func(r emulator.Request) bool { return r.Method == http.MethodPost }, Status: http.StatusForbidden, Body: "your quota of 10 machines is used up"})
		}},
		{title: "A schedule that starts in words", config: schedule("virtual_machine_id = \"1004\"\ndisc_id            = \"1005\"\nstart_at           = \"sunday 04:00\"\ninterval_seconds   = 604800"), world: web, do: "applied"},
		{title: "A schedule of a disc that the machine does not have", config: schedule("virtual_machine_id = \"1004\"\ndisc_id            = \"4711\"\nstart_at           = \"2027-01-03 04:00:00\"\ninterval_seconds   = 604800"), world: web, do: "applied"},
		{title: "A pattern that is not one", config: "data \"cloudserver_vms\" \"web\" {\n  name_pattern = \"[web\"\n}"},
		{title: "A look-up of nothing", config: "data \"cloudserver_vm\" \"web\" {\n}"},
		{title: "A look-up by two things", config: "data \"cloudserver_vm\" \"web\" {\n  id   = \"1004\"\n  name = \"web1\"\n}", world: web},
		{title: "Another state of power", config: action("vm_power", "virtual_machine_id = \"1004\"\nstate              = \"reboot\""), world: web},
		{title: "Another signal", config: action("vm_signal", "virtual_machine_id = \"1004\"\nsignal             = \"kill\""), world: web},
		{title: "A key without the signal for it", config: action("vm_signal", "virtual_machine_id = \"1004\"\nsignal             = \"reset\"\nkey                = \"ctrl-alt-delete\""), world: web},
		{title: "Undeleting a machine that is not deleted", config: action("vm_undelete", "virtual_machine_id = \"1004\""), world: web},
		{title: "A machine by its name in an action", config: action("vm_power", "virtual_machine_id = \"web1\"\nstate              = \"start\""), world: web},
		{title: "A restore without confirmation", config: action("disc_restore", "virtual_machine_id = \"1004\"\ndisc_id            = \"1005\"\nbackup_id          = \"1006\""), world: web},
		{title: "A backup that does not exist", config: action("disc_restore", "virtual_machine_id = \"1004\"\ndisc_id            = \"1005\"\nbackup_id          = \"4711\"\nconfirm            = true"), world: web},
	}
}
