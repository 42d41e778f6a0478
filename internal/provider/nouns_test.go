package provider_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
)

// TestNouns tests what all resources have in common. The machine has its own tests.
func TestNouns(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	id := e.AddMachine("demo", emulator.PrivateGroup, emulator.Machine{
		Name: "web1", Discs: []emulator.Disc{{Label: "vda", Size: 25600}}, Interfaces: []emulator.Interface{{MAC: "52:54:00:00:00:01", IPs: []string{"2001:db8:1::10"}}},
	})
	machine, _ := e.Machine(id)
	at := fmt.Sprintf("%d/%d/", id, machine.Discs[0].ID)
	for typeName, test := range map[string]struct {
		config object
		spells func(o *acctest.Object) []string // its import IDs
	}{
		"cloudserver_group": {object{"name": "production"}, func(o *acctest.Object) []string {
			return []string{"demo/production", o.Get("id").(string), "production"}
		}},
		"cloudserver_rdns": {object{"address": "2001:db8:1::10", "hostname": "www.example.com"}, func(*acctest.Object) []string {
			return []string{"2001:db8:1::10", "2001:DB8:1:0:0:0:0:10"}
		}},
		"cloudserver_backup_schedule": {object{
			"virtual_machine_id": fmt.Sprint(id), "disc_id": fmt.Sprint(machine.Discs[0].ID), "start_at": "2030-01-31 04:00:00 UTC", "interval_seconds": 604800,
		}, func(o *acctest.Object) []string { return []string{at + o.Get("id").(string)} }},
	} {
		o := d.MustApply(ctx, typeName, nil, test.config)

		// It is imported for one resource, and not beside one that has it.
		identity, _ := o.GetIdentity("").(map[string]any)
		for _, text := range test.spells(o) {
			run := e.NewDriver(t, nil).OneRun()
			imported := run.MustImport(ctx, typeName, text)
			config := d.GeneratedConfig(ctx, imported)
			if diags := d.Validate(typeName, config); acctest.HasErrors(diags) || config["account"] != nil { // the provider's own is not written
				t.Errorf("%v\n%s", config, acctest.DiagText(diags))
			}
			e.NewDriver(t, nil).ExpectPlan(ctx, imported, config, acctest.ActionNoOp)
			_, twice := run.ImportByIdentity(ctx, typeName, identity)
			_, beside := run.Refresh(ctx, o)
			for _, text := range []string{acctest.DiagText(twice), acctest.DiagText(beside)} {
				if !strings.Contains(text, "for a second resource") {
					t.Errorf("%s: got %s", typeName, text)
				}
			}
		}

		// A run without a refresh passes the states on, before or after.
		for _, first := range []bool{true, false} {
			run := e.NewDriver(t, nil).OneRun()
			var diags []*tfprotov6.Diagnostic
			if first {
				run.Upgrade(ctx, o)
				_, diags = run.ImportByIdentity(ctx, typeName, identity)
			} else {
				run.MustImport(ctx, typeName, test.spells(o)[0])
				diags = run.Upgrade(ctx, o)
			}
			acctest.ExpectError(t, diags, "for a second resource")
		}

		// A provider that is not configured yet leaves a state as it is, and writes the
		// identity that a CLI without identities has not.
		old := *o
		old.Identity = nil
		unknown := e.NewDriver(t, object{"endpoint": acctest.Unknown})
		e.ResetJournal()
		read := unknown.MustRefresh(ctx, &old)
		unknown.ExpectPlan(ctx, &old, test.config, acctest.ActionNoOp)
		if fmt.Sprint(read.GetIdentity("")) != fmt.Sprint(identity) || !read.State.Equal(o.State) || len(e.AllCalls()) > 0 {
			t.Errorf("read as %v, identity %v, requests %v", read.Get(""), read.GetIdentity(""), e.AllCalls())
		}
		if read = d.MustRefresh(ctx, &old); fmt.Sprint(read.GetIdentity("")) != fmt.Sprint(identity) {
			t.Errorf("identity %v", read.GetIdentity(""))
		}
	}
}

// TestPlanWithoutConfigure: no CLI plans with a provider that it has not configured. Such a plan asks nothing.
func TestPlanWithoutConfigure(t *testing.T) {
	t.Parallel()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	never := acctest.OpenDriver(t, acctest.NewServer(t, provider.NewWithTransport("test", e.Transport())()))
	for typeName, config := range map[string]object{
		"cloudserver_vm":              {"name": "web1", "disc": []object{{"label": "vda", "size": 25600}}},
		"cloudserver_group":           {"name": "production"},
		"cloudserver_rdns":            {"address": "2001:db8:1::10", "hostname": "www.example.com"},
		"cloudserver_backup_schedule": {"virtual_machine_id": "1", "disc_id": "1", "start_at": "2030-01-31 04:00:00 UTC", "interval_seconds": 604800},
	} {
		if diags := never.Plan(t.Context(), typeName, nil, config).Diagnostics; acctest.HasErrors(diags) {
			t.Errorf("%s: %s", typeName, acctest.DiagText(diags))
		}
	}
	machine := d.MustApply(t.Context(), "cloudserver_vm", nil, object{"name": "web1", "disc": []object{{"label": "vda", "size": 25600}}})
	e.ResetJournal()
	never.ExpectPlan(t.Context(), machine, object{
		"name": "web1", "cores": 2, "allow_stopping_for_update": true, "disc": []object{{"label": "vda", "size": 25600}},
	}, acctest.ActionUpdate)
	never.ExpectPlan(t.Context(), machine, nil, acctest.ActionDelete)
	if len(e.AllCalls()) > 0 {
		t.Errorf("requests %v", e.AllCalls())
	}
}
