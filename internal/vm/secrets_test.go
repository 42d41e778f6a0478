// SPDX-License-Identifier: MPL-2.0

package vm_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestSecretsOfAnOperation: the service quotes the script and the password of an image in its answers to reads as well.
// The error of a create or of an update has neither.
func TestSecretsOfAnOperation(t *testing.T) {
	t.Parallel()
	quotes := emulator.Fault{
		Status: http.StatusBadRequest, Body: "cannot run echo marker-script, nor use marker-password",
		Match: func(r emulator.Request) bool { return strings.HasPrefix(r.Path, "/virtual_machines/") },
	}
	withSecrets := given{
		"reimage": object{
			"distribution": "bookworm", "root_password": "marker-password",
			"firstboot_script": "#!/bin/sh\necho marker-script\n", "on_change": "reimage",
		},
		"allow_stopping_for_update": true, "timeouts.create": "1m", "timeouts.update": "1m",
	}
	for name, update := range map[string]bool{"create": false, "update": true} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			config := configured(withSecrets)
			var o *acctest.Object
			if update {
				o = d.MustApply(t.Context(), vmType, nil, config)
				config["reimage"].(object)["distribution"] = "trixie"
			}
			plan := d.Plan(t.Context(), vmType, o, config)
			e.Inject(quotes)
			_, diags := d.Apply(t.Context(), vmType, plan)
			acctest.ExpectError(t, acctest.Errors(diags), "400 Bad Request: cannot run (hidden), nor use (hidden)")
			if text := acctest.DiagText(diags); strings.Contains(text, "marker") {
				t.Error(text)
			}
		})
	}
}
