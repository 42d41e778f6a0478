package group_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

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
		"an unknown account": {config: map[string]any{"account": "dmeo"}, fails: `error at account: Cannot create group "production" of account "dmeo"`},
		"an account's ID":    {config: map[string]any{"account": "1"}, fails: `error at account: Cannot create group "production" of account "1"`},
		"a name to be known": {config: map[string]any{"name": acctest.Unknown}},
		"no account":         {settings: map[string]any{"account": nil}, fails: "error at account: Missing account of the group"},
		"no credentials":     {settings: map[string]any{"token": "apikey.wrong"}, fails: "error: Cannot check the plan"},
		"no permission":      {fault: emulator.Fault{Status: 403}, fails: "error: Cannot check the plan"},
		"a failure":          {fault: emulator.Fault{Status: 503}, warns: "The plan is not checked against the service"},
		"nobody answers":     {fault: emulator.Fault{Cut: true}, warns: "The plan is not checked against the service"},
		"a lost state":       {config: map[string]any{"name": "default"}, warns: `id = "demo/default"`},
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
				run, began := d.OneRun(), time.Now()
				plan := run.Plan(t.Context(), groupType, nil, config)
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
				config["name"] = "staging"
				if again := run.Plan(t.Context(), groupType, nil, config).Warnings(); len(again) > 0 {
					t.Errorf("warned twice in one run:\n%s", acctest.DiagText(again))
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
	e.AddGroup("other", "production", false)
	plan := e.NewDriver(t, nil).Plan(ctx, groupType, o, config)
	if text := acctest.DiagText(plan.Warnings()); plan.Action != acctest.ActionReplace || !strings.Contains(text, "The name of the group is taken") {
		t.Errorf("plan: %s\n%s", plan.Action, text)
	}
}

func TestStateIDThatIsNoNumber(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	o := d.MustApply(ctx, groupType, nil, map[string]any{"name": "production"})
	for _, id := range []string{"production", "0", "-1", ""} {
		e.ResetJournal()
		read, diags := d.Refresh(ctx, edited(t, o, "id", id))
		if text := acctest.DiagText(diags); read == nil || !strings.Contains(text, "is not a numeric ID, which is a positive whole number") {
			t.Errorf("id %q: read as %v\n%s", id, read.Get(""), text)
		}
		expectAll(t, e)
	}
}

// edited returns an object with a value of its state changed by hand.
func edited(t *testing.T, o *acctest.Object, name string, value any) *acctest.Object {
	t.Helper()
	state, err := tftypes.Transform(o.State, func(path *tftypes.AttributePath, old tftypes.Value) (tftypes.Value, error) {
		if acctest.Path(path) == name {
			return tftypes.NewValue(old.Type(), value), nil
		}
		return old, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	changed := *o
	changed.State = state
	return &changed
}

// TestRenameToATakenName: the plan warns of it, unless the group that has the name is read by another resource of the
// run, which may free it.
func TestRenameToATakenName(t *testing.T) {
	t.Parallel()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	ctx := t.Context()
	green := d.MustApply(ctx, "cloudserver_group", nil, map[string]any{"name": "green"})
	blue := d.MustApply(ctx, "cloudserver_group", nil, map[string]any{"name": "blue"})
	for _, managed := range []bool{false, true} {
		run := e.NewDriver(t, nil).OneRun()
		read := run.MustRefresh(ctx, green)
		if managed {
			run.MustRefresh(ctx, blue)
		}
		text := acctest.DiagText(run.Plan(ctx, "cloudserver_group", read, map[string]any{"name": "blue"}).Diagnostics)
		if warns := strings.Contains(text, "warning at name: The name of the group is taken"); warns == managed || strings.Contains(text, "import") {
			t.Errorf("managed %t:\n%s", managed, text)
		}
		if text := acctest.DiagText(e.NewDriver(t, nil).Plan(ctx, "cloudserver_group", read, map[string]any{"name": "yellow"}).Diagnostics); text != "" {
			t.Error(text)
		}
	}
}
