package vm_test

import (
	"bytes"
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
		"the group":    {config: given{"group": "private"}, missing: `zone_name = "manchester"`},
		"the zone":     {config: given{"zone_name": "manchester"}, missing: `group = "private"`},
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

// TestReplacementForAnAddressThatIsNotShown: one answer lacks the network interfaces of the machine, or their addresses.
// Whether the machine has the address is unknown, so that it is not replaced.
func TestReplacementForAnAddressThatIsNotShown(t *testing.T) {
	t.Parallel()
	for _, missing := range []string{"network_interfaces", "ips"} {
		inBubbleNamed(t, missing, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			base := given{"group": "private", "zone_name": "york"}
			o := d.MustApply(ctx, vmType, nil, configured(base))
			changeMachine(t, e, func(m *emulator.Machine) { m.Interfaces[0].IPs = append(m.Interfaces[0].IPs, "192.0.2.99") })
			config := configured(base, given{"ips.ipv4": "192.0.2.99"})
			remove := e.Inject(emulator.Fault{
				Match: func(r emulator.Request) bool {
					return r.Method == http.MethodGet && strings.Contains(r.Path, "/virtual_machines")
				},
				Rewrite: func(status int, header http.Header, body []byte) (int, http.Header, []byte) {
					return status, header, bytes.ReplaceAll(body, []byte(`"`+missing+`":`), []byte(`"later":`))
				},
			})
			acctest.ExpectError(t, d.Plan(ctx, vmType, o, config).Diagnostics, "error at ips", "Cannot plan the addresses", "lacks the network interfaces")
			remove()
			d.ExpectPlan(ctx, o, config, update)
		})
	}
}

var inManchester = given{"zone_name": "manchester"}

// TestReplacementIsToldWhatACreationIs: of the second plan of a replacement, the CLI drops the warnings.
func TestReplacementIsToldWhatACreationIs(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		config object
		says   []string // of the first plan
	}{
		"the name of another machine":  {named("web2", inManchester), []string{"The name of the machine is taken", "All discs will be lost", "If the service refuses the new machine, there is none"}},
		"a group that does not exist":  {named("web1", inManchester, given{"group": "prod"}), []string{"The group does not exist yet"}},
		"an unlisted hardware profile": {named("web1", inManchester, given{"hardware_profile": "virtio2099"}), []string{"The service does not list a value"}},
		"no login":                     {named("web1", inManchester, given{"reimage.distribution": "bookworm"}), []string{"Nobody can log in"}},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			o := d.MustApply(ctx, vmType, nil, named("web1", inYork))
			e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "web2", ZoneName: "york", Cores: 1, Memory: 1024})
			plan := d.RefreshAndPlan(ctx, o, test.config)
			if plan.Action != replace {
				t.Fatalf("plan: %s\n%s", plan.Action, acctest.DiagText(plan.Diagnostics))
			}
			expectSays(t, plan.Warnings(), test.says...)
		})
	}
}
