package vm_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestEditedID: an ID in the state that is not a positive number is an error
// that says so, and forgets no machine.
func TestEditedID(t *testing.T) {
	t.Parallel()
	for _, id := range []any{"0", "-3", "web1", "", nil, "12345678901234567890"} {
		inBubbleNamed(t, "id", func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			o := d.MustApply(ctx, vmType, nil, configured())
			bad := edited(t, o, "id", id)
			e.ResetJournal()
			kept, diags := d.Refresh(ctx, bad)
			acctest.ExpectError(t, diags, "error at id: Cannot read", "is not a positive number", "terraform state rm")
			if kept == nil {
				t.Error("the machine is forgotten")
			}
			for _, config := range []object{configured(given{"keymap": "de"}), nil} {
				plan := d.Plan(ctx, vmType, bad, config)
				diags := plan.Errors()
				if plan.Action != refused {
					_, diags = d.Apply(ctx, vmType, plan)
				}
				acctest.ExpectError(t, acctest.Errors(diags), "is not a positive number")
			}
			expectSent(t, e, "")
		})
	}
}

// TestEditedTimeouts: a timeout in the state with which every operation would
// fail counts as the default.
func TestEditedTimeouts(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := edited(t, d.MustApply(ctx, vmType, nil, configured(given{"timeouts.delete": "5m"})), "timeouts.delete", "0s")
		d.MustApply(ctx, vmType, o, nil)
		expectNoMachine(t, e)
	})
}

// TestStateWithoutIdentity was written by a CLI that knows none, and the provider
// may not be configured yet: every path out of a read sets the identity.
func TestStateWithoutIdentity(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		stripped := *d.MustApply(ctx, vmType, nil, configured())
		stripped.Identity = nil
		read := func(settings map[string]any) {
			t.Helper()
			d := e.NewDriver(t, settings)
			o, diags := d.Refresh(ctx, &stripped)
			if noProviderBug(t, diags); o.GetIdentity("id") != stripped.Get("id") {
				t.Errorf("identity %v\n%s", o.GetIdentity("id"), acctest.DiagText(diags))
			}
			for _, config := range []object{configured(), configured(given{"keymap": "de"}), nil} {
				noProviderBug(t, d.Plan(ctx, vmType, &stripped, config).Diagnostics)
			}
		}
		read(nil)
		read(map[string]any{"endpoint": acctest.Unknown})
		read(map[string]any{"token": acctest.Unknown})
		e.Inject(emulator.Fault{Status: 202}) // not described today
		read(nil)
	})
}

// noProviderBug fails on what Terraform or the framework blame the provider for.
func noProviderBug(t *testing.T, diags []*tfprotov6.Diagnostic) {
	t.Helper()
	text := acctest.DiagText(diags)
	for _, blame := range []string{"error in the provider", "bug in the provider", "issue in the provider", "provider developers"} {
		if strings.Contains(text, blame) {
			t.Errorf("%s", text)
		}
	}
}

// TestPrivateStateOfAPlainMachine is empty.
func TestPrivateStateOfAPlainMachine(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		config  given
		private string
	}{
		"plain":              {image, ""},
		"without an image":   {nil, "blank"},
		"protected":          {with(image, "deletion_protection", true), "protected"},
		"with all it can be": {given{"reimage.distribution": "bookworm", "reimage.root_password": "x1y2z3", "group": "private", "ips.ipv4": "192.0.2.10", "cores": 2, "power_on": true}, ""},
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
