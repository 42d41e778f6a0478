package e2e_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// Where the provider says that something is refused. Of the last two, a row gives the reason.
const (
	atValidate    = "validate"
	atPlan        = "plan"
	atPlanWarning = "plan, as a warning"
	atApply       = "apply"
)

// refusal is something that the service refuses, as a user writes it.
type refusal struct {
	name   string
	noun   string
	values object // that replace those of a good configuration
	stage  string
	says   string
	// harshest replaces an existing object in the same plan; nil: it cannot be replaced.
	harshest object
	// lost means that the harshest plan destroys the existing object before the service refuses the new one.
	lost   bool
	reason string
}

func refusals() []refusal {
	const group, schedule, reverseName = "group", "backup schedule", "reverse name"
	moved := object{"account": "other"}
	daily := object{"interval_seconds": 86400}
	otherAddress := object{"address": "192.0.2.20"}
	return []refusal{
		{name: "empty name", noun: group, values: object{"name": ""}, stage: atValidate, says: "error at name", harshest: moved},
		{name: "slash in the name", noun: group, values: object{"name": "a/b"}, stage: atValidate, says: "error at name", harshest: moved},
		{name: "name of digits", noun: group, values: object{"name": "12"}, stage: atPlan, says: "digits only", harshest: moved},
		{
			name: "other letters", noun: group, values: object{"name": "My Group"}, stage: atPlanWarning, says: `Write "my-group"`, harshest: moved,
			lost: true, reason: "which letters a group may have is not documented",
		},
		{
			name: "taken name", noun: group, values: object{"name": "default"}, stage: atPlanWarning, says: "is taken",
			reason: "another change of the plan may free the name",
		},
		{name: "no such account", noun: group, values: object{"account": "dmeo"}, stage: atPlan, says: `Cannot find account "dmeo"`},

		{name: "no time", noun: schedule, values: object{"start_at": "tomorrow"}, stage: atValidate, says: "error at start_at", harshest: daily},
		{name: "no interval", noun: schedule, values: object{"interval_seconds": 0}, stage: atValidate, says: "error at interval_seconds", harshest: object{}},
		{name: "no capacity", noun: schedule, values: object{"capacity": 0}, stage: atValidate, says: "error at capacity", harshest: daily},
		{name: "no ID", noun: schedule, values: object{"disc_id": "vda"}, stage: atValidate, says: "error at disc_id", harshest: daily},
		{name: "another machine", noun: schedule, values: object{"virtual_machine_id": "99999"}, stage: atPlan, says: "is on virtual machine", harshest: daily},
		{name: "no such disc", noun: schedule, values: object{"disc_id": "99999"}, stage: atPlan, says: "see no such machine or disc", harshest: daily},
		{
			name: "too many backups", noun: schedule, values: object{"capacity": 100000}, stage: atApply, says: "error at capacity", harshest: daily,
			lost: true, reason: "how many backups a schedule may keep is not documented",
		},

		{name: "no hostname", noun: reverseName, values: object{"hostname": "a b"}, stage: atValidate, says: "Invalid hostname", harshest: otherAddress},
		{name: "no address", noun: reverseName, values: object{"address": "web1"}, stage: atValidate, says: "Invalid IP address", harshest: object{}},
		{
			name: "hostname without a dot", noun: reverseName, values: object{"hostname": "www"}, stage: atPlanWarning, says: "It has no dot", harshest: otherAddress,
			lost: true, reason: "what a reverse name may be is not documented",
		},
		{
			name: "address of no machine", noun: reverseName, values: object{"address": "192.0.2.99"}, stage: atApply, says: "error at address", harshest: object{},
			lost: true, reason: "a machine of the same plan may get the address",
		},
	}
}

// TestRefusals tries each refusal alone, and in a plan that replaces an existing object. A refusal before the apply sends
// nothing.
func TestRefusals(t *testing.T) {
	t.Parallel()
	for _, row := range refusals() {
		inSimulation(t, row.noun+"/"+row.name, func(t *testing.T) {
			if (row.stage == atApply || row.stage == atPlanWarning) != (row.reason != "") {
				t.Errorf("stage %s, reason %q", row.stage, row.reason)
			}
			row.try(t, nil)
			if row.harshest != nil {
				row.try(t, row.harshest)
			}
		})
	}
}

// try plans and applies the refused values: in a creation or, with changes, in the replacement of an existing object.
func (row refusal) try(t *testing.T, changes object) {
	t.Helper()
	at := slices.IndexFunc(contractNouns(), func(n contractNoun) bool { return n.name == row.noun })
	c := newContractCase(t, contractNouns()[at])
	c.service.AddAccount("other", false)
	c.service.AddMachine(emulator.DemoAccount, emulator.PrivateGroup, emulator.Machine{
		Name: "other", Interfaces: []emulator.Interface{{MAC: "52:54:00:00:00:02", IPs: []string{"192.0.2.20"}}},
	})
	config := maps.Clone(c.configs.present)
	var o *acctest.Object
	if changes != nil {
		o = c.applyCleanly(nil, config)
		maps.Copy(config, changes)
	}
	maps.Copy(config, row.values)
	c.service.ResetJournal()
	stage, text := stageOf(c, o, config)
	if stage != row.stage || !strings.Contains(text, row.says) {
		c.add("replaced: %t: it is said at %s, want %s with %q:\n%s", changes != nil, stage, row.stage, row.says, text)
	}
	if sent := c.writes(); (stage == atValidate || stage == atPlan) && len(sent) > 0 {
		c.add("refused at %s, but sent %v", stage, sent)
	}
	if isLost := o != nil && len(c.noun.served(c.service)) == 0; isLost != (row.lost && changes != nil) {
		c.add("replaced: %t: lost: %t", changes != nil, isLost)
	}
	c.report(t)
}

// stageOf returns where the provider says that the configuration is refused, and in which words.
func stageOf(c *contractCase, o *acctest.Object, config object) (stage, text string) {
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
	case text != "":
		return atPlanWarning, text
	}
	return atApply, acctest.DiagText(diags)
}
