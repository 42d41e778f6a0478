package vm_test

import (
	"strconv"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

// An account or a group that is written by its id instead of its name is the
// same one: nothing is replaced or moved for that.
func TestAccountAndGroupWrittenOtherwise(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		account := strconv.FormatInt(e.AddAccount("other", false), 10)
		group := strconv.FormatInt(e.AddGroup("other", "blue", false), 10)
		byName := map[string]any{"name": "web1", "account": "other", "group": "blue"}
		byID := map[string]any{"name": "web1", "account": account, "group": group}
		machine := d.MustApply(t.Context(), "cloudserver_vm", nil, byName)

		for _, config := range []map[string]any{byID, byName} {
			e.ResetJournal()
			d.ExpectPlan(t.Context(), machine, config, acctest.ActionUpdate)
			machine = d.MustApply(t.Context(), "cloudserver_vm", machine, config)
			acctest.ExpectCalls(t, e)
			d.ExpectPlan(t.Context(), machine, config, acctest.ActionNoOp)
		}

		byName["account"] = "demo"
		if plan := d.Plan(t.Context(), "cloudserver_vm", machine, byName); plan.Action != acctest.ActionReplace {
			t.Errorf("an account that is really another: %s, want %s", plan.Action, acctest.ActionReplace)
		}
	})
}
