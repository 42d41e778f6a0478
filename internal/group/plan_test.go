// SPDX-License-Identifier: MPL-2.0

package group_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestPlanFailsWhenItMust: a failure that the apply would certainly have is an error at plan, and a temporary problem
// is a single warning.
func TestPlanFailsWhenItMust(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		settings map[string]any
		config   map[string]any
		fault    emulator.Fault
		fails    string // part of the error; "": no error
		warns    string
	}{
		"an unknown account": {config: map[string]any{"account": "dmeo"}, fails: `error at account: Cannot find account "dmeo"`},
		"a name to be known": {config: map[string]any{"name": acctest.Unknown}},
		"no account":         {settings: map[string]any{"account": nil}, fails: "error at account: Missing account of the group"},
		"nobody answers":     {fault: emulator.Fault{Cut: true}, warns: "no answer from http://127.0.0.1"},
		"a lost state":       {config: map[string]any{"name": "default"}, warns: "If the state was lost, its machines have to be imported as well.\n\n" + `import {`},
		"an unusual name":    {config: map[string]any{"name": "My Group"}, warns: `Write "my-group".`},
		"an unchecked name":  {settings: map[string]any{"plan_checks": false}, config: map[string]any{"name": "My Group"}},
		"no checks":          {settings: map[string]any{"plan_checks": false}, fault: emulator.Fault{Status: 403}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				d, e := acctest.Drive(t, emulator.Options{}, test.settings)
				if test.fault.Status != 0 || test.fault.Cut {
					e.Inject(test.fault)
				}
				config := map[string]any{"name": "production"}
				for key, value := range test.config {
					config[key] = value
				}
				began := time.Now()
				plan := d.Plan(t.Context(), groupType, nil, config)
				if took := time.Since(began); took > 10*time.Second {
					t.Errorf("took %s", took)
				}
				errors, warnings := acctest.DiagText(plan.Errors()), acctest.DiagText(plan.Warnings())
				if !strings.Contains(errors, test.fails) || (errors == "") != (test.fails == "") {
					t.Errorf("want the error %q, got:\n%s", test.fails, errors)
				}
				if !strings.Contains(warnings, test.warns) || (warnings == "") != (test.warns == "") {
					t.Errorf("want the warning %q, got:\n%s", test.warns, warnings)
				}
				time.Sleep(time.Hour) // a check that was given up ends in the background
				if test.settings["plan_checks"] == false && len(e.AllCalls()) > 0 {
					t.Errorf("asked %v", e.AllCalls())
				}
			})
		})
	}
}

// TestGroupThatMovesToAnotherAccount: the group is replaced, and its first plan says that the name is taken there.
func TestGroupThatMovesToAnotherAccount(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	e.AddAccount("other", false)
	o := d.MustApply(ctx, groupType, nil, map[string]any{"name": "production"})
	config := map[string]any{"name": "production", "account": "other"}
	if plan := d.Plan(ctx, groupType, o, config); plan.Action != acctest.ActionReplace || len(plan.Diagnostics) > 0 {
		t.Errorf("plan: %s\n%s", plan.Action, acctest.DiagText(plan.Diagnostics))
	}
	d.MustApply(ctx, "cloudserver_vm", nil, map[string]any{
		"name": "web1", "group": "production", "disc": []map[string]any{{"label": "vda", "size": 25600}},
	})
	text := acctest.DiagText(d.Plan(ctx, groupType, o, config).Warnings())
	if !strings.HasPrefix(text, `warning at account: The group "production"`) ||
		!strings.Contains(text, "Unless this plan also destroys its machines, the delete fails.") ||
		!strings.Contains(text, "It still has these virtual machines: web1") {
		t.Error(text)
	}
	e.AddGroup("other", "production", false)
	plan := e.NewDriver(t, nil).Plan(ctx, groupType, o, config)
	if text := acctest.DiagText(plan.Warnings()); plan.Action != acctest.ActionReplace || !strings.Contains(text, "The name of the group is taken") {
		t.Errorf("plan: %s\n%s", plan.Action, text)
	}
}

