package examples_test

import (
	"encoding/json"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// hasMachine gives the private group a machine that another configuration manages.
func hasMachine(name, address string) func(*workspace) {
	return func(w *workspace) {
		id := w.e.AddMachine(emulator.DemoAccount, emulator.PrivateGroup, emulator.Machine{
			Name: name, PowerOn: true, Interfaces: []emulator.Interface{{MAC: "52:54:00:00:00:01", IPs: []string{address}}},
		})
		if id == 0 {
			w.Fatalf("there is no machine %s", name)
		}
	}
}

func losesMachines(w *workspace) {
	for _, machine := range w.e.Machines() {
		w.e.Purge(machine.ID)
	}
}

func hasAPassword(w *workspace) { w.set("password", emulator.DemoPassword) }

// The session made the apply possible, and nothing of it is left.
func hasNoSession(w *workspace) {
	state := w.run("state", "pull")
	if !json.Valid([]byte(state)) || !strings.Contains(state, `"review"`) || strings.Contains(state, "token") {
		w.Errorf("the state: %s", state)
	}
}
