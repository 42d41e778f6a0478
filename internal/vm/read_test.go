package vm_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestReadBelievesTheServiceAlone: a machine is gone only while its account is
// visible. A wrong base path answers 404 to everything, and a page for people
// that says 404 comes from a proxy.
func TestReadBelievesTheServiceAlone(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		kind, body string
		gone       bool
	}{
		"a page":       {"text/html; charset=utf-8", "<html><body>Not Found</body></html>", false},
		"JSON":         {"application/json", `{"error":"not found"}`, true},
		"plain text":   {"text/plain", "not found", true},
		"nothing said": {"", "", true},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			o := d.MustApply(ctx, vmType, nil, configured())
			machine := emulator.Fault{
				Status: http.StatusNotFound, Header: http.Header{"Content-Type": {test.kind}}, Body: test.body,
				Match: func(r emulator.Request) bool { return strings.Contains(r.Path, "virtual_machines") },
			}
			everything := machine
			everything.Match = nil
			for _, fault := range []emulator.Fault{everything, machine} {
				remove := e.Inject(fault)
				read, diags := e.NewDriver(t, nil).Refresh(ctx, o)
				remove()
				if fault.Match != nil && test.gone {
					if read != nil || acctest.HasErrors(diags) {
						t.Errorf("kept: %v\n%s", read, acctest.DiagText(diags))
					}
					return
				}
				acctest.ExpectError(t, diags, `Cannot read virtual machine "web1"`, "404 Not Found", "tate is unchanged")
				d.ExpectPlan(ctx, read, configured(), noop)
			}
		})
	}
}

// TestReadLooksTwice: one wrong answer forgets no machine.
func TestReadLooksTwice(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, configured())
		e.Inject(emulator.Fault{Status: http.StatusNotFound, Times: 1})
		d.ExpectPlan(ctx, o, configured(), noop)
	})
}
