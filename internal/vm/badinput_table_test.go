package vm_test

import (
	"net/http"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

const (
	cannotCreate = `Cannot create virtual machine "web1" in group "default" of account "demo"`
	create400    = "POST /accounts/demo/groups/default/vm_create answered 400 Bad Request: "
	listed       = "The data source cloudserver_definitions lists what the service offers. Nothing was created."
	credentials  = "Set or correct the credentials: token, token_file, or username and password, in the provider block, or CLOUDSERVER_TOKEN"
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
	return map[string]badInput{
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
			says: []string{"The service does not accept the configured API key (token in the provider block): it may be past its expiry date (expires_at), revoked or mistyped: POST", "Set or correct the credentials: token in the provider block.", "Nothing was created."},
		},
		"an expired session": {
			settings: map[string]any{"token": "expired-long-ago"}, summary: cannotCreate, sent: post,
			says: []string{"The service does not accept the configured token (token in the provider block): it may have expired or been revoked: POST", "Set or correct the credentials: token in the provider block.", "A session ends five minutes after its last use"},
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
