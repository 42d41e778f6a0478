package e2e_test

import (
	"fmt"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// third are mistakes of a third round, with everything that a user can write.
func third() []mistake {
	block := func(kind, name, lines string) string {
		return fmt.Sprintf("%s \"cloudserver_%s\" \"it\" {\n%s}", kind, name, indent(lines))
	}
	config := func(kind, name, lines string) string { return block(kind, name, "config {\n"+indent(lines)+"}") }
	power := func(state string) string {
		return config("action", "vm_power", "virtual_machine_id = \"1004\"\nstate              = \""+state+"\"")
	}
	schedule := func(disc, start, more string) string {
		return block("resource", "backup_schedule", "virtual_machine_id = \"1004\"\ndisc_id            = \""+disc+"\"\nstart_at           = \""+start+"\"\ninterval_seconds   = 604800\n"+more)
	}
	const start = "2000-01-09 04:00:00"
	name := func(address, hostname string) string {
		return block("resource", "rdns", fmt.Sprintf("address  = %q\nhostname = %q", address, hostname))
	}
	function := func(text string) string {
		return fmt.Sprintf("output \"megabytes\" {\n  value = provider::cloudserver::megabytes(%q)\n}", text)
	}
	imported := func(noun, id string) string {
		return fmt.Sprintf("import {\n  to = cloudserver_%s.it\n  id = %q\n}", noun, id)
	}
	web := func(e *acctest.Emulator, _ int64) {
		e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{
			Name: "web1", PowerOn: true, Discs: []emulator.Disc{{Label: "vda", Size: 25600}, {Label: "data", Size: 1024}},
			Interfaces: []emulator.Interface{{MAC: "52:54:00:00:00:01", IPs: []string{"198.51.100.2"}}},
		})
	}
	return []mistake{
		{title: "A token with a space in it", config: settings(`token = "apikey. demo"`) + vm("")},
		{title: "A group of the provider by its ID", config: settings(`group = "1002"`) + vm("")},
		{title: "An account of the provider by its ID", config: settings(`account = "1001"`) + vm("")},
		{title: "An account with its group, for the provider", config: settings(`account = "demo/default"`)},
		{title: "Very many retries", config: settings(`max_retries = 1000`)},
		{title: "A session of half a minute", config: settings("token            = null\nusername         = \"demo\"\npassword         = \"demo\"\nsession_validity = \"30s\"")},
		{title: "No machine may be unavailable, in the environment", env: map[string]string{"CLOUDSERVER_MAX_UNAVAILABLE": "0"}, config: `provider "cloudserver" {}`},

		{title: "A disc whose label is null", config: bare("name = \"web1\"\ndisc {\n  label = null\n  size  = 25600\n}")},
		{title: "An ID of one's own", config: vm(`id = "web1"`)},
		{title: "A machine in an account by its ID", config: vm(`account = "1001"`)},
		{title: "A wait of five somethings", config: vm("ready {\n  port    = 22\n  timeout = \"5\"\n}")},
		{title: "HTTPS without a path", config: vm("ready {\n  port  = 443\n  https = true\n}")},
		{title: "A certificate for plain HTTP", config: vm("ready {\n  port           = 80\n  http_path      = \"/\"\n  ca_certificate = \"ca.pem\"\n}")},
		{title: "A URL as host of a health check", config: vm("ready {\n  port      = 80\n  http_path = \"/\"\n  http_host = \"https://www.example.com\"\n}")},
		{title: "Garbage as second public key", config: imageOf(`ssh_public_key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f\ngarbage"`)},
		{title: "A distribution with a space", config: vm("reimage {\n  distribution  = \"bookworm \"\n  root_password = \"made-up\"\n}")},
		{title: "A hardware profile in capital letters", config: vm(`hardware_profile = "VIRTIO2013"`)},
		{title: "A locale as keymap", config: vm(`keymap = "en_GB"`)},
		{title: "A CD with a line break", config: vm(`cdrom_url = "https://example.com/debian.iso\n"`)},
		{title: "An ID of a group with a space", config: vm(`group_id = " 1002"`)},
		{title: "Any address", config: vm("group = \"private\"\nips {\n  ipv4 = \"0.0.0.0\"\n}"), do: "applied"},
		{title: "An empty revision", config: vm("reimage {\n  distribution  = \"bookworm\"\n  root_password = \"made-up\"\n  revision      = \"\"\n}")},
		{title: "Renamed to digits", had: vm(""), config: bare("name = \"2026\"\n" + disc)},
		{title: "Names that differ by case", config: vm("") + "\n" + block("resource", "vm", "name = \"WEB1\"\n"+disc)},

		{title: "A group renamed to one that exists", had: block("resource", "group", `name = "green"`), config: block("resource", "group", `name = "private"`), do: "applied"},
		{title: "A group with a space at its end", config: block("resource", "group", `name = "web "`), do: "applied"},
		{title: "A group in a suspended account", config: block("resource", "group", "name    = \"web\"\naccount = \"acme\""), world: func(e *acctest.Emulator, _ int64) { e.AddAccount("acme", true) }, do: "applied"},
		{title: "A reverse name of one label", config: name("198.51.100.2", "www"), world: web, do: "applied"},
		{title: "A reverse name with a long label", config: name("198.51.100.2", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.example.com"), world: web},
		{title: "A private address", config: name("192.168.0.1", "www.example.com"), world: web, do: "applied"},
		{title: "A schedule that starts at 25 o'clock", config: schedule("1005", "2000-01-09 25:00:00", ""), world: web},
		{title: "A schedule that starts on a day", config: schedule("1005", "2000-01-09", ""), world: web},
		{title: "A schedule of a disc with the machine's ID", config: schedule("1004", start, ""), world: web, do: "applied"},
		{title: "A schedule that keeps a million", config: schedule("1005", start, "capacity           = 1000000"), world: web, do: "applied"},
		{title: "A schedule that starts now", config: schedule("1005", "2000-01-01 00:59:59", ""), world: web},

		{title: "A zone that does not exist, as filter", config: block("data", "vms", `zone_name = "yrok"`), world: web},
		{title: "A profile with a typo, as filter", config: config("list", "vm", `hardware_profile = "virtio2031"`), world: web},
		{title: "A pattern of nothing", config: config("list", "rdns", `name_pattern = ""`), world: web},
		{title: "A group that does not exist, as filter", config: config("list", "backup_schedule", `group = "prvate"`), world: web},
		{title: "A look-up by an empty name", config: block("data", "group", `name = ""`)},
		{title: "An account by its name as ID", config: block("data", "account", `id = "demo"`)},
		{title: "The backups of another machine's disc", config: block("data", "backups", "virtual_machine_id = \"1004\"\ndisc_id            = \"4711\""), world: web},
		{title: "The reverse name of somebody's address", config: block("data", "rdns", `address = "203.0.113.99"`)},
		{title: "A machine by an ID with a space", config: block("data", "vm", `id = " 1004"`), world: web},

		{title: "Power in other words", config: power("off"), world: web},
		{title: "Power of nothing", config: power(""), world: web},
		{title: "A restart of a machine that is off", config: power("restart"), world: func(e *acctest.Emulator, _ int64) {
			e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "web1", Discs: []emulator.Disc{{Label: "vda", Size: 25600}}})
		}},
		{title: "Keys as signal", config: config("action", "vm_signal", "virtual_machine_id = \"1004\"\nsignal             = \"ctrl-alt-delete\""), world: web},
		{title: "A size of two commas", config: function("1,234,567MiB")},
		{title: "A disc moved to a machine that does not exist", config: config("action", "disc_move", "virtual_machine_id = \"1004\"\ndisc_id            = \"1006\"\nto                 = \"4711\""), world: web},
		{title: "A disc moved to the ID of a group", config: config("action", "disc_move", "virtual_machine_id = \"1004\"\ndisc_id            = \"1006\"\nto                 = \"default\""), world: web},
		{title: "An image with a typo, in an action", config: config("action", "vm_reimage", "virtual_machine_id = \"1004\"\ndistribution       = \"bokworm\""), world: web},
		{title: "An action without time", config: config("action", "vm_power", "virtual_machine_id = \"1004\"\nstate              = \"stop\"\ntimeouts {\n  invoke = \"0s\"\n}"), world: web},
		{title: "An undelete of a group", config: config("action", "vm_undelete", `virtual_machine_id = "1002"`)},
		{title: "A restore that is not confirmed", config: config("action", "disc_restore", "virtual_machine_id = \"1004\"\ndisc_id            = \"1005\"\nbackup_id          = \"1\"\nconfirm            = false"), world: web},

		{title: "An import by an ID with a space", config: imported("vm", " 1004"), world: web},
		{title: "An import by an ID with a comma", config: imported("vm", "1,004"), world: web},
		{title: "An import with colons", config: imported("vm", "demo:default:web1"), world: web},
		{title: "An import of the ID of a group as machine", config: imported("vm", "1002"), world: web},
		{title: "An import of the ID of a machine as group", config: imported("group", "1004"), world: web},
		{title: "An import of a schedule without its machine", config: imported("backup_schedule", "1005/1010"), world: web},
		{title: "An import of a reverse name by the name", config: imported("rdns", "www.example.com")},
		{title: "An import of an address with its length", config: imported("rdns", "198.51.100.2/32"), world: web},

		{title: "A size with a comma", config: function("1,5GiB")},
		{title: "A size in another language", config: function("25 Go")},
		{title: "A size that is too large", config: function("99999999999999TiB")},
		{title: "A size without a unit", config: function("25600")},
	}
}
