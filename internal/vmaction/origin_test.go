package vmaction_test

import (
	"bytes"
	"net/http"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestServiceChangesAfterTheMachine: another service answers after this process has created, changed or read a machine, with
// a machine of the same ID. What follows in the same apply knows the hostname of ours: an action that is triggered, and a
// schedule that is created.
func TestServiceChangesAfterTheMachine(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"created", "updated", "refreshed"} {
		t.Run(how, func(t *testing.T) {
			d, e := acctest.Drive(t, emulator.Options{}, nil)
			ctx := t.Context()
			web := map[string]any{"name": "web1", "power_on": false, "disc": []map[string]any{{"label": "vda", "size": 25600}}}
			o := d.MustApply(ctx, vmType, nil, web)
			switch how {
			case "updated":
				d = e.NewDriver(t, nil) // a process that applies, and has refreshed nothing
				web["cores"] = 2
				o = d.MustApply(ctx, vmType, o, web)
			case "refreshed":
				d = e.NewDriver(t, nil)
				o = d.MustRefresh(ctx, o)
			}
			plan := d.Plan(ctx, "cloudserver_backup_schedule", nil, config{
				"virtual_machine_id": o.Get("id"), "disc_id": o.Get("disc.0.id"), "start_at": "2099-01-31 04:00:00", "interval_seconds": 604800,
			})
			e.Inject(emulator.Fault{Rewrite: func(status int, header http.Header, body []byte) (int, http.Header, []byte) {
				return status, header, bytes.ReplaceAll(body, []byte(emulator.ClusterDomain), []byte("copy.example"))
			}})
			e.ResetJournal()
			if _, diags := d.Apply(ctx, "cloudserver_backup_schedule", plan); !acctest.HasErrors(diags) {
				t.Error("a schedule was created")
			}
			if _, diags := d.Invoke(ctx, reimage, config{"virtual_machine_id": o.Get("id"), "distribution": "noble", "ssh_public_key": "ssh-ed25519 AAAA"}); !acctest.HasErrors(diags) {
				t.Error("the machine was reimaged")
			}
			acctest.ExpectCalls(t, e)
		})
	}
}
