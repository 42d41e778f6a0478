package group_test

import (
	"fmt"
	"net/http"
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

// TestErrorsNameTheWayOut: an error of the plan of a group also prevents its destroy.
func TestErrorsNameTheWayOut(t *testing.T) {
	t.Parallel()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	o := d.MustApply(t.Context(), groupType, nil, map[string]any{"name": "production"})
	for _, reads := range []bool{true, false} {
		run := e.NewDriver(t, nil).OneRun()
		if reads {
			run.MustRefresh(t.Context(), o)
		}
		for _, state := range []*acctest.Object{o, nil} {
			text := acctest.DiagText(run.Plan(t.Context(), groupType, state, map[string]any{"name": "4711"}).Errors())
			if !strings.Contains(text, "error at ") || strings.Contains(text, "terraform destroy -refresh=false") != (reads && state != nil) {
				t.Errorf("read %t, exists %t: %s", reads, state != nil, text)
			}
		}
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

// TestGroupOfAnotherService: a state that is used with another service finds a group with the same ID there. If only
// the name differs, that is drift, unless the plan did not show it.
func TestGroupOfAnotherService(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	o := d.MustApply(ctx, groupType, nil, map[string]any{"name": "production"})
	for name, value := range map[string]string{"name": "elsewhere", "account_id": "99"} {
		o := edited(t, o, name, value)
		plans := []*acctest.PlanResult{d.Plan(ctx, groupType, o, map[string]any{"name": "staging"}), d.Plan(ctx, groupType, o, nil)}
		if read, diags := d.Refresh(ctx, o); acctest.HasErrors(diags) != (name == "account_id") || read.Get("name") != "production" {
			t.Errorf("%s: read as %v\n%s", name, read.Get(""), acctest.DiagText(diags))
		}
		e.ResetJournal()
		for _, plan := range plans { // with -refresh=false
			_, diags := d.Apply(ctx, groupType, plan)
			acctest.ExpectError(t, diags, "error: Cannot ", "another service", "production")
		}
		acctest.ExpectCalls(t, e)
	}
	// A group that is not found in another account with the same name is not gone.
	missing := edited(t, edited(t, o, "account_id", "99"), "id", "424242")
	read, diags := d.Refresh(ctx, missing)
	acctest.ExpectError(t, diags, `account "demo" with the ID 99`, "another service")
	if read.Get("name") != "production" {
		t.Errorf("read as %v", read.Get(""))
	}
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

// TestGroupOfACopy: a copy of the service, with a domain below ours, has a group with the same ID and name. It is not
// changed, even if the copy's only hostname is older than a rename, so that it is not known whose it is. Where no machine
// is shown, nothing speaks against the group.
func TestGroupOfACopy(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	for name, test := range map[string]struct {
		hostname string // replaces that of web1
		why      string // "": changed
	}{
		"with a hostname":            {`"web1.default.demo.staging.`, "answers with the machine"},
		"with an old hostname":       {`"old1.default.demo.staging.`, "may be an object of another service"},
		"ours, with an old hostname": {`"old1.default.demo.`, "may be an object of another service"},
		"ours":                       {`"web1.default.demo.`, ""},
		"without a machine":          {"", ""},
	} {
		t.Run(name, func(t *testing.T) {
			d, e := acctest.Drive(t, emulator.Options{}, nil)
			web1 := e.AddMachine("demo", "default", emulator.Machine{Name: "web1"})
			o := d.MustRefresh(ctx, d.MustApply(ctx, groupType, nil, map[string]any{"name": "team"}))
			if test.hostname == "" {
				e.Purge(web1)
			}
			e.Inject(emulator.Fault{Rewrite: func(status int, header http.Header, body []byte) (int, http.Header, []byte) {
				return status, header, []byte(strings.ReplaceAll(string(body), `"web1.default.demo.`, test.hostname))
			}})
			for _, config := range []map[string]any{{"name": "crew"}, nil} {
				process := e.NewDriver(t, nil)
				plan := process.Plan(ctx, groupType, o, config)
				e.ResetJournal()
				left, diags := process.Apply(ctx, groupType, plan)
				if test.why != "" {
					acctest.ExpectError(t, diags, "error: Cannot ", test.why, "Check endpoint")
					acctest.ExpectCalls(t, e)
				} else if len(e.Calls()) != 1 || acctest.HasErrors(diags) {
					t.Errorf("%v: %q\n%s", config, e.Calls(), acctest.DiagText(diags))
				}
				o = left
			}
		})
	}
}

// TestGroupBesideEmptyGroups: another service has a group of the same ID and name. Its machines are behind empty groups, or
// the machines of a group are not listed. Nothing is sent to it, and nothing if no listing tells whose the group is.
func TestGroupBesideEmptyGroups(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	lists := func(r emulator.Request) bool { return strings.HasSuffix(r.Path, "/virtual_machines") }
	all := func(r emulator.Request) bool { return lists(r) || r.Path == "/accounts/demo" }
	for name, test := range map[string]struct {
		empty   int
		domain  string
		refused func(emulator.Request) bool
		status  int
		purged  bool
		why     string // "": changed
	}{
		"a few":                        {empty: 1, domain: "cluster.elsewhere", why: "answers with the machine"},
		"many":                         {empty: 6, domain: "cluster.elsewhere", why: "answers with the machine"},
		"many, ours":                   {empty: 6, domain: emulator.ClusterDomain},
		"many, without a machine":      {empty: 6, domain: emulator.ClusterDomain, purged: true},
		"the groups are refused":       {domain: "cluster.elsewhere", refused: lists, status: 403, why: "answers with the machine"},
		"the groups are refused, ours": {domain: emulator.ClusterDomain, refused: lists, status: 403},
		"all is refused":               {domain: "cluster.elsewhere", refused: all, status: 403, why: "whether these credentials may list the machines"},
		"a group fails":                {domain: emulator.ClusterDomain, refused: lists, status: 400, why: "Then run the same command again"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, e := acctest.Drive(t, emulator.Options{}, nil)
			web1 := e.AddMachine("demo", "default", emulator.Machine{Name: "web1"})
			o := d.MustRefresh(ctx, d.MustApply(ctx, groupType, nil, map[string]any{"name": "team"}))
			for i := range test.empty {
				e.AddGroup("demo", fmt.Sprintf("empty%d", i), false)
			}
			last := e.AddGroup("demo", "last", false)
			if err := e.Change(web1, func(m *emulator.Machine) { m.GroupID = last }); err != nil {
				t.Fatal(err)
			}
			if test.purged {
				e.Purge(web1)
			}
			if test.refused != nil {
				e.Inject(emulator.Fault{Status: test.status, Match: test.refused})
			}
			e.Inject(emulator.Fault{Rewrite: func(status int, header http.Header, body []byte) (int, http.Header, []byte) {
				return status, header, []byte(strings.ReplaceAll(string(body), emulator.ClusterDomain, test.domain))
			}})
			for _, config := range []map[string]any{{"name": "crew"}, nil} {
				process := e.NewDriver(t, nil)
				plan := process.Plan(ctx, groupType, o, config)
				e.ResetJournal()
				left, diags := process.Apply(ctx, groupType, plan)
				if test.why != "" {
					acctest.ExpectError(t, diags, "error: Cannot ", test.why, "another service", "Check endpoint")
					acctest.ExpectCalls(t, e)
				} else if len(e.Calls()) != 1 || acctest.HasErrors(diags) {
					t.Errorf("%v: %q\n%s", config, e.Calls(), acctest.DiagText(diags))
				}
				o = left
			}
		})
	}
}
