package vm_test

import (
	"net/http"
	"slices"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

func refusedAtValidate() map[string]badInput {
	nine := discs("a:100", "b:100", "c:100", "d:100", "e:100", "f:100", "g:100", "h:100", "i:100")
	return map[string]badInput{
		"nine discs": {
			config: given{"disc": nine}, at: "disc", summary: "Invalid Attribute Value",
			says: []string{"disc list must contain at most 8 elements, got: 9"},
		},
		"an empty label": {
			config: given{"disc.0.label": ""}, at: "disc.0.label", summary: "Invalid Attribute Value Length",
			says: []string{"disc[0].label string length must be at least 1"},
		},
		"a label twice": {
			config: given{"disc": discs("vda:100", "vdb:100", "vda:100")}, at: "disc.2.label", summary: "Duplicate disc label",
			says: []string{`Discs 1 and 3 are both labelled "vda".`, "give each disc its own."},
		},
		"a size of zero": {
			config: given{"disc.0.size": 0}, at: "disc.0.size", summary: "Invalid disc size",
			says: []string{"disc[0].size is 0. It must be a positive number of megabytes"},
		},
		"a size below zero": {
			config: given{"disc.0.size": -1}, at: "disc.0.size", summary: "Invalid disc size",
			says: []string{"disc[0].size is -1."},
		},
		"an address that is none": {
			config: given{"ips.ipv4": "192.0.2.300"}, at: "ips.ipv4", summary: "Invalid IPv4 address",
			says: []string{`"192.0.2.300" is not an IPv4 address.`, `such as "192.0.2.10".`},
		},
		"an address of the other family": {
			config: given{"ips.ipv6": "192.0.2.10"}, at: "ips.ipv6", summary: "Invalid IPv6 address",
			says: []string{`such as "2001:db8::10".`},
		},
		"an address with a prefix length": {
			config: given{"ips.ipv4": "192.0.2.10/24"}, at: "ips.ipv4", summary: "Invalid IPv4 address",
			says: []string{"Set one address without a prefix length"},
		},
		"an empty name": {
			config: given{"name": ""}, at: "name", summary: "Invalid Attribute Value Length", says: []string{"name string length must be at least 1"},
		},
		"an image without a distribution": {
			config: given{"reimage.root_password": "test-only"}, at: "reimage.distribution", summary: "Missing distribution",
			says: []string{"absent or null"},
		},
		"a machine that is off and started by the service": {
			config: given{"power_on": false, "autoreboot_on": true}, at: "autoreboot_on", summary: "Conflicting power settings",
			says: []string{"the service starts any machine that is off while autoreboot_on is true", "Remove autoreboot_on, or set it to false."},
		},
		"a name for an ID": {
			config: given{"group_id": "default"}, at: "group_id", summary: "Invalid Attribute Value Match",
			says: []string{`group_id must be a numeric ID; to select a group by its name, use group, got: default`},
		},
		"an ID with leading zeros": {
			config: given{"group_id": "01002"}, at: "group_id", summary: "Invalid Attribute Value Match",
			says: []string{`group_id must be a numeric ID;`},
		},
		"another value of on_change": {
			config: with(image, "reimage.on_change", "wipe"), at: "reimage.on_change", summary: "Invalid Attribute Value Match",
			says: []string{`value must be one of: ["replace" "reimage"], got: "wipe"`},
		},
		"a private key": {
			config: with(image, "reimage.ssh_public_key", "-----BEGIN OPENSSH PRIVATE KEY-----"), at: "reimage.ssh_public_key", summary: "Invalid public key",
			says: []string{"use the file that ends in .pub."},
		},
		"a timeout of zero": {
			config: given{"timeouts.create": "0s"}, at: "timeouts.create", summary: "Invalid duration",
			says: []string{`"0s" must be a positive duration: a number and a unit`},
		},
		"a timeout without a unit": {
			config: given{"timeouts.delete": "30"}, at: "timeouts.delete", summary: "Invalid duration",
			says: []string{`"30" must be a positive duration: a number and a unit`},
		},
		"a name that would be a path": {
			config: given{"name": "../x"}, at: "name", summary: "Invalid name",
			says: []string{`must not contain / or`},
		},
		"a duration that is none": {
			config: given{"shutdown_timeout": "soon"}, at: "shutdown_timeout", summary: "Invalid duration",
			says: []string{`"soon" must be a positive duration: a number and a unit, such as 90s, 2m or 1h30m.`},
		},
	}
}

func refusedAtPlan() map[string]badInput {
	asks := []string{"GET /definitions", "GET virtual_machines/web1", "GET /accounts/demo/groups/default"}
	return map[string]badInput{
		"an unknown distribution": {
			config: with(image, "reimage.distribution", "bookwurm"), sent: asks,
			at: "reimage.distribution", summary: `The service does not offer the distribution "bookwurm"`,
			says: []string{`Did you mean "bookworm" (Debian 12 (Bookworm))?`},
		},
		"an unknown grade": {
			config: given{"disc": discs("vda:100", "vdb:100:sdd")}, sent: asks,
			at: "disc.1.storage_grade", summary: `The service does not offer the storage grade "sdd"`,
			says: []string{`Did you mean "ssd" (Fastest, premium storage)?`},
		},
		"an unknown zone": {
			config: given{"zone_name": "yorc"}, sent: asks,
			at: "zone_name", summary: `The service does not offer the zone "yorc"`,
			says: []string{`The service offers: "york", "manchester", "hidden".`},
		},
		"no account": {
			settings: map[string]any{"account": nil},
			at:       "account", summary: `Missing account of virtual machine "web1"`,
			says: []string{"Set account here, in the provider block, or in CLOUDSERVER_ACCOUNT"},
		},
		"the ID of a group as its name": {
			config: given{"group": "1002"}, sent: []string{"GET /accounts/demo/groups", "GET /accounts/demo"},
			at: "group", summary: `Account "demo" has no group "1002"`,
			says: []string{`(the group with that ID is named "default")`, "To select a group by its ID, use group_id."},
		},
		"a name of digits": {
			config: given{"name": "1006"}, at: "name", summary: "Invalid name of a virtual machine", says: []string{"consists of digits only"},
		},
		"a label of digits": {
			config: given{"disc": discs("vda:100", "7:100")}, at: "disc.1.label", summary: "Invalid name of a disc", says: []string{"consists of digits only"},
		},
	}
}

const (
	cannotCreate  = `Cannot create virtual machine "web1" in group "default" of account "demo"`
	cannotPrivate = `Cannot create virtual machine "web1" in group "private" of account "demo"`
	create400     = "POST /accounts/demo/groups/default/vm_create answered 400 Bad Request: "
	listed        = "The data source cloudserver_definitions lists what the service offers. Nothing was created."
	credentials   = "Set or correct the credentials: token, token_file, or username and password, in the provider block, or CLOUDSERVER_TOKEN"
)

var post = []string{"POST vm_create"}

func refusedAtApply() map[string]badInput {
	table := refusedByTheService()
	for name, b := range failedBeforeTheService() {
		table[name] = b
	}
	return table
}

// refusedByTheService are its own answers: 400, 401, 403 and 404.
func refusedByTheService() map[string]badInput {
	taken := []string{"POST vm_create", "GET virtual_machines/web1"}
	return map[string]badInput{
		"a name that is taken": {
			world: func(e *acctest.Emulator) { e.AddMachine("demo", "default", emulator.Machine{Name: "web1"}) },
			at:    "name", summary: cannotCreate, sent: slices.Concat(taken, slices.Repeat(taken[:1], 5), taken[1:]),
			says: []string{
				`A machine with the name "web1" already exists in this group (ID 1004)`, "import it:\n\n" +
					"import {\n  provider = cloudserver\n  to       = cloudserver_vm.NAME # the address of this resource\n  id       = \"1004\"\n}\n\n", "with create_before_destroy", "Otherwise choose another name.",
			},
		},
		"a name that a soft-deleted machine holds": {
			world: func(e *acctest.Emulator) {
				e.SoftDelete(e.AddMachine("demo", "default", emulator.Machine{Name: "web1"}))
			},
			at: "name", summary: cannotCreate, sent: taken,
			says: []string{
				`A soft-deleted machine (ID 1004) still holds the name "web1" in this group.`, `undelete it with the action cloudserver_vm_undelete (virtual_machine_id = "1004") and import it:`,
				"import {\n  provider = cloudserver\n  to       = cloudserver_vm.NAME # the address of this resource\n  id       = \"1004\"\n}", "purge it with the action cloudserver_vm_purge", "Or choose another name.",
			},
		},
		"an unknown distribution": {
			config: given{"reimage.distribution": "bookwurm"}, at: "reimage.distribution", summary: cannotCreate, sent: post,
			says: []string{create400 + "distribution is not included in the list.", listed},
		},
		"an unknown grade": {
			config: given{"disc": discs("vda:100", "vdb:100:sdd")}, at: "disc.1.storage_grade", summary: cannotCreate, sent: post,
			says: []string{create400 + "discs[1].storage_grade is not included in the list.", listed},
		},
		"an unknown zone": {
			config: given{"zone_name": "yorc"}, at: "zone_name", summary: cannotCreate, sent: post,
			says: []string{create400 + "zone_name is not included in the list.", listed},
		},
		"an unknown profile": {
			config: given{"hardware_profile": "virtio1999"}, at: "hardware_profile", summary: cannotCreate, sent: post,
			says: []string{create400 + "hardware_profile is not included in the list.", listed},
		},
		"a disc below the service's minimum": {
			config: given{"disc.0.size": 25}, at: "disc.0.size", summary: cannotCreate, sent: post,
			says: []string{create400 + "discs[0].size must be greater than or equal to 50.", "Nothing was created."},
		},
		"a password that is too short": {
			config: with(image, "reimage.root_password", "x"),
			at:     "reimage.root_password", summary: cannotCreate, sent: post,
			says: []string{create400 + "root_password is too short (minimum is 3 characters).", "Nothing was created."},
		},
		"an address in use": {
			world: func(e *acctest.Emulator) {
				e.AddMachine("demo", "private", emulator.Machine{Name: "other", Interfaces: []emulator.Interface{{IPs: []string{"192.0.2.10"}}}})
			},
			config: addressed, at: "ips.ipv4", summary: cannotPrivate, sent: post,
			says: []string{"ips 192.0.2.10 is already in use.", "Choose others, or leave them out to have them allocated. Nothing was created."},
		},
		"addresses outside a private VLAN": {
			config: given{"ips.ipv4": "192.0.2.10"}, at: "ips.ipv4", summary: cannotCreate, sent: post,
			says: []string{create400 + "ips is only valid in a private VLAN.", "in a group on a private VLAN only", "Nothing was created."},
		},
		"an unknown group": {
			config: given{"group": "defualt"}, at: "group",
			summary: `Cannot create virtual machine "web1" in group "defualt" of account "demo"`,
			says:    []string{"answered 404 Not Found: no such group.", `These credentials can see: "default", "private". Nothing was created.`},
			sent:    []string{"POST /accounts/demo/groups/defualt/vm_create", "GET /accounts/demo", "GET /accounts/demo/groups"},
		},
		"an unknown account": {
			config: given{"account": "dmo"}, at: "account",
			summary: `Cannot create virtual machine "web1" in group "default" of account "dmo"`,
			says:    []string{"answered 404 Not Found: no such account.", `These credentials can see: "demo". Nothing was created.`},
			sent:    []string{"POST /accounts/dmo/groups/default/vm_create", "GET /accounts/dmo", "GET /accounts"},
		},
		"no credentials": {
			settings: map[string]any{"token": nil}, summary: cannotCreate, sent: post,
			says: []string{"No credentials are configured: POST", credentials, "Nothing was created."},
		},
		"a wrong API key": {
			settings: map[string]any{"token": "apikey.mistyped"}, summary: cannotCreate, sent: post,
			says: []string{"The service does not accept the configured API key: it may be past its expiry date (expires_at), revoked or mistyped: POST", credentials, "Nothing was created."},
		},
		"an expired session": {
			settings: map[string]any{"token": "expired-long-ago"}, summary: cannotCreate, sent: post,
			says: []string{"The service does not accept the configured token: it may have expired or been revoked: POST", credentials, "A session ends five minutes after its last use"},
		},
		"a wrong password": {
			settings: map[string]any{"token": nil, "username": "demo", "password": "mistyped"}, summary: cannotCreate, sent: []string{"POST /session"},
			says: []string{"http://127.0.0.1 refuses the username or the password: POST /session answered 403 Forbidden: Bad login credentials.", credentials, "Nothing was created."},
		},
		"credentials without the right": {
			world: answering(http.StatusForbidden, "read only"), summary: cannotCreate, sent: post,
			says: []string{"answered 403 Forbidden: read only.", "These credentials lack permission", "Nothing was created."},
		},
	}
}

// failedBeforeTheService are answers of what is in between, and none at all.
func failedBeforeTheService() map[string]badInput {
	page := "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1><hr>proxy</body></html>"
	looked := []string{"POST vm_create", "GET virtual_machines/web1"}
	return map[string]badInput{
		"a proxy's error page": {
			world: answering(http.StatusBadGateway, page), summary: cannotCreate, sent: looked,
			says: []string{"vm_create answered 502 Bad Gateway; virtual machine \"web1\" does not exist so far, but the service may still be creating it.\n", "The service, or a proxy in front of it, has failed. Run the same command again later", "If the machine was created after all, the next apply fails because the name is taken"},
		},
		"a service that is busy": {
			world: answering(http.StatusTooManyRequests, ""), summary: cannotCreate, sent: post,
			says: []string{"vm_create answered 429 Too Many Requests.\n", "a larger max_retries in the provider block waits longer. Nothing was created."},
		},
		"another site's page": {
			world: func(e *acctest.Emulator) { e.Inject(emulator.Fault{Status: http.StatusOK, Body: page}) }, summary: cannotCreate, sent: looked,
			says: []string{
				"it is a page for a browser, not JSON; check that endpoint is the base address of the service's HTTP API",
				`cannot find out whether virtual machine "web1" exists`, "the next apply fails because the name is taken, and the error shows the import block for it.",
			},
		},
		"a service that does not answer": {
			world: func(e *acctest.Emulator) { e.Inject(emulator.Fault{Cut: true}) }, summary: cannotCreate, sent: looked,
			says: []string{
				"vm_create: cannot reach http://127.0.0.1: ", "Check that endpoint in the provider block, or CLOUDSERVER_ENDPOINT in the environment, is the address of the service",
				"the next apply fails because the name is taken, and the error shows the import block for it.",
			},
		},
	}
}

// answering lets every POST be answered so.
func answering(status int, body string) func(*acctest.Emulator) {
	return func(e *acctest.Emulator) {
		e.Inject(emulator.Fault{Status: status, Body: body, Match: func(r emulator.Request) bool { return r.Method == http.MethodPost }})
	}
}
