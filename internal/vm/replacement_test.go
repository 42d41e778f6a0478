// SPDX-License-Identifier: MPL-2.0

package vm_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestReplacementStaysWhereTheMachineWas: Terraform plans the new machine without the state of the old one, so defaults
// could put it into another group or zone.
func TestReplacementStaysWhereTheMachineWas(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		settings map[string]any // of the provider
		config   given
		missing  string // lines, "" where it is replaced
	}{
		"nothing said": {missing: `group     = "private"|zone_name = "manchester"`},
		"all":          {config: given{"group": "private", "zone_name": "manchester"}},
		"another account": {
			settings: map[string]any{"account": "other"},
			config:   given{"group": "private", "zone_name": "manchester"},
			missing:  `account = "demo"`,
		},
		"provider's group": {settings: map[string]any{"group": "private"}, config: given{"zone_name": "manchester"}},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			e.AddAccount("other", false)
			addImportable(e)
			o := mustImport(t, d, "demo/private/web1")
			d = e.NewDriver(t, test.settings)
			e.ResetJournal()
			config := configured(image, given{"disc": discs("vda:25600:sata", "vdb:51200:archive"), "ips.ipv4": "192.0.2.99"}, test.config)
			plan := d.Plan(ctx, vmType, o, config)
			if test.missing == "" {
				if expectSays(t, plan.Warnings(), "cores            = 2", "memory           = 2048"); plan.Action != replace {
					t.Errorf("plan: %s", plan.Action)
				}
				return
			}
			lines := strings.Split(test.missing, "|")
			acctest.ExpectError(t, plan.Diagnostics, append(lines, "error at ips.ipv4:", "where it is")...)
			for _, other := range []string{"group", "zone_name", "account"} {
				if strings.Contains(acctest.DiagText(plan.Diagnostics), "  "+other+" ") != strings.Contains(test.missing, other+" ") {
					t.Errorf("%s:\n%s", other, acctest.DiagText(plan.Diagnostics))
				}
			}
			expectSent(t, e, "")
		})
	}
}

// TestReplacementForAnAddressNeedsAnAnswer: the plan asks the service whether the machine has a further address. Without
// an answer, the machine is not replaced.
func TestReplacementForAnAddressNeedsAnAnswer(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		base := given{"group": "private", "zone_name": "york"}
		o := d.MustApply(ctx, vmType, nil, configured(base))
		changeMachine(t, e, func(m *emulator.Machine) { m.Interfaces[0].IPs = append(m.Interfaces[0].IPs, "192.0.2.99") })
		config := configured(base, given{"ips.ipv4": "192.0.2.99"})
		remove := e.Inject(emulator.Fault{Status: http.StatusForbidden, Match: func(r emulator.Request) bool {
			return r.Method == http.MethodGet && strings.Contains(r.Path, "/virtual_machines")
		}})
		acctest.ExpectError(t, d.Plan(ctx, vmType, o, config).Diagnostics, "error at ips", "Cannot plan the addresses")
		remove()
		d.ExpectPlan(ctx, o, config, update)
		d.ExpectPlan(ctx, o, configured(base, given{"ips.ipv4": "192.0.2.98"}), replace)
	})
}
