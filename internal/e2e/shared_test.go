// SPDX-License-Identifier: MPL-2.0

package e2e_test

import (
	"fmt"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// object and objects keep configurations short, diagnostics signatures.
type (
	object      = map[string]any
	objects     = []map[string]any
	diagnostics = []*tfprotov6.Diagnostic
)

const (
	vmType       = "cloudserver_vm"
	groupType    = "cloudserver_group"
	rdnsType     = "cloudserver_rdns"
	scheduleType = "cloudserver_backup_schedule"

	serviceHost  = "127.0.0.1"
	rootPassword = "marker-root-password"
)

func TestMain(m *testing.M) { acctest.Main(m) }

func idOf(m emulator.Machine) string { return strconv.FormatInt(m.ID, 10) }

// web returns the configuration of a machine with two discs and an image, with changes.
func web(changes ...object) object {
	config := object{
		"name": "web1", "cores": 2, "memory": 2048, "allow_stopping_for_update": true,
		"timeouts": object{"create": "2m", "update": "2m", "delete": "2m"},
		"disc":     objects{{"label": "vda", "size": 25600}, {"label": "vdb", "size": 10240}},
		"reimage":  object{"distribution": "bookworm", "root_password": rootPassword, "revision": "1", "on_change": "reimage"},
	}
	for _, change := range changes {
		maps.Copy(config, change)
	}
	return config
}

// machine is the block of a machine in the language of the CLI.
const machine = `
resource "cloudserver_vm" "web" {
  name = "web1"

  disc {
    label = "vda"
    size  = 25600
  }
}`

// machineNamed returns the block of a machine. name is an expression.
func machineNamed(resource, name string, lines ...string) string {
	return fmt.Sprintf("resource \"cloudserver_vm\" %q {\n  name = %s\n  disc {\n    label = \"vda\"\n    size  = 25600\n  }\n%s\n}\n",
		resource, name, strings.Join(lines, "\n"))
}

// settings returns a provider block with these lines.
func settings(lines string) string { return "provider \"cloudserver\" {\n" + lines + "\n}\n" }

// world is a service in memory, the credentials for it, and the state of one machine.
type world struct {
	t         testing.TB
	service   *acctest.Emulator
	transport http.RoundTripper
	token     string // "": user and password
	retries   int    // max_retries of the provider; 0: its default
	state     *acctest.Object
}

const (
	user         = "operator"
	userPassword = "marker-user-password"
)

func newWorldWith(t testing.TB, options emulator.Options) *world {
	t.Helper()
	service := emulator.New(options)
	service.AddUser(emulator.User{Name: user, Password: userPassword})
	return &world{
		t:         t,
		service:   &acctest.Emulator{Emulator: service, URL: "http://" + serviceHost},
		transport: service.Transport(),
	}
}

// process returns a new provider process, as each run of the CLI starts one.
func (w *world) process() *acctest.Driver {
	w.t.Helper()
	settings := object{"token": nil, "username": user, "password": userPassword}
	if w.token != "" {
		settings = object{"token": w.token}
	}
	if w.retries > 0 {
		settings["max_retries"] = w.retries
	}
	return w.service.NewProcess(w.t, w.transport, settings)
}

// apply refreshes, plans and applies the machine, as `terraform apply` does.
func (w *world) apply(config object) diagnostics {
	w.t.Helper()
	ctx, d := w.t.Context(), w.process()
	refreshed, diags := d.Refresh(ctx, w.state)
	if acctest.HasErrors(diags) {
		return diags
	}
	plan := d.Plan(ctx, vmType, refreshed, config)
	if diags = append(diags, plan.Diagnostics...); acctest.HasErrors(diags) {
		return diags
	}
	applied, more := d.Apply(ctx, vmType, plan)
	w.state = applied
	return append(diags, more...)
}
