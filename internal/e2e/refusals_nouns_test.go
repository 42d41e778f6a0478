// SPDX-License-Identifier: MPL-2.0

package e2e_test

import (
	"bytes"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// The stages at which the provider reports a refusal.
const (
	atValidate       = "validate"
	atPlan           = "plan"
	atPlanWarning    = "plan, as a warning"
	atApplyUnchanged = "apply, nothing changed"
	atApply          = "apply"
)

// refusal is something that the service refuses, as a user writes it. It is tried alone, and in its harshest plans:
// together with a replacement of the existing object, and together with a change that stops it.
type refusal struct {
	name   string
	noun   string
	base   object // more values of the good configuration
	values object // that replace those of the good configuration
	world  func(e *acctest.Emulator)
	exists bool // alone, it is an update of an existing object

	stage    string
	says     string
	replaces object // what replaces an existing object; nil: nothing does
	stops    object // what stops an existing object; nil: nothing does
	harshest string // the stage in the harshest plans; "": the same
	lost     bool   // a replacement destroys the existing object before the service refuses the new one
	stopped  bool   // an update stops the object before the service refuses the value
	reason   string // of each stage that is not a refusal of the plan
}

func nounRefusals() []refusal {
	const group, schedule, reverseName = "group", "backup schedule", "reverse name"
	moved := object{"account": "other"}
	daily := object{"interval_seconds": 86400}
	otherAddress := object{"address": "192.0.2.20"}
	return []refusal{
		{name: "empty name", noun: group, values: object{"name": ""}, stage: atValidate, says: "error at name", replaces: moved},
		{name: "slash in the name", noun: group, values: object{"name": "a/b"}, stage: atValidate, says: "error at name", replaces: moved},
		{name: "name of digits", noun: group, values: object{"name": "12"}, stage: atPlan, says: "digits only", replaces: moved},
		{
			name: "other letters", noun: group, values: object{"name": "My Group"}, stage: atPlanWarning, says: `Write "my-group"`, replaces: moved,
			lost: true, reason: "which letters a group may have is not documented",
		},
		{
			name: "taken name", noun: group, values: object{"name": "default"}, stage: atPlanWarning, says: "is taken",
			reason: "another change of the plan may free the name",
		},
		{name: "no such account", noun: group, values: object{"account": "dmeo"}, stage: atPlan, says: `Cannot find account "dmeo"`},

		{name: "no time", noun: schedule, values: object{"start_at": "tomorrow"}, stage: atValidate, says: "error at start_at", replaces: daily},
		{name: "no interval", noun: schedule, values: object{"interval_seconds": 0}, stage: atValidate, says: "error at interval_seconds", replaces: object{}},
		{name: "no capacity", noun: schedule, values: object{"capacity": 0}, stage: atValidate, says: "error at capacity", replaces: daily},
		{name: "no ID", noun: schedule, values: object{"disc_id": "vda"}, stage: atValidate, says: "error at disc_id", replaces: daily},
		{name: "another machine", noun: schedule, values: object{"virtual_machine_id": "99999"}, stage: atPlan, says: "is on virtual machine", replaces: daily},
		{name: "no such disc", noun: schedule, values: object{"disc_id": "99999"}, stage: atPlan, says: "see no such machine or disc", replaces: daily},
		{
			name: "too many backups", noun: schedule, values: object{"capacity": 100000}, stage: atApplyUnchanged, says: "error at capacity", replaces: daily,
			harshest: atApply, lost: true, reason: "how many backups a schedule may keep is not documented",
		},

		{name: "no hostname", noun: reverseName, values: object{"hostname": "a b"}, stage: atValidate, says: "Invalid hostname", replaces: otherAddress},
		{name: "no address", noun: reverseName, values: object{"address": "web1"}, stage: atValidate, says: "Invalid IP address", replaces: object{}},
		{
			name: "hostname without a dot", noun: reverseName, values: object{"hostname": "www"}, stage: atPlanWarning, says: "It has no dot", replaces: otherAddress,
			lost: true, reason: "what a reverse name may be is not documented",
		},
		{
			name: "address of no machine", noun: reverseName, values: object{"address": "192.0.2.99"}, stage: atApplyUnchanged, says: "error at address", replaces: object{},
			harshest: atApply, lost: true, reason: "a machine of the same plan may get the address",
		},
	}
}

// TestRefusals tries each refusal alone, and in its harshest plans. A refusal before the apply sends nothing.
func TestRefusals(t *testing.T) {
	t.Parallel()
	for _, row := range slices.Concat(nounRefusals(), machineRefusals()) {
		inSimulation(t, row.noun+"/"+row.name, func(t *testing.T) {
			isLate := func(stage string) bool { return stage != "" && stage != atValidate && stage != atPlan }
			if isLate(row.stage) && row.reason == "" || isLate(row.harshest) && row.reason == "" {
				t.Error("it is said late, or only in a warning, without a reason")
			}
			row.try(t, "alone", nil)
			if row.replaces != nil {
				row.try(t, "replaced", row.replaces)
			}
			if row.stops != nil {
				row.try(t, "stopped", row.stops)
			}
		})
	}
}

// try plans and applies the refused values: in a creation or, with changes, together with those of an existing object.
func (row refusal) try(t *testing.T, how string, changes object) {
	t.Helper()
	at := slices.IndexFunc(contractNouns(), func(n contractNoun) bool { return n.name == row.noun })
	c := newContractCase(t, contractNouns()[at])
	maps.Copy(c.configs.present, row.base)
	config := maps.Clone(c.configs.present)
	isHarsh := changes != nil
	var o *acctest.Object
	if isHarsh || row.exists {
		o = c.applyCleanly(nil, config)
		maps.Copy(config, changes)
	}
	c.service.AddAccount("other", false)
	c.service.AddMachine(emulator.DemoAccount, emulator.PrivateGroup, emulator.Machine{
		Name: "other", Interfaces: []emulator.Interface{{MAC: "52:54:00:00:00:02", IPs: []string{"192.0.2.20"}}},
	})
	if row.world != nil {
		row.world(c.service)
	}
	if o != nil {
		o = c.process().MustRefresh(c.Context(), o)
	}
	maps.Copy(config, row.values)
	want := row.stage
	if isHarsh && row.harshest != "" {
		want = row.harshest
	}
	c.service.ResetJournal()
	stage, text := row.stageOf(c, o, config)
	if stage != want || !strings.Contains(text, row.says) {
		c.add("%s: it is said at %s, want %s with %q:\n%s", how, stage, want, row.says, text)
	}
	if sent := c.writes(); (stage == atValidate || stage == atPlan) && len(sent) > 0 {
		c.add("%s: refused at %s, but sent %v", how, stage, sent)
	}
	if isLost := c.isLost(o); isLost != (row.lost && how == "replaced") {
		c.add("%s: lost: %t, after %v", how, isLost, c.writes())
	}
	if isStopped := c.isStopped(); isStopped != (row.stopped && how == "stopped") {
		c.add("%s: stopped: %t, after %v", how, isStopped, c.writes())
	}
	c.report(t)
}

// isLost reports whether the service has the object no more.
func (c *contractCase) isLost(o *acctest.Object) bool {
	return slices.ContainsFunc(c.noun.stored(o), func(id string) bool {
		return !slices.Contains(c.noun.served(c.service), id)
	})
}

// isStopped reports whether something was sent that stops a machine.
func (c *contractCase) isStopped() bool {
	return slices.ContainsFunc(c.service.Journal(), func(r emulator.Request) bool {
		return strings.HasSuffix(r.Path, "/signal") || r.Method == http.MethodPut && bytes.Contains(r.Body, []byte(`"power_on":false`))
	})
}

// stageOf returns where the provider says that the configuration is refused, and in which words.
func (row refusal) stageOf(c *contractCase, o *acctest.Object, config object) (stage, text string) {
	if diags := c.process().Validate(c.noun.typeName, config); acctest.HasErrors(diags) {
		return atValidate, acctest.DiagText(diags)
	}
	plan := c.process().Plan(c.Context(), c.noun.typeName, o, config)
	text = acctest.DiagText(plan.Diagnostics)
	if acctest.HasErrors(plan.Diagnostics) {
		return atPlan, text
	}
	_, diags := c.process().Apply(c.Context(), c.noun.typeName, plan)
	switch {
	case !acctest.HasErrors(diags):
		return "nowhere", text
	case strings.Contains(acctest.DiagText(plan.Warnings()), row.says):
		return atPlanWarning, text
	case c.isLost(o), c.isStopped():
		return atApply, acctest.DiagText(diags)
	}
	return atApplyUnchanged, acctest.DiagText(diags)
}
