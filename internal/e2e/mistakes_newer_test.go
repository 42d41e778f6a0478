package e2e_test

import (
	"fmt"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// newer are mistakes of a second round, with everything that a configuration can have.
func newer() []mistake {
	// block is a block of one resource, data source or action, without the prefix of its type.
	block := func(kind, name, lines string) string {
		return fmt.Sprintf("%s \"cloudserver_%s\" \"it\" {\n%s}", kind, name, indent(lines))
	}
	action := func(name, lines string) string { return block("action", name, "config {\n"+indent(lines)+"}") }
	schedule := func(lines string) string {
		return block("resource", "backup_schedule", "virtual_machine_id = \"1004\"\ndisc_id            = \"1005\"\n"+lines)
	}
	function := func(text string) string {
		return fmt.Sprintf("output \"megabytes\" {\n  value = provider::cloudserver::megabytes(%q)\n}", text)
	}
	web := func(e *acctest.Emulator, _ int64) {
		e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{
			Name: "web1", PowerOn: true, Discs: []emulator.Disc{{Label: "vda", Size: 25600}, {Label: "data", Size: 1024}},
			Interfaces: []emulator.Interface{{MAC: "52:54:00:00:00:01", IPs: []string{"198.51.100.2"}}},
		})
	}
	return []mistake{
		{title: "An account of spaces", config: settings(`account = " "`) + vm("")},
		{title: "A request timeout of nothing", config: settings(`request_timeout = "0s"`)},
		{title: "A number of machines in words, in the environment", env: map[string]string{"CLOUDSERVER_MAX_UNAVAILABLE": "one"}, config: `provider "cloudserver" {}`},
		{title: "A certificate that is cut off", config: settings("ca_certificate = \"-----BEGIN CERTIFICATE-----\\nMIIB\\n-----END CERTIFICATE-----\"")},
		{title: "A login address without a scheme", config: settings("token         = null\nusername      = \"demo\"\npassword      = \"demo\"\nauth_endpoint = \"auth.example.com\"")},

		{title: "A name with a space at the end", config: bare("name = \"web1 \"\n" + disc)},
		{title: "A shutdown timeout below zero", config: vm(`shutdown_timeout = "-1m"`)},
		{title: "A creation that may take for ever", config: vm("timeouts {\n  create = \"forever\"\n}")},
		{title: "A port that does not exist", config: vm("ready {\n  port = 70000\n}")},
		{title: "A URL as path of a health check", config: vm("ready {\n  port      = 80\n  http_path = \"https://example.com/health\"\n}")},
		{title: "A class of statuses", config: vm("ready {\n  port        = 80\n  http_path   = \"/health\"\n  http_status = \"2xx\"\n}")},
		{title: "A status without a path", config: vm("ready {\n  port        = 80\n  http_status = \"204\"\n}")},
		{title: "A check without a port", config: vm("ready {\n  http_path = \"/health\"\n}")},
		{title: "A CD from this computer", config: vm(`cdrom_url = "file:///tmp/debian.iso"`)},
		{title: "A zone with a capital letter", config: vm(`zone_name = "York"`)},
		{title: "A script with the line ends of Windows", config: imageOf(`firstboot_script = "#!/bin/sh\r\necho done\r\n"`)},
		{title: "A disc with a space before its label", config: bare("name = \"web1\"\ndisc {\n  label = \" vda\"\n  size  = 25600\n}")},
		{title: "A disc of an empty grade", config: bare("name = \"web1\"\ndisc {\n  label         = \"vda\"\n  size          = 25600\n  storage_grade = \"\"\n}")},
		{title: "A disc that is too small", config: bare("name = \"web1\"\ndisc {\n  label = \"vda\"\n  size  = 10\n}")},
		{title: "An ID of nothing", config: vm(`group_id = "0"`)},
		{title: "An address of this computer", config: vm("group = \"private\"\nips {\n  ipv4 = \"127.0.0.1\"\n}"), do: "applied"},
		{title: "An empty distribution", config: vm("reimage {\n  distribution  = \"\"\n  root_password = \"made-up\"\n}")},
		{title: "No memory", config: vm(`memory = 0`)},
		{title: "Another address", had: vm("group = \"private\"\nips {\n  ipv4 = \"192.0.2.20\"\n}"), config: vm("group = \"private\"\nips {\n  ipv4 = \"192.0.2.21\"\n}")},
		{title: "Two discs renamed at the same time", had: bare("name = \"web1\"\n" + disc + threeDiscs("one", "two")), config: bare("name = \"web1\"\n" + disc + threeDiscs("uno", "due"))},

		{title: "A group without a name", config: block("resource", "group", `name = ""`)},
		{title: "A group with a slash", config: block("resource", "group", `name = "web/blue"`)},
		{title: "A group in an account that is not visible", config: block("resource", "group", "name    = \"blue\"\naccount = \"dmeo\"")},
		{title: "A reverse name without a name", config: block("resource", "rdns", "address  = \"198.51.100.2\"\nhostname = \"\""), world: web},
		{title: "A URL as reverse name", config: block("resource", "rdns", "address  = \"198.51.100.2\"\nhostname = \"https://www.example.com\""), world: web, do: "applied"},
		{title: "A reverse name with an asterisk", config: block("resource", "rdns", "address  = \"198.51.100.2\"\nhostname = \"*.example.com\""), world: web, do: "applied"},
		{title: "A reverse name for a network", config: block("resource", "rdns", "address  = \"198.51.100.2/32\"\nhostname = \"www.example.com\""), world: web},
		{title: "A schedule without an interval", config: schedule("start_at           = \"2000-01-03 04:00:00\"\ninterval_seconds   = 0"), world: web},
		{title: "A schedule that keeps nothing", config: schedule("start_at           = \"2000-01-03 04:00:00\"\ninterval_seconds   = 604800\ncapacity           = 0"), world: web},
		{title: "A schedule that starts on a day that does not exist", config: schedule("start_at           = \"2000-02-30 04:00:00\"\ninterval_seconds   = 604800"), world: web},
		{title: "A schedule of a disc by its label", config: block("resource", "backup_schedule", "virtual_machine_id = \"1004\"\ndisc_id            = \"vda\"\nstart_at           = \"2000-01-03 04:00:00\"\ninterval_seconds   = 604800"), world: web},

		{title: "A size of nothing", config: function("")},
		{title: "A size below zero", config: function("-1GiB")},
		{title: "A size of bits", config: function("4Gb")},
		{title: "A size of half a megabyte", config: function("0.5MiB")},
		{title: "A machine by a name as its ID", config: block("data", "vm", `id = "web1"`), world: web},
		{title: "The backups of a disc by its label", config: block("data", "backups", "virtual_machine_id = \"1004\"\ndisc_id            = \"vda\""), world: web},
		{title: "The reverse name of a network", config: block("data", "rdns", `address = "198.51.100.0/24"`), world: web},
		{title: "An account that does not exist", config: block("data", "account", `name = "dmeo"`)},
		{title: "A disc moved to its own machine", config: action("disc_move", "virtual_machine_id = \"1004\"\ndisc_id            = \"1006\"\nto                 = \"1004\""), world: web},
		{title: "A key that nobody has", config: action("vm_signal", "virtual_machine_id = \"1004\"\nsignal             = \"sendkey\"\nkey                = \"ctrl-alt-del\""), world: web},
		{title: "The signal of a key, without the key", config: action("vm_signal", "virtual_machine_id = \"1004\"\nsignal             = \"sendkey\""), world: web},
		{title: "A purge under another name", config: action("vm_purge", "virtual_machine_id = \"1004\"\nname               = \"web2\""), world: func(e *acctest.Emulator, id int64) { web(e, id); e.SoftDelete(e.Machines()[0].ID) }},
		{title: "A backup of a disc of another machine", config: action("disc_backup", "virtual_machine_id = \"1004\"\ndisc_id            = \"4711\""), world: web},
		{title: "An import by too many names", config: "import {\n  to = cloudserver_vm.web\n  id = \"demo/default/web1/vda\"\n}\n" + vm(""), world: web},
		{title: "An import by nothing", config: "import {\n  to = cloudserver_vm.web\n  id = \"\"\n}\n" + vm(""), world: web},
		{title: "An import by an address of the web", config: "import {\n  to = cloudserver_vm.web\n  id = \"https://panel.example.com/vm/1004\"\n}\n" + vm(""), world: web},
	}
}

// threeDiscs are two discs more.
func threeDiscs(labels ...string) (blocks string) {
	for _, label := range labels {
		blocks += fmt.Sprintf("\ndisc {\n  label = %q\n  size  = 1024\n}", label)
	}
	return blocks
}
