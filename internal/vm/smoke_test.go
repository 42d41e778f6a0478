package vm_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

func TestSmoke(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := t.Context()
		d, e := acctest.Drive(t, emulator.Options{BootTime: 33 * time.Second}, nil)
		config := map[string]any{"name": "web1", "memory": 2048, "disc": []map[string]any{{"label": "vda", "size": 25600}, {"label": "vdb", "size": 25600, "storage_grade": "ssd"}},
			"reimage": map[string]any{"distribution": "bookworm", "root_password_wo": "x-marker", "root_password_wo_version": 1}}
		p := d.Plan(ctx, "cloudserver_vm", nil, config)
		t.Log(p.Action, acctest.DiagText(p.Diagnostics))
		start := time.Now()
		o, diags := d.Apply(ctx, "cloudserver_vm", p)
		t.Log(time.Since(start), acctest.DiagText(diags))
		t.Log(e.AllCalls())
		e.ResetJournal()
		d.ExpectPlan(ctx, o, config, acctest.ActionNoOp)
		config["memory"] = 4096
		config["name"] = "web2"
		config["disc"] = []map[string]any{{"label": "vda", "size": 30000}, {"label": "vdc", "size": 25600}, {"label": "vdb", "size": 25600}}
		p = d.ExpectPlan(ctx, o, config, acctest.ActionUpdate)
		t.Log(p.Action, acctest.DiagText(p.Diagnostics))
		o, diags = d.Apply(ctx, "cloudserver_vm", p)
		t.Log(acctest.DiagText(diags))
		t.Log(e.AllCalls())
		d.ExpectPlan(ctx, o, config, acctest.ActionNoOp)
		i, diags := d.Import(ctx, "cloudserver_vm", "default/web2")
		t.Log(acctest.DiagText(diags))
		e.ResetJournal()
		p = d.ExpectPlan(ctx, i, config, acctest.ActionUpdate)
		t.Log(p.Action, p.Changes(), acctest.DiagText(p.Diagnostics))
		i, diags = d.Apply(ctx, "cloudserver_vm", p)
		t.Log(acctest.DiagText(diags))
		t.Log(e.AllCalls())
		d.ExpectPlan(ctx, i, config, acctest.ActionNoOp)
		d.MustApply(ctx, "cloudserver_vm", i, nil)
	})
}
