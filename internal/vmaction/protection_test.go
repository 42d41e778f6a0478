package vmaction_test

import (
	"testing"
	"testing/synctest"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestProtectedMachineWhenInvoked: the process that applies may know about the protection although the plan of the
// action could not, because its machine was unknown.
func TestProtectedMachineWhenInvoked(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d, e := acctest.Drive(t, emulator.Options{}, nil)
		o := d.MustApply(t.Context(), vmType, nil, map[string]any{"name": "web1", "deletion_protection": true, "disc": []map[string]any{{"label": "vda", "size": 25600}}})
		e.ResetJournal()
		config := map[string]any{"virtual_machine_id": acctest.Unknown, "distribution": "bookworm", "ssh_public_key": "ssh-ed25519 AAAA", "allow_stopping": true}
		if diags := d.PlanAction(t.Context(), reimage, config); len(diags) > 0 {
			t.Error(acctest.DiagText(diags))
		}
		config["virtual_machine_id"] = o.Get("id")
		_, diags := d.InvokePlanned(t.Context(), reimage, config)
		acctest.ExpectError(t, diags, "Cannot reimage virtual machine", "deletion_protection is true")
		acctest.ExpectCalls(t, e)
	})
}
