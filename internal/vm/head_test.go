package vm_test

import (
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

// TestHeadFollowsThePower: a machine that is off runs on no head, and the state
// after the apply says so.
func TestHeadFollowsThePower(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, _ *acctest.Emulator) {
		ctx := t.Context()
		on := given{"power_on": true}
		o := d.MustApply(ctx, vmType, nil, configured(on))
		expectState(t, o, given{"head": "head-york-1"})
		o = d.MustApply(ctx, vmType, o, configured(off))
		expectState(t, o, given{"head": nil})
		o = d.MustApply(ctx, vmType, o, configured(on))
		expectState(t, o, given{"head": "head-york-1"})
	})
}
