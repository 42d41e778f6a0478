// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"fmt"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestLostState: a state that is lost is rebuilt from the configuration. Machines, groups and reverse names are imported
// by what the configuration has of them, as an import block with for_each does. The create of a schedule takes over the
// one that exists. Nothing at the service changes.
func TestLostState(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	first, e := acctest.Drive(t, emulator.Options{}, nil)
	apply := func(d *acctest.Driver, typeName string, config object) *acctest.Object {
		return d.MustApply(ctx, typeName, nil, config)
	}
	groups := []string{"web", "db", "staging"}
	machineConfig := func(i int) object {
		return object{
			"name": fmt.Sprintf("app%d", i), "group": groups[i%len(groups)], "disc": []object{{"label": "vda", "size": 25600}},
		}
	}
	rdnsConfig := func(machine *acctest.Object, i int) object {
		return object{"address": machine.Get("ipv4_address"), "hostname": fmt.Sprintf("app%d.example.com", i)}
	}
	scheduleConfig := func(machine *acctest.Object) object {
		return object{
			"virtual_machine_id": machine.Get("id"), "disc_id": machine.Get("disc_ids.vda"),
			"start_at": "2030-01-31 04:00:00", "interval_seconds": 86400,
		}
	}
	for _, name := range groups {
		apply(first, "cloudserver_group", object{"name": name})
	}
	const machines = 20
	for i := range machines {
		machine := apply(first, "cloudserver_vm", machineConfig(i))
		apply(first, "cloudserver_rdns", rdnsConfig(machine, i))
		apply(first, "cloudserver_backup_schedule", scheduleConfig(machine))
	}

	d := e.NewDriver(t, nil)
	e.ResetJournal()
	imported := func(typeName, id string, config object) *acctest.Object {
		o := d.MustImport(ctx, typeName, id)
		d.ExpectPlan(ctx, o, config, acctest.ActionNoOp)
		return o
	}
	for _, name := range groups {
		imported("cloudserver_group", name, object{"name": name})
	}
	for i := range machines {
		config := machineConfig(i)
		machine := imported("cloudserver_vm", fmt.Sprintf("%s/%s", config["group"], config["name"]), config)
		imported("cloudserver_rdns", machine.Get("ipv4_address").(string), rdnsConfig(machine, i))
		schedule := apply(d, "cloudserver_backup_schedule", scheduleConfig(machine))
		d.ExpectPlan(ctx, schedule, scheduleConfig(machine), acctest.ActionNoOp)
	}
	acctest.ExpectCalls(t, e)
}
