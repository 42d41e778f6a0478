// SPDX-License-Identifier: MPL-2.0

package vmaction_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestFailureTexts: testdata/failures.txt has what a user reads after each failure, so that a review sees the whole text.
func TestFailureTexts(t *testing.T) {
	t.Parallel()
	on := emulator.Machine{PowerOn: true, AutorebootOn: true}
	deaf := emulator.Machine{PowerOn: true, AutorebootOn: true, IgnoresPowerdown: true}
	restart, stop := config{"state": "restart"}, config{"state": "stop"}
	const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBDEcVOF9T6JTvtpHHEpzVeRKPicDToJM8d3QYI9jjrM"
	withKey := config{"distribution": "noble", "ssh_public_key": key}
	var texts []string
	for _, test := range []struct {
		name    string
		machine emulator.Machine
		action  string
		config  config
		fault   emulator.Fault
		stop    time.Duration // after which the action is interrupted; 0: never
	}{
		{name: "no permission", machine: on, action: power, config: restart, fault: refuse(http.MethodPost, "/signal", http.StatusForbidden)},
		{name: "no permission to start it again", machine: on, action: power, config: restart, fault: refuse(http.MethodPut, `"power_on":true`, http.StatusForbidden)},
		{name: "a sick service", machine: on, action: power, config: restart, fault: refuse(http.MethodPost, "/signal", http.StatusServiceUnavailable)},
		{name: "a guest that does not shut down in time", machine: deaf, action: power, config: config{"state": "stop", "on_shutdown_timeout": "fail"}},
		{name: "a machine that does not start in time", machine: on, action: power, config: config{"state": "restart", "timeouts": config{"invoke": "25s"}}},
		{name: "a machine that is off", action: power, config: restart},
		{name: "a machine that does not exist", action: power, config: config{"state": "stop", "virtual_machine_id": "999999"}},
		{name: "an interrupt", machine: deaf, action: power, config: stop, stop: 15 * time.Second},
		{name: "an image of a machine that is on", machine: on, action: reimage, config: withKey},
		{name: "an image that is refused", machine: on, action: reimage, config: config{"distribution": "noble", "ssh_public_key": key, "allow_stopping": true}, fault: refuse(http.MethodPost, "/reimage", http.StatusBadRequest)},
	} {
		t.Run(test.name, func(t *testing.T) {
			onMachine(t, test.machine, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator, id int64) {
				if test.fault.Match != nil {
					e.Inject(test.fault)
				}
				if test.stop > 0 {
					time.AfterFunc(test.stop, func() { _ = d.Stop(t.Context()) })
				}
				_, diags := d.Invoke(t.Context(), test.action, order(id, test.config))
				if !acctest.HasErrors(diags) {
					t.Error("it does not fail")
				}
				said := strings.ReplaceAll(acctest.DiagText(diags), strconv.FormatInt(id, 10), "1004")
				texts = append(texts, fmt.Sprintf("# %s\n%s", test.name, said))
			})
		})
	}
	acctest.ExpectFile(t, "testdata/failures.txt", strings.Join(texts, "\n"))
}

// refuse returns a fault: requests whose path or body has the text are answered with the status.
func refuse(method, text string, status int) emulator.Fault {
	return emulator.Fault{Status: status, Body: "not today", Match: func(r emulator.Request) bool {
		return r.Method == method && strings.Contains(r.Path+string(r.Body), text)
	}}
}
