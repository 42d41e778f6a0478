// SPDX-License-Identifier: MPL-2.0

package e2e_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

// unknownCase is a value that is unknown at plan.
type unknownCase struct {
	name string
	noun string
	// exists means that the object exists before, with base in its configuration. Else it is created.
	exists bool
	base   object
	// unknown has the attributes that are unknown at plan, with the values that they get. planned has what is planned for
	// those that are unknown only in part.
	unknown object
	planned object
	// refused is a phrase of the error with which the plan refuses the value; "": it is applied as planned.
	refused string
}

func unknownCases() []unknownCase {
	settings := object{"keymap": "de", "cdrom_url": "https://iso.example.com/a.iso", "hardware_profile": "virtio2013"}
	image := func(name string, value any) object {
		reimage := object{"distribution": "bookworm", "revision": "1", "on_change": "reimage", "ssh_public_key": sshKey}
		reimage[name] = value
		return object{"reimage": reimage}
	}
	bookworm := image("distribution", "bookworm")
	place := object{"group": "default", "account": "demo", "zone_name": "york"}
	schedule := object{"disc_id": nil, "capacity": 2, "start_at": "2040-01-31 04:00:00"}
	reverseName := object{"address": holderAddress, "hostname": "www.example.com"}
	address := object{"ips": object{"ipv4": "192.0.2.77"}}
	ofImage := func(name string, planned any) unknownCase {
		return unknownCase{
			name: name, noun: "machine", exists: true, base: bookworm, unknown: bookworm,
			planned: object{"reimage": planned}, refused: "ignore_changes",
		}
	}
	discs := func(label any) object {
		return object{"disc": []object{{"label": "vda", "size": 25600}, {"label": label, "size": 5000}}}
	}
	return []unknownCase{
		{name: "size of a new machine", noun: "machine", unknown: object{"cores": 4, "memory": 4096}},
		{name: "place of a new machine", noun: "machine", unknown: place},
		{name: "name and power of a new machine", noun: "machine", unknown: object{"name": "web2", "power_on": true}},
		{name: "settings of a new machine", noun: "machine", unknown: settings},
		{name: "discs of a new machine", noun: "machine", unknown: object{"disc": []object{{"label": "vda", "size": 25600}}}},
		{name: "image of a new machine", noun: "machine", unknown: bookworm},
		{name: "size", noun: "machine", exists: true, unknown: object{"cores": 4, "memory": 4096}},
		{name: "name", noun: "machine", exists: true, unknown: object{"name": "web2"}},
		{name: "group", noun: "machine", exists: true, unknown: object{"group": "default"}},
		{name: "power", noun: "machine", exists: true, unknown: object{"power_on": true}},
		{name: "settings", noun: "machine", exists: true, unknown: settings},
		{name: "addresses", noun: "machine", exists: true, unknown: address, refused: "ips"},
		ofImage("image", acctest.Unknown),
		ofImage("distribution", image("distribution", acctest.Unknown)["reimage"]),
		ofImage("revision", image("revision", acctest.Unknown)["reimage"]),
		{
			name: "on_change", noun: "machine", exists: true, base: bookworm, unknown: bookworm,
			planned: image("on_change", acctest.Unknown),
		},
		{name: "zone", noun: "machine", exists: true, base: object{"zone_name": "york"}, unknown: object{"zone_name": "york"}},
		{name: "label of a new disc", noun: "disc", unknown: discs("data"), planned: discs(acctest.Unknown)},
		{name: "label of a disc", noun: "disc", exists: true, unknown: discs("data"), planned: discs(acctest.Unknown)},
		{name: "new group", noun: "group", unknown: object{"name": "team", "account": "demo"}},
		{name: "name of a group", noun: "group", exists: true, unknown: object{"name": "crew"}},
		{name: "account of a group, in the end equal", noun: "group", exists: true, base: object{"account": "demo"}, unknown: object{"account": nil}},
		{name: "new schedule", noun: "backup schedule", unknown: schedule},
		{name: "machine and disc, in the end equal", noun: "backup schedule", exists: true, unknown: object{"virtual_machine_id": nil, "disc_id": nil}},
		{name: "times of a schedule", noun: "backup schedule", exists: true, unknown: object{"start_at": "2041-01-31 04:00:00", "interval_seconds": 86400}},
		{name: "capacity, in the end equal", noun: "backup schedule", exists: true, unknown: object{"capacity": nil}},
		{name: "address, in the end equal", noun: "reverse name", exists: true, unknown: object{"address": nil}},
		{name: "new reverse name", noun: "reverse name", unknown: reverseName},
		{name: "reverse name", noun: "reverse name", exists: true, unknown: object{"hostname": "web.example.com"}},
	}
}

const sshKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBDEcVOF9T6JTvtpHHEpzVeRKPicDToJM8d3QYI9jjrM"

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
	maps.Copy(c.configs.present, row.base)
	o := c.before()
	if row.exists {
		o = c.applyCleanly(o, c.configs.present)
	}
	planned, known := maps.Clone(c.configs.present), maps.Clone(c.configs.present)
	for name, value := range row.unknown {
		planned[name] = acctest.Unknown
		if value != nil { // nil: as in the configuration
			known[name] = value
		}
	}
	maps.Copy(planned, row.planned)
	plan := c.process().Plan(c.Context(), c.noun.typeName, o, planned)
	errors := acctest.DiagText(acctest.Errors(plan.Diagnostics))
	if row.refused != "" {
		if !strings.Contains(errors, row.refused) {
			c.add("want the plan refused with %q, got %s with the errors:\n%s", row.refused, plan.Action, errors)
		}
		return
	}
	if errors != "" {
		c.add("the plan failed:\n%s", errors)
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
