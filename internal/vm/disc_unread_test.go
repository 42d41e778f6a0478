package vm_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestPurgedDiscLeavesTheState: a disc that the update has purged leaves the state even if the machine can no longer be
// read. Otherwise the next refresh would report that somebody else purged it.
func TestPurgedDiscLeavesTheState(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx, after := t.Context(), configured(given{"disc": discs("vda:25600")})
		o := d.MustApply(ctx, vmType, nil, configured(given{"disc": discs("vda:25600", "vdb:5000")}))
		plan := d.Plan(ctx, vmType, d.MustRefresh(ctx, o), after)
		purged := false
		mend := e.Inject(emulator.Fault{Status: http.StatusForbidden, Match: func(r emulator.Request) bool {
			unread := purged
			purged = purged || r.Method == http.MethodDelete
			return unread && r.Method == http.MethodGet
		}})
		o, diags := d.Apply(ctx, vmType, plan)
		if said := acctest.DiagText(diags); !strings.Contains(said, "Cannot read virtual machine") || len(acctest.Blocks(o.Get("disc"))) != 1 {
			t.Errorf("the state has the discs %v:\n%s", o.Get("disc"), said)
		}
		mend()
		d = e.NewDriver(t, nil)
		o, diags = d.Refresh(ctx, o)
		if len(diags) > 0 {
			t.Errorf("the next refresh says\n%s", acctest.DiagText(diags))
		}
		d.ExpectPlan(ctx, o, after, noop)
	})
}
