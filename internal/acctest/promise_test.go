package acctest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestPromises: a plan accounts for what it shows, and for nothing else.
func TestPromises(t *testing.T) {
	t.Parallel()
	state := func(changes map[string]any) map[string]any {
		s := map[string]any{
			"id": "7", "name": "web1", "cores": int64(2), "power_on": true, "autoreboot_on": true,
			"disc": []any{map[string]any{"id": "8", "label": "vda", "size": int64(1000)}, map[string]any{"id": "9", "label": "vdb", "size": int64(1000)}},
		}
		for name, value := range changes {
			s[name] = value
		}
		return s
	}
	const machine = "/accounts/demo/groups/default/virtual_machines/7"
	put := func(body string) emulator.Request {
		return emulator.Request{Method: "PUT", Path: machine, Body: []byte(body), Reached: emulator.Reached{Machine: 7, Done: true}}
	}
	purge := emulator.Request{Method: "DELETE", Path: machine + "/discs/9", Query: "purge=true", Reached: emulator.Reached{Machine: 7, Disc: 9, Done: true}}
	without := map[string]any{"disc": []any{map[string]any{"id": "8", "label": "vda", "size": int64(1000)}}}
	elsewhere := put(`{"name":"web2"}`)
	elsewhere.Reached.Machine = 99
	for name, test := range map[string]struct {
		planned  map[string]any
		action   acctest.Action
		warnings string
		sent     emulator.Request
		covered  bool // the plan accounts for it
	}{
		"a rename":                          {state(map[string]any{"name": "web2"}), acctest.ActionUpdate, "", put(`{"name":"web2"}`), true},
		"a rename to something else":        {state(map[string]any{"name": "web2"}), acctest.ActionUpdate, "", put(`{"name":"web3"}`), false},
		"a rename of another machine":       {state(map[string]any{"name": "web2"}), acctest.ActionUpdate, "", elsewhere, false},
		"a rename that is known only later": {state(map[string]any{"name": acctest.Unknown}), acctest.ActionUpdate, "", put(`{"name":"web3"}`), true},
		"cores beside a rename":             {state(map[string]any{"name": "web2"}), acctest.ActionUpdate, "", put(`{"name":"web2","cores":4}`), false},
		"a stop that nobody spoke of":       {state(map[string]any{"cores": int64(4)}), acctest.ActionUpdate, "", put(`{"autoreboot_on":false}`), false},
		"a stop that was not allowed":       {state(map[string]any{"cores": int64(4)}), acctest.ActionUpdate, "The update restarts", put(`{"autoreboot_on":false}`), false},
		"a stop that was said":              {state(map[string]any{"cores": int64(4), "allow_stopping_for_update": true}), acctest.ActionUpdate, "The update restarts", put(`{"autoreboot_on":false}`), true},
		"a disc that is named":              {state(without), acctest.ActionUpdate, `Disc "vdb" of virtual machine "web1" will be purged`, purge, true},
		"a disc without a warning":          {state(without), acctest.ActionUpdate, "", purge, false},
		"a disc that stays":                 {state(nil), acctest.ActionUpdate, "", purge, false},
		"anything of an empty plan":         {state(nil), acctest.ActionNoOp, "", put(`{"name":"web1"}`), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			shown := acctest.Shown{Action: test.action, Prior: state(nil), Planned: test.planned, Warnings: test.warnings}
			if more := acctest.Unplanned([]emulator.Request{test.sent}, shown.Promises()); (len(more) == 0) != test.covered {
				t.Errorf("unplanned %v, promised %s", more, strings.ReplaceAll(fmt.Sprint(shown.Promises()), "  ", "\n"))
			}
		})
	}
}
