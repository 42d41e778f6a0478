// SPDX-License-Identifier: MPL-2.0

package e2e_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// unknownCase is a value that is unknown at plan.
type unknownCase struct {
	name   string
	noun   string
	action acctest.Action
	// unknown has the arguments that are unknown at plan, with the values that they get, or nil for those of the
	// configuration. planned has what is planned for those that are unknown only in part.
	unknown object
	planned object
	// refused says who refuses values that turn out to be other ones, which is not tried here.
	refused string
}

// unknownCases has each argument of each noun: new, in the end as it was, and in the end another one. A machine is only
// created here: package vm has a table of one that exists.
func unknownCases() []unknownCase {
	const group, schedule, reverseName = "group", "backup schedule", "reverse name"
	const cli = "the CLI, because its final plan is a replacement: see TestUnknownZone"
	const create, update, replace = acctest.ActionCreate, acctest.ActionUpdate, acctest.ActionReplace
	discs := func(label any) object {
		return object{"disc": []object{{"label": "vda", "size": 25600}, {"label": label, "size": 5000}}}
	}
	return []unknownCase{
		{name: "size", noun: "machine", action: create, unknown: object{"cores": 4, "memory": 4096}},
		{name: "place", noun: "machine", action: create, unknown: object{"group": "default", "account": "demo", "zone_name": "york"}},
		{name: "name and power", noun: "machine", action: create, unknown: object{"name": "web2", "power_on": true}},
		{name: "settings", noun: "machine", action: create, unknown: object{"keymap": "de", "cdrom_url": "https://iso.example.com/a.iso", "hardware_profile": "virtio2013"}},
		{name: "discs", noun: "machine", action: create, unknown: object{"disc": []object{{"label": "vda", "size": 25600}}}},
		{name: "label of a disc", noun: "machine", action: create, unknown: discs("data"), planned: discs(acctest.Unknown)},
		{name: "image", noun: "machine", action: create, unknown: object{"reimage": object{"distribution": "bookworm", "ssh_public_key": sshKey}}},

		{name: "new", noun: group, action: create, unknown: object{"name": "team", "account": "demo"}},
		{name: "equal", noun: group, action: update, unknown: object{"name": nil, "account": "demo"}},
		{name: "other name", noun: group, action: update, unknown: object{"name": "crew"}},
		{name: "other account", noun: group, action: update, unknown: object{"account": "other"}, refused: cli},

		{name: "new", noun: schedule, action: create, unknown: object{"virtual_machine_id": nil, "disc_id": nil, "capacity": 2, "start_at": nil, "interval_seconds": 604800}},
		{name: "equal place", noun: schedule, action: update, unknown: object{"virtual_machine_id": nil, "disc_id": nil}},
		{name: "equal times", noun: schedule, action: replace, unknown: object{"start_at": nil, "interval_seconds": nil, "capacity": nil}},
		{name: "other times", noun: schedule, action: replace, unknown: object{"start_at": "2041-01-31 04:00:00", "interval_seconds": 86400, "capacity": 3}},
		{name: "other place", noun: schedule, action: update, unknown: object{"virtual_machine_id": "99", "disc_id": "98"}, refused: cli},

		{name: "new", noun: reverseName, action: create, unknown: object{"address": holderAddress, "hostname": "www.example.com"}},
		{name: "equal", noun: reverseName, action: update, unknown: object{"address": nil, "hostname": nil}},
		{name: "other name", noun: reverseName, action: update, unknown: object{"hostname": "web.example.com"}},
		{name: "other address", noun: reverseName, action: update, unknown: object{"address": "192.0.2.20"}, refused: cli},
	}
}

const sshKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBDEcVOF9T6JTvtpHHEpzVeRKPicDToJM8d3QYI9jjrM"

// TestUnknownCasesAreWhole checks that each argument of the nouns beside the machine is new, equal and another one.
func TestUnknownCasesAreWhole(t *testing.T) {
	t.Parallel()
	d, _ := acctest.Drive(t, emulator.Options{}, nil)
	for _, noun := range contractNouns() {
		if noun.typeName == vmType {
			continue
		}
		for _, argument := range d.Arguments(noun.typeName) {
			for _, kind := range []string{"new", "equal", "other"} {
				hasRow := slices.ContainsFunc(unknownCases(), func(row unknownCase) bool {
					_, isIn := row.unknown[argument]
					return isIn && row.noun == noun.name && strings.HasPrefix(row.name, kind)
				})
				if !hasRow {
					t.Errorf("%s of a %s: no row %q", argument, noun.name, kind)
				}
			}
		}
	}
}

// TestUnknownValues plans with unknown values. What is planned is then applied with the values, and the next plan is
// empty. The driver fails the test if the result differs from the plan.
func TestUnknownValues(t *testing.T) {
	t.Parallel()
	for _, row := range unknownCases() {
		inSimulation(t, row.noun+"/"+row.name, func(t *testing.T) {
			at := slices.IndexFunc(contractNouns(), func(n contractNoun) bool { return n.name == row.noun })
			c := newContractCase(t, contractNouns()[at])
			c.planUnknown(row)
			c.report(t)
		})
	}
}

func (c *contractCase) planUnknown(row unknownCase) {
	c.Helper()
	o := c.before()
	if row.action != acctest.ActionCreate {
		o = c.applyCleanly(o, c.configs.present)
	}
	planned, known := maps.Clone(c.configs.present), maps.Clone(c.configs.present)
	for name, value := range row.unknown {
		planned[name] = acctest.Unknown
		if value != nil {
			known[name] = value
		}
	}
	maps.Copy(planned, row.planned)
	plan := c.process().Plan(c.Context(), c.noun.typeName, o, planned)
	if plan.Action != row.action {
		c.add("the plan is %s, want %s\n%s", plan.Action, row.action, acctest.DiagText(plan.Diagnostics))
	}
	if plan.Action == acctest.ActionError || row.refused != "" {
		return
	}
	applied, diags := c.process().ApplyWith(c.Context(), plan, known)
	if acctest.HasErrors(diags) {
		c.add("the apply failed:\n%s", acctest.DiagText(acctest.Errors(diags)))
		return
	}
	time.Sleep(time.Minute)
	if next := planIn(c.T, c.service, c.service.Transport(), c.noun.typeName, applied, known); !next.Empty() {
		c.add("the plan after the apply is %s of %v, want none", next.Action, next.Changes())
	}
}
