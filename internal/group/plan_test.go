package group_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestPlanFailsWhenItMust: what the apply would certainly meet is an error of the
// plan; trouble that may pass is one warning.
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
		"no credentials":     {settings: map[string]any{"token": "apikey.wrong"}, fails: "error: Cannot check the plan"},
		"no permission":      {fault: emulator.Fault{Status: 403}, fails: "error: Cannot check the plan"},
		"a failure":          {fault: emulator.Fault{Status: 503}, warns: "The plan is not checked against the service"},
		"nobody answers":     {fault: emulator.Fault{Cut: true}, warns: "The plan is not checked against the service"},
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
				plan := d.Plan(t.Context(), groupType, nil, config)
				errors, warnings := acctest.DiagText(plan.Errors()), acctest.DiagText(plan.Warnings())
				if !strings.Contains(errors, test.fails) || (errors == "") != (test.fails == "") {
					t.Errorf("want the error %q, got:\n%s", test.fails, errors)
				}
				if !strings.Contains(warnings, test.warns) || (warnings == "") != (test.warns == "") {
					t.Errorf("want the warning %q, got:\n%s", test.warns, warnings)
				}
				if again := d.Plan(t.Context(), groupType, nil, config).Warnings(); len(again) > 0 {
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

// TestUnconfiguredProvider: the provider's arguments are not known yet, and the
// state was written by a CLI without identities.
func TestUnconfiguredProvider(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	config := map[string]any{"name": "production"}
	o := d.MustApply(ctx, groupType, nil, config)
	id := o.Get("id")
	o.Identity = nil
	unknown := e.NewDriver(t, map[string]any{"endpoint": acctest.Unknown})
	e.ResetJournal()
	read := unknown.MustRefresh(ctx, o)
	if read.GetIdentity("id") != id || !read.State.Equal(o.State) {
		t.Errorf("read as %v, identity %v", read.Get(""), read.GetIdentity("id"))
	}
	unknown.ExpectPlan(ctx, o, config, acctest.ActionNoOp)
	expectAll(t, e)
	o.Identity = nil
	if read = d.MustRefresh(ctx, o); read.GetIdentity("id") != id {
		t.Errorf("identity %v", read.GetIdentity("id"))
	}
}

// TestMoveFromThisProviderElsewhere: the same provider under another address.
func TestMoveFromThisProviderElsewhere(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	d, _ := acctest.Drive(t, emulator.Options{}, nil)
	config := map[string]any{"name": "production"}
	o := d.MustApply(ctx, groupType, nil, config)
	state := o.Get("").(map[string]any)
	private := []byte(`{"note":"InRydWUi"}`)
	for _, address := range []string{"registry.opentofu.org/cloudserver/cloudserver", "mirror.example/fork/cloudserver"} {
		moved, diags := d.Move(ctx, groupType, acctest.MoveSource{ProviderAddress: address, TypeName: groupType, State: state, Private: private})
		if acctest.HasErrors(diags) || !moved.State.Equal(o.State) || moved.GetIdentity("id") != o.Get("id") {
			t.Fatalf("moved to %v\n%s", moved.Get(""), acctest.DiagText(diags))
		}
		if string(moved.Private) != string(private) {
			t.Errorf("private state %s", moved.Private)
		}
		d.ExpectPlan(ctx, moved, config, acctest.ActionNoOp)
	}
	if _, diags := d.Move(ctx, groupType, acctest.MoveSource{ProviderAddress: "registry.terraform.io/a/other", TypeName: "other_group", State: state}); !acctest.HasErrors(diags) {
		t.Error("moved a resource of another type")
	}
}

func TestStateIDThatIsNoNumber(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	for _, id := range []string{"production", "0", "-1", ""} {
		o, diags := d.Move(ctx, groupType, acctest.MoveSource{ProviderAddress: "a/b/c", TypeName: groupType, State: map[string]any{"id": id, "account": "demo", "account_id": nil, "name": "production"}})
		if acctest.HasErrors(diags) {
			t.Fatal(acctest.DiagText(diags))
		}
		e.ResetJournal()
		read, diags := d.Refresh(ctx, o)
		if text := acctest.DiagText(diags); read == nil || !strings.Contains(text, "is not a numeric ID, which is a positive whole number") {
			t.Errorf("id %q: read as %v\n%s", id, read.Get(""), text)
		}
		expectAll(t, e)
	}
}
