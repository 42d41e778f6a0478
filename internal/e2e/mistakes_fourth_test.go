package e2e_test

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// A public key, and its parts that people copy.
const (
	publicKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f"
	otherKey  = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIB8eHRwbGhkYFxYVFBMSERAPDg0MCwoJCAcGBQQDAgEA"
)

// fourth are mistakes of a fourth round: where one cause had several messages, or the message of another cause.
func fourth() []mistake {
	block := func(kind, name, lines string) string {
		return fmt.Sprintf("%s \"cloudserver_%s\" \"it\" {\n%s}", kind, name, indent(lines))
	}
	action := func(name, lines string) string { return block("action", name, "config {\n"+indent(lines)+"}") }
	imported := func(noun, id string) string {
		return fmt.Sprintf("import {\n  to = cloudserver_%s.it\n  id = %q\n}", noun, id)
	}
	schedule := func(lines string) string {
		return block("resource", "backup_schedule", "virtual_machine_id = \"1004\"\ndisc_id            = \"1005\"\n"+lines)
	}
	key := func(text string) string { return imageOf("ssh_public_key = " + fmt.Sprintf("%q", text)) }
	script := func(text string) string { return imageOf("firstboot_script = " + fmt.Sprintf("%q", text)) }
	environment := func(pairs ...string) map[string]string {
		all := map[string]string{"CLOUDSERVER_ENDPOINT": "http://127.0.0.1:8787"}
		for _, pair := range pairs {
			name, value, _ := strings.Cut(pair, "=")
			all[name] = value
		}
		return all
	}
	web := func(e *acctest.Emulator, _ int64) {
		e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{
			Name: "web1", PowerOn: true, Discs: []emulator.Disc{{Label: "vda", Size: 25600}, {Label: "data", Size: 1024}},
			Interfaces: []emulator.Interface{{MAC: "52:54:00:00:00:01", IPs: []string{"198.51.100.2"}}},
		})
	}
	refuse := func(status int, body string) func(*acctest.Emulator, int64) {
		return func(e *acctest.Emulator, _ int64) { e.Inject(emulator.Fault{Status: status, Body: body}) }
	}
	return append([]mistake{
		{title: "The scheme twice", config: settings(`endpoint = "https://https://api.example.com"`)},
		{title: "Two schemes", config: settings(`endpoint = "http://https://api.example.com"`)},
		{title: "The address of all interfaces", config: settings(`endpoint = "http://0.0.0.0:8787"`)},
		{title: "An IPv6 address without brackets", config: settings(`endpoint = "https://2001:db8::1"`)},
		{title: "A port that is impossible", config: settings(`endpoint = "https://api.example.com:99999"`)},
		{title: "A port in words", config: settings(`endpoint = "https://api.example.com:https"`)},
		{title: "An API key as username", config: settings("token    = null\nusername = \"apikey.demo\"\npassword = \"demo\"")},
		{title: "A login address where nothing listens", socket: true, config: settings("token         = null\nusername      = \"demo\"\npassword      = \"demo\"\nauth_endpoint = \"http://127.0.0.1:9\"") + machine},
		{title: "Plain HTTP to a port for HTTPS", config: machine, world: refuse(http.StatusBadRequest, "Client sent an HTTP request to an HTTPS server.")},
		{title: "A proxy that is no URL", socket: true, env: environment("CLOUDSERVER_ENDPOINT=https://api.example.com", "HTTPS_PROXY=http://proxy.example.com:port", "NO_PROXY="), config: `provider "cloudserver" {}`},
		{title: "A proxy that nobody runs", socket: true, env: environment("CLOUDSERVER_ENDPOINT=https://api.example.com", "HTTPS_PROXY=http://127.0.0.1:9", "NO_PROXY="), config: "provider \"cloudserver\" {}\n" + machine},
		{title: "A variable with a typo", env: map[string]string{"CLOUDSERVER_ENPOINT": "https://api.example.com"}, config: settings("token = \"apikey.demo\"\nendpoint = null")},
		{title: "A provider block with an alias alone", env: map[string]string{"CLOUDSERVER_ACOUNT": "demo"}, config: settings("token = null\naccount = null\nmax_retries = null")},
		{title: "An empty token in the environment", env: environment("CLOUDSERVER_TOKEN="), config: settings("token = null") + machine},
		{title: "A key in the wrong variable", env: environment("CLOUDSERVER_API_KEY=apikey.demo"), config: settings("token = null") + machine},
		{title: "A certificate in a variable with a typo", socket: true, https: true, env: map[string]string{"CLOUDSERVER_CA_CERT": "/etc/ssl/own.pem"}, config: settings(`endpoint = "https://${emulator}"`) + machine},
		{title: "An account in a variable with a typo", env: environment("CLOUDSERVER_ACOUNT=demo"), config: settings("account = null") + machine},

		{title: "A null name", config: bare("name = null\n" + disc)},
		{title: "A null size", config: bare("name = \"web1\"\ndisc {\n  label = \"vda\"\n  size  = null\n}")},
		{title: "A null hostname", config: block("resource", "rdns", "address  = \"198.51.100.2\"\nhostname = null"), world: web},
		{title: "A null address", config: block("resource", "rdns", "address  = null\nhostname = \"www.example.com\""), world: web},
		{title: "A disc in gigabytes, of a machine that exists", had: vm(""), config: strings.Replace(vm(""), "25600", "50", 1)},
		{
			title:  "Labels that were swapped elsewhere, followed in the configuration",
			had:    bare("name = \"web1\"\n" + disc + "\ndisc {\n  label = \"aaa\"\n  size  = 10240\n}\ndisc {\n  label = \"bbb\"\n  size  = 20480\n}"),
			config: bare("name = \"web1\"\n" + disc + "\ndisc {\n  label = \"bbb\"\n  size  = 10240\n}\ndisc {\n  label = \"aaa\"\n  size  = 20480\n}"),
			world: func(e *acctest.Emulator, id int64) {
				_ = e.RenameDisc(id, "aaa", "ccc")
				_ = e.RenameDisc(id, "bbb", "aaa")
				_ = e.RenameDisc(id, "ccc", "bbb")
			},
		},
		{title: "A disc that somebody else attached, described now", had: vm(""), config: strings.TrimSuffix(vm(""), "}") + "\n  disc {\n    label = \"scratch\"\n    size  = 10240\n  }\n}", world: func(e *acctest.Emulator, id int64) {
			e.AddDisc(id, emulator.Disc{Label: "scratch", Size: 10240, StorageGrade: "sata"})
		}},
		{title: "A destroy that keeps the name", had: vm("purge_on_destroy = false"), do: "destroyed"},
		{title: "A name taken in another workspace", config: machine, world: web},
		{title: "A name taken in another group", config: strings.Replace(machine, "name =", "group = \"private\"\n  name =", 1), do: "applied", world: func(e *acctest.Emulator, id int64) {
			web(e, id)
			e.Inject(emulator.Fault{Match: func(r emulator.Request) bool { return r.Method == http.MethodPost }, Status: http.StatusBadRequest, Body: `{"name": ["has already been taken"]}`})
		}},
		{title: "A service that is down at a creation", options: emulator.Options{}, config: machine, do: "applied", world: func(e *acctest.Emulator, _ int64) {
			e.Inject(emulator.Fault{Match: func(r emulator.Request) bool { return r.Method == http.MethodPost }, Status: http.StatusServiceUnavailable, Body: "back soon"})
		}},

		{title: "A start that the service refuses", had: vm("power_on = false"), config: vm("power_on = true"), do: "applied", world: func(e *acctest.Emulator, _ int64) {
			e.Inject(emulator.Fault{Match: func(r emulator.Request) bool { return r.Method == http.MethodPut }, Status: http.StatusBadRequest, Body: "the zone has no free capacity"})
		}},
		{title: "A machine that does not start in time", options: emulator.Options{BootTime: time.Hour}, config: vm("timeouts {\n  create = \"2m\"\n}"), do: "applied"},
		{title: "The port of HTTPS without https", config: vm("ready {\n  port      = 443\n  http_path = \"/health\"\n}")},
		{title: "The management address of a machine", config: block("resource", "rdns", "address  = \"198.51.100.77\"\nhostname = \"www.example.com\""), world: web},
		{title: "A reverse name with an underscore", config: block("resource", "rdns", "address  = \"198.51.100.2\"\nhostname = \"web_1.example.com\""), world: web},
		{title: "An interval in milliseconds", config: schedule("start_at           = \"2000-01-02 04:00:00\"\ninterval_seconds   = 604800000"), world: web},
		{title: "Keys joined by plus signs", config: action("vm_signal", "virtual_machine_id = \"1004\"\nsignal             = \"sendkey\"\nkey                = \"ctrl+alt+delete\""), world: web},
		{title: "A key in capital letters", config: action("vm_signal", "virtual_machine_id = \"1004\"\nsignal             = \"sendkey\"\nkey                = \"Ctrl-Alt-Delete\""), world: web},
		{title: "A key that is cut off, of an action", config: action("vm_reimage", "virtual_machine_id = \"1004\"\ndistribution       = \"bookworm\"\nallow_stopping     = true\nssh_public_key     = "+fmt.Sprintf("%q", publicKey[:60])), world: web},

		{title: "An import by a name in capital letters", config: imported("vm", "default/Web1"), world: web},
		{title: "An import from a group with a typo", config: imported("vm", "defalt/web1"), world: web},
		{title: "An import by hostname", config: imported("vm", "web1.default.demo.cloud.example.com"), world: web},
		{title: "An import by an account that is not visible", config: imported("vm", "dmeo/default/web1"), world: web},
		{title: "An import of a group with a typo", config: imported("group", "demo/defualt")},
	}, []mistake{
		{title: "An IPv6 address in brackets", config: block("resource", "rdns", "address  = \"[2001:db8::1]\"\nhostname = \"www.example.com\"")},
		{title: "An address with a port", config: vm("group = \"private\"\nips {\n  ipv4 = \"192.0.2.10:22\"\n}")},
		{title: "An address with a zone", config: block("resource", "rdns", "address  = \"fe80::1%eth0\"\nhostname = \"www.example.com\"")},
		{title: "A name with a line break", config: strings.Replace(machine, `"web1"`, `"web1\n"`, 1)},
		{title: "A disc label with a line break", config: strings.Replace(machine, `"vda"`, `"vda\n"`, 1)},
		{title: "A CD with a password", config: vm(`cdrom_url = "https://me:secret@example.com/debian.iso"`)},
		{title: "A CD on this computer", config: vm(`cdrom_url = "http://localhost:8000/debian.iso"`)},
		{title: "A public key that is cut off", config: key(publicKey[:60])},
		{title: "A public key without its last character", config: key(publicKey[:len(publicKey)-1])},
		{title: "Two public keys, with a comma", config: key(publicKey + "," + otherKey)},
		{title: "Two public keys, with a space", config: key(publicKey + " " + otherKey)},
		{title: "Two public keys, with a literal line break", config: key(publicKey + ` me\n` + otherKey)},
		{title: "A second public key that is cut off", config: key(publicKey + "\n" + otherKey[:50])},
		{title: "A script that is indented", config: script("  #!/bin/sh\n  echo done\n")},
		{title: "A script after an empty line", config: script("\n#!/bin/sh\necho done\n")},
		{title: "A script after a byte-order mark", config: imageOf(`firstboot_script = "\ufeff#!/bin/sh\necho done\n"`)},
		{title: "A script in base64", config: script("IyEvYmluL3NoCmVjaG8gZG9uZQo=")},
		{title: "A script with literal line breaks", config: script(`#!/bin/sh\necho done\n`)},
		{title: "A script of cloud-init", config: script("#cloud-config\npackages: [nginx]\n")},
	}...)
}
