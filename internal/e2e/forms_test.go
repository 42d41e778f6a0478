// SPDX-License-Identifier: MPL-2.0

package e2e_test

import (
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestForms takes a machine through its life at a service whose answers have each form that API.md leaves open.
func TestForms(t *testing.T) {
	t.Parallel()
	for _, form := range acctest.Forms() {
		inSimulation(t, form.Name, func(t *testing.T) {
			e := newService(t)
			transport := form.In(e.Transport())
			liveThroughForm(t, e, transport)
			if transport.Changed() == 0 {
				t.Error("the form has changed no answer of this life")
			}
		})
	}
}

func liveThroughForm(t *testing.T, e *acctest.Emulator, transport *acctest.FormTransport) {
	image := func(distribution string) object {
		return object{"reimage": object{"distribution": distribution, "ssh_public_key": sshKey, "on_change": "reimage"}}
	}
	withData := func(size int) object {
		return object{"disc": []object{{"label": "vda", "size": 25600}, {"label": "data", "size": size}}}
	}
	config := smallMachine(image("bookworm"))
	var machine *acctest.Object
	for _, step := range []struct {
		name   string
		values object
	}{
		{name: "create"},
		{name: "change", values: object{"keymap": "de", "memory": 4096}},
		{name: "add a disc", values: withData(5000)},
		{name: "grow a disc", values: withData(6000)},
		{name: "reimage", values: image("trixie")},
		{name: "switch off", values: object{"power_on": false}},
	} {
		maps.Copy(config, step.values)
		applied, diags := applyIn(t, e, transport, vmType, machine, config)
		if machine = applied; acctest.HasErrors(diags) {
			t.Fatalf("%s:\n%s", step.name, acctest.DiagText(diags))
		}
		time.Sleep(time.Minute) // it boots
		if plan := planIn(t, e, transport, vmType, machine, config); !plan.Empty() {
			t.Errorf("the plan after the step %q is %s of %v, want none\n%s",
				step.name, plan.Action, plan.Changes(), acctest.DiagText(plan.Diagnostics))
		}
	}

	e.Inject(emulator.Fault{
		Match: func(r emulator.Request) bool { return r.Method == http.MethodPut }, Times: 1,
		Status: http.StatusBadRequest, Body: `{"keymap": ["is not offered"]}`,
	})
	other := maps.Clone(config)
	other["keymap"] = "fr"
	kept, diags := applyIn(t, e, transport, vmType, machine, other)
	machine = kept
	if text := acctest.DiagText(acctest.Errors(diags)); !strings.Contains(text, "keymap is not offered") {
		t.Errorf("a change that is refused: want the problem that the service names, got\n%s", text)
	}

	listed := e.NewProcess(t, transport, nil).MustReadData(t.Context(), "cloudserver_vms", object{"group": "default"})
	if name := listed.Get("virtual_machines.0.name"); name != "web1" {
		t.Errorf("the list of the group's machines has %v, want web1", name)
	}
	_, diags = applyIn(t, e, transport, vmType, nil, config)
	if text := acctest.DiagText(acctest.Errors(diags)); !strings.Contains(text, "has the name") {
		t.Errorf("a second machine of the same name: want an error that the name is taken, got\n%s", text)
	}
	if _, diags := applyIn(t, e, transport, vmType, machine, nil); acctest.HasErrors(diags) {
		t.Errorf("destroy:\n%s", acctest.DiagText(diags))
	}
	if left := e.Machines(); len(left) > 0 {
		t.Errorf("the destroy left %d machines", len(left))
	}
}
