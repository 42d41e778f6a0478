package vm_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestCreateRefused shows what only the service can refuse, and what is in between,
// at the attribute to blame: the state stays empty, and so does the service. What a
// plan says about such slips is in internal/e2e/mistakes.md.
func TestCreateRefused(t *testing.T) {
	t.Parallel()
	const (
		is400  = "POST /accounts/demo/groups/default/vm_create answered 400 Bad Request: "
		listed = "The data source cloudserver_definitions lists what the service offers. Nothing was created."
		page   = "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1><hr>proxy</body></html>"
	)
	answering := func(status int, body string) emulator.Fault {
		return emulator.Fault{Status: status, Body: body, Match: func(r emulator.Request) bool { return r.Method == http.MethodPost }}
	}
	post, looked := []string{"POST vm_create"}, []string{"POST vm_create", "GET virtual_machines/web1"}
	for name, test := range map[string]struct {
		settings given          // of the provider block
		fault    emulator.Fault // of every POST; zero: none
		config   given          // of the new machine
		at       string         // the attribute to blame, "" for none
		says     []string
		asked    []string // every request of plan and apply
	}{
		"an unknown distribution": {
			config: given{"reimage.distribution": "bookwurm"}, at: "reimage.distribution", asked: post,
			says: []string{is400 + "distribution is not included in the list.", listed},
		},
		"an unknown grade": {
			config: given{"disc": discs("vda:100", "vdb:100:sdd")}, at: "disc.1.storage_grade", asked: post,
			says: []string{is400 + "discs[1].storage_grade is not included in the list.", listed},
		},
		"an unknown profile": {
			config: given{"hardware_profile": "virtio1999"}, at: "hardware_profile", asked: post,
			says: []string{is400 + "hardware_profile is not included in the list.", listed},
		},
		"a short password": {
			config: with(image, "reimage.root_password", "x"), at: "reimage.root_password", asked: post,
			says: []string{is400 + "root_password is too short (minimum is 3 characters).", "Nothing was created."},
		},
		"an unknown account": {
			config: given{"account": "dmo"}, at: "account",
			says:  []string{`of account "dmo"`, "answered 404 Not Found: no such account.", `These credentials can see: "demo". Nothing was created.`},
			asked: []string{"POST /accounts/dmo/groups/default/vm_create", "GET /accounts/dmo", "GET /accounts"},
		},
		"an expired session": {
			settings: given{"token": "expired-long-ago"}, asked: post,
			says: []string{"The service does not accept the configured token (token in the provider block): it may have expired or been revoked: POST", "Set or correct the credentials: token in the provider block.", "A session ends five minutes after its last use", "Nothing was created."},
		},
		"credentials without the right": {
			fault: answering(http.StatusForbidden, "read only"), asked: post,
			says: []string{"answered 403 Forbidden: read only.", "These credentials lack permission", "Nothing was created."},
		},
		"a service that is busy": {
			fault: answering(http.StatusTooManyRequests, ""), asked: post,
			says: []string{"vm_create answered 429 Too Many Requests.\n", "a larger max_retries in the provider block waits longer. Nothing was created."},
		},
		"a proxy's error page": {
			fault: answering(http.StatusBadGateway, page), asked: looked,
			says: []string{"vm_create answered 502 Bad Gateway; virtual machine \"web1\" does not exist so far, but the service may still be creating it.\n", "The service, or a proxy in front of it, has failed. Run the same command again later", "If the machine was created after all, the next apply fails because the name is taken"},
		},
		"another site's page": {
			fault: emulator.Fault{Status: http.StatusOK, Body: page}, asked: looked,
			says: []string{"it is a page for a browser, not JSON; check that endpoint is the base address", `cannot find out whether virtual machine "web1" exists`, "and the error shows the import block for it."},
		},
		"a service that does not answer": {
			fault: emulator.Fault{Cut: true}, asked: looked,
			says: []string{"vm_create: cannot reach http://127.0.0.1: ", "Check that endpoint in the provider block, or CLOUDSERVER_ENDPOINT in the environment, is the address of the service", "and the error shows the import block for it."},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				settings := given{"plan_checks": false, "max_retries": 0}
				maps.Copy(settings, test.settings)
				d, e := acctest.Drive(t, emulator.Options{}, settings)
				if test.fault.Status != 0 || test.fault.Cut {
					e.Inject(test.fault)
				}
				head := "error"
				if test.at != "" {
					head += " at " + test.at
				}
				if o := failed(t, d, nil, configured(test.config), append(test.says, head+`: Cannot create virtual machine "web1" in group `)...); o != nil {
					t.Errorf("there is something in the state: %v", o.Get(""))
				}
				expectNoMachine(t, e)
				if got := asked(e); !slices.Equal(got, test.asked) {
					t.Errorf("asked\n %q, want\n %q", got, test.asked)
				}
			})
		})
	}
}

// asked are all requests, without the query, and without what all paths of a
// group begin with.
func asked(e *acctest.Emulator) []string {
	var calls []string
	for _, call := range e.AllCalls() {
		call, _, _ = strings.Cut(call, "?")
		calls = append(calls, strings.Replace(call, "/accounts/demo/groups/default/", "", 1))
	}
	return calls
}
