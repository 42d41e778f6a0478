// SPDX-License-Identifier: MPL-2.0

package vm_test

import (
	"net/http"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestAddressesStay changes what the service lists of the interfaces. The address of the state stays while the machine
// has it; a link-local one never counts.
func TestAddressesStay(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(m *emulator.Machine)
		ipv6   string // after the refresh; "": as before
		ipv4   string
	}{
		"another interface first": {change: func(m *emulator.Machine) {
			m.Interfaces = append([]emulator.Interface{{ID: 99, MAC: "fe:ff", IPs: []string{"198.51.100.7", "2001:db8:99::7"}}}, m.Interfaces...)
		}},
		"another order": {change: func(m *emulator.Machine) { slices.Reverse(m.Interfaces[0].IPs) }},
		"a link-local address first": {change: func(m *emulator.Machine) {
			m.Interfaces[0].IPs = append([]string{"fe80::1", "169.254.1.1"}, m.Interfaces[0].IPs...)
		}},
		"other addresses": {
			change: func(m *emulator.Machine) { m.Interfaces[0].IPs = []string{"fe80::1", "198.51.100.7", "2001:db8:99::7"} },
			ipv4:   "198.51.100.7", ipv6: "2001:db8:99::7",
		},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			o := d.MustApply(t.Context(), vmType, nil, configured())
			want := given{"ipv4_address": o.Get("ipv4_address"), "ipv6_address": o.Get("ipv6_address")}
			changeMachine(t, e, test.change)
			if test.ipv4 != "" {
				want = given{"ipv4_address": test.ipv4, "ipv6_address": test.ipv6}
			}
			expectState(t, d.MustRefresh(t.Context(), o), want)
		})
	}
}

// TestSecondFamily: an address that the service shows a moment after the first one is in the state.
func TestSecondFamily(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		began := time.Now()
		ipv6 := regexp.MustCompile(`,"[0-9a-f]*:[0-9a-f:]*"\]`)
		e.Inject(emulator.Fault{
			Match: func(r emulator.Request) bool { return r.Method == "GET" && time.Since(began) < 37*time.Second },
			Rewrite: func(status int, header http.Header, body []byte) (int, http.Header, []byte) {
				return status, header, ipv6.ReplaceAll(body, []byte("]"))
			},
		})
		o := d.MustApply(t.Context(), vmType, nil, configured())
		if o.Get("ipv6_address") == nil || o.Get("ipv4_address") == nil {
			t.Errorf("addresses %v and %v", o.Get("ipv4_address"), o.Get("ipv6_address"))
		}
	})
}

// TestStartingMachine: the service is about to start a machine that is configured to be off.
func TestStartingMachine(t *testing.T) {
	inWorld(t, emulator.Options{BootTime: time.Minute}, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, configured(off))
		changeMachine(t, e, func(m *emulator.Machine) { m.AutorebootOn = true })
		plan := d.RefreshAndPlan(ctx, o, configured(off))
		expectSays(t, plan.Diagnostics, `The service is about to start virtual machine "web1"`, "Plan again when it is on")
		if plan.Action != noop {
			t.Errorf("the plan is to %s", plan.Action)
		}
	})
}
