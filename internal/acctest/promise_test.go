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
		"a rename":                          {planned: state(map[string]any{"name": "web2"}), action: acctest.ActionUpdate, sent: put(`{"name":"web2"}`), covered: true},
		"a rename to something else":        {planned: state(map[string]any{"name": "web2"}), action: acctest.ActionUpdate, sent: put(`{"name":"web3"}`)},
		"a rename of another machine":       {planned: state(map[string]any{"name": "web2"}), action: acctest.ActionUpdate, sent: elsewhere},
		"a rename that is known only later": {planned: state(map[string]any{"name": acctest.Unknown}), action: acctest.ActionUpdate, sent: put(`{"name":"web3"}`), covered: true},
		"cores beside a rename":             {planned: state(map[string]any{"name": "web2"}), action: acctest.ActionUpdate, sent: put(`{"name":"web2","cores":4}`)},
		"a stop that nobody spoke of":       {planned: state(map[string]any{"cores": int64(4)}), action: acctest.ActionUpdate, sent: put(`{"autoreboot_on":false}`)},
		"a stop that was not allowed":       {planned: state(map[string]any{"cores": int64(4)}), action: acctest.ActionUpdate, warnings: "The update restarts", sent: put(`{"autoreboot_on":false}`)},
		"a stop that was said":              {planned: state(map[string]any{"cores": int64(4), "allow_stopping_for_update": true}), action: acctest.ActionUpdate, warnings: "The update restarts", sent: put(`{"autoreboot_on":false}`), covered: true},
		"a disc that is named":              {planned: state(without), action: acctest.ActionUpdate, warnings: "Discs will be purged: \"vdb\"\n" + `"vdb" (ID 9, 1000 megabytes, sata)`, sent: purge, covered: true},
		"a disc without a warning":          {planned: state(without), action: acctest.ActionUpdate, sent: purge},
		"a disc that stays":                 {planned: state(nil), action: acctest.ActionUpdate, sent: purge},
		"anything of an empty plan":         {planned: state(nil), action: acctest.ActionNoOp, sent: put(`{"name":"web1"}`)},
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
