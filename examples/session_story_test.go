package examples_test

import (
	"encoding/json"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

func hasAPassword(w *workspace) { w.set("password", emulator.DemoPassword) }

// The session made the apply possible, and nothing of it is left.
func hasNoSession(w *workspace) {
	state := w.run("state", "pull")
	if !json.Valid([]byte(state)) || !strings.Contains(state, `"review"`) || strings.Contains(state, "token") {
		w.Errorf("the state: %s", state)
	}
}
