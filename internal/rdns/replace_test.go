package rdns_test

import (
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

// TestReplacedAtTheSameAddress: the machine of a reverse name moves to another group, and its addresses might change, so
// the plan replaces the name. The apply resets it and plans it again at what turns out to be the same address. Nobody
// else has a name there.
func TestReplacedAtTheSameAddress(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	o := w.set(w.d, nil, named(ipv4, www))
	apply := w.process().OneRun()
	apply.MustApply(ctx, rdnsType, o, nil)
	plan := apply.Plan(ctx, rdnsType, nil, named(ipv4, www))
	if len(plan.Diagnostics) > 0 || plan.Action != acctest.ActionCreate {
		t.Errorf("%s: %s", plan.Action, acctest.DiagText(plan.Diagnostics))
	}
}
