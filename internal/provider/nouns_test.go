// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"fmt"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
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

		identity, _ := o.GetIdentity("").(map[string]any)
		for _, text := range test.spells(o) {
			imported := d.MustImport(ctx, typeName, text)
			config := d.GeneratedConfig(ctx, imported)
			if diags := d.Validate(typeName, config); acctest.HasErrors(diags) || config["account"] != nil { // the provider's own is not written
				t.Errorf("%v\n%s", config, acctest.DiagText(diags))
			}
			d.ExpectPlan(ctx, imported, config, acctest.ActionNoOp)
		}
		if typeName == "cloudserver_group" && len(o.Private) > 0 { // the others remember what a destroy has to know
			t.Errorf("%s: private state %q", typeName, o.Private)
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