// TestRenameToATakenName: the plan warns, because another change of the same plan may free the name.
func TestRenameToATakenName(t *testing.T) {
	t.Parallel()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	ctx := t.Context()
	green := d.MustApply(ctx, groupType, nil, map[string]any{"name": "green"})
	e.AddGroup("demo", "blue", false)
	text := acctest.DiagText(e.NewDriver(t, nil).Plan(ctx, groupType, green, map[string]any{"name": "blue"}).Diagnostics)
	if !strings.Contains(text, "warning at name: The name of the group is taken") || strings.Contains(text, "import") {
		t.Error(text)
	}
	if text := acctest.DiagText(d.Plan(ctx, groupType, green, map[string]any{"name": "yellow"}).Diagnostics); text != "" {
		t.Error(text)
	}
}

// TestUnusualName: a name is judged when it is sent, and not as long as a group has it.
func TestUnusualName(t *testing.T) {
	t.Parallel()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	e.AddGroup("demo", "old_group", false)
	o := d.MustImport(t.Context(), groupType, "old_group")
	if plan := d.ExpectPlan(t.Context(), o, map[string]any{"name": "old_group"}, acctest.ActionNoOp); len(plan.Diagnostics) > 0 {
		t.Error(acctest.DiagText(plan.Diagnostics))
	}
	for name, want := range map[string]string{
		"New_Group": `warning at name: The service may refuse the name "New_Group"`,
		"x":         "", // the shortest hostname label
	} {
		text := acctest.DiagText(d.Plan(t.Context(), groupType, o, map[string]any{"name": name}).Diagnostics)
		if !strings.HasPrefix(text, want) || want == "" && text != "" {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// TestAccountThatIsListed: an account whose groups are answered with 404 is not called missing if the service lists it.
func TestAccountThatIsListed(t *testing.T) {
	t.Parallel()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	e.Inject(emulator.Fault{Match: func(r emulator.Request) bool { return strings.HasPrefix(r.Path, "/accounts/demo") }, Status: 404})
	diags := d.Plan(t.Context(), groupType, nil, map[string]any{"name": "web"}).Diagnostics
	acctest.ExpectError(t, diags, "error at account", `The service lists the account "demo", and answers 404`)
}

// TestLostState: where the state was lost, the plans of the machines of a group say as well that they exist.
func TestLostState(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	d.MustApply(ctx, groupType, nil, map[string]any{"name": "web"})
	config := map[string]any{"name": "web1", "group": "web", "disc": []map[string]any{{"label": "vda", "size": 25600}}}
	id := d.MustApply(ctx, "cloudserver_vm", nil, config).Get("id")
	plans := e.NewDriver(t, nil)
	plans.Plan(ctx, groupType, nil, map[string]any{"name": "web"})
	text := acctest.DiagText(plans.Plan(ctx, "cloudserver_vm", nil, config).Diagnostics)
	if !strings.Contains(text, `The name "web1" is taken`) || !strings.Contains(text, fmt.Sprintf("id = %q", id)) {
		t.Error(text)
	}
}

// TestPlannedGroups: the machines of the same plan see what becomes of a group. A renamed one keeps them.
func TestPlannedGroups(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	group := d.MustApply(ctx, groupType, nil, map[string]any{"name": "web"})
	config := map[string]any{"name": "web1", "group": "web", "disc": []map[string]any{{"label": "vda", "size": 25600}}}
	machine := d.MustApply(ctx, "cloudserver_vm", nil, config)
	plans := e.NewDriver(t, nil)
	plans.Plan(ctx, groupType, group, map[string]any{"name": "www"})
	config["group"] = "www"
	plan := plans.Plan(ctx, "cloudserver_vm", machine, config)
	if len(plan.Diagnostics) > 0 || plan.Get("group_id") != group.Get("id") || plan.Get("ipv4_address") != machine.Get("ipv4_address") {
		t.Errorf("changes %v\n%s", plan.Changes(), acctest.DiagText(plan.Diagnostics))
	}
	plans.Plan(ctx, groupType, nil, map[string]any{"name": "new"})
	config["group"] = "new"
	if plan = plans.Plan(ctx, "cloudserver_vm", machine, config); plan.Get("group_id") != acctest.Unknown || acctest.HasErrors(plan.Diagnostics) {
		t.Errorf("changes %v\n%s", plan.Changes(), acctest.DiagText(plan.Diagnostics))
	}
}
