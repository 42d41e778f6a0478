package vm_test

import (
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestNameOfAStranger: the apply tries for half a minute, because it may still be deleting the machine that has the name.
// The machine keeps its name, and the error names the one that has the wanted name.
func TestNameOfAStranger(t *testing.T) {
	t.Parallel()
	for name, deleted := range map[string]bool{"live": false, "soft-deleted": true} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			id := e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "taken"})
			if deleted {
				e.SoftDelete(id)
			}
			o := d.MustApply(ctx, vmType, nil, named("web1"))
			for _, prior := range []*acctest.Object{o, nil} {
				e.ResetJournal()
				plan := d.Plan(ctx, vmType, prior, named("taken", given{"cores": 2, leave: true}))
				if text := acctest.DiagText(plan.Diagnostics); !strings.Contains(text, "warning at name") || !strings.Contains(text, "machine "+idOf(id)+" has the name") {
					t.Errorf("the plan says\n%s", text)
				}
				began := time.Now()
				after := expectApplyFailure(t, d, plan, "error at name: Cannot", "machine "+idOf(id)+" has the name")
				switch took := time.Since(began); {
				case took > time.Minute:
					t.Errorf("took %s", took)
				case prior == nil:
					continue
				case after.Get("name") != "web1" || after.Get("cores") != o.Get("cores"):
					t.Errorf("the state has %v", after.Get(""))
				case strings.Trim(strings.ReplaceAll(sent(e), "PUT name=taken", ""), "; ") != "":
					t.Errorf("sent %s", sent(e))
				}
			}
		})
	}
}
