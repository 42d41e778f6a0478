// SPDX-License-Identifier: MPL-2.0

package vm_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestStateWithoutIdentity: a CLI without identities wrote the state, and the provider may not be configured yet. Every
// path out of a read sets the identity.
func TestStateWithoutIdentity(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		stripped := *d.MustApply(t.Context(), vmType, nil, configured())
		stripped.Identity = nil
		for _, settings := range []given{nil, {"endpoint": acctest.Unknown}, {"token": acctest.Unknown}, {"max_retries": 0}} {
			if settings["max_retries"] != nil {
				e.Inject(emulator.Fault{Status: 202}) // not described at the moment
			}
			d := e.NewDriver(t, settings)
			o, diags := d.Refresh(t.Context(), &stripped)
			for _, config := range []object{configured(), configured(given{"keymap": "de"}), nil} {
				diags = append(diags, d.Plan(t.Context(), vmType, &stripped, config).Diagnostics...)
			}
			if text := acctest.DiagText(diags); blamesProvider(text) || o.GetIdentity("id") != stripped.Get("id") {
				t.Errorf("identity %v\n%s", o.GetIdentity("id"), text)
			}
		}
	})
}

// TestAdviceOfAFailedRead: how to go on without one machine is said only if others may be read.
func TestAdviceOfAFailedRead(t *testing.T) {
	t.Parallel()
	for status, isSaid := range map[int]bool{http.StatusUnauthorized: false, http.StatusTooManyRequests: false, http.StatusForbidden: true, http.StatusInternalServerError: true} {
		inBubbleNamed(t, http.StatusText(status), func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			o := d.MustApply(t.Context(), vmType, nil, configured())
			e.Inject(emulator.Fault{Status: status, Match: func(r emulator.Request) bool { return strings.Contains(r.Path, "/virtual_machines") }})
			_, diags := e.NewDriver(t, nil).Refresh(t.Context(), o)
			expectSays(t, diags, `Cannot read virtual machine "web1"`, "The state is unchanged.")
			if text := acctest.DiagText(diags); strings.Contains(text, "To go on without this machine") != isSaid {
				t.Errorf("want the advice: %t\n%s", isSaid, text)
			}
		})
	}
}

// TestPrivateStateOfAPlainMachine: it is empty.
func TestPrivateStateOfAPlainMachine(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		config  given
		private string
	}{
		"plain":            {image, ""},
		"without an image": {nil, "no_image"},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			o := d.MustApply(ctx, vmType, nil, configured(test.config))
			for range 2 {
				if text := privateState(t, o); (text == "") != (test.private == "") || !strings.Contains(text, test.private) {
					t.Errorf("private state %q", text)
				}
				o = d.MustApply(ctx, vmType, d.MustRefresh(ctx, o), configured(test.config, given{"keymap": "de"}))
			}
		})
	}
}

// TestUpdateOfASoftDeletedMachine: nothing is changed, so an undelete restores the machine as it was.
func TestUpdateOfASoftDeletedMachine(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, configured(given{"cores": 1, "allow_stopping_for_update": true}))
		plan := d.Plan(ctx, vmType, o, configured(given{"cores": 2, "allow_stopping_for_update": true}))
		e.SoftDelete(onlyMachine(t, e).ID)
		kept, diags := d.Apply(ctx, vmType, plan)
		expectSays(t, diags, "Cannot stop", "is soft-deleted", "Nothing was changed.")
		if kept == nil || !onlyMachine(t, e).AutorebootOn {
			t.Errorf("kept %v, %+v", kept, onlyMachine(t, e))
		}
	})
}
