package group_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

const groupType = "cloudserver_group"

func TestMain(m *testing.M) { acctest.Main(m) }

func TestGroupLife(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	config := map[string]any{"name": "production"}
	plan := d.Plan(ctx, groupType, nil, config)
	if plan.Get("account") != emulator.DemoAccount || plan.Get("id") != acctest.Unknown {
		t.Errorf("planned %v of %v", plan.Get("id"), plan.Get("account"))
	}
	o := d.MustApply(ctx, groupType, nil, config)
	id := o.Get("id")
	if o.GetIdentity("id") != id || o.Get("account_id") == nil {
		t.Errorf("state %v, identity %v", o.Get(""), o.GetIdentity("id"))
	}
	expectAll(t, e, "POST /accounts/demo/groups")
	d.ExpectPlan(ctx, o, config, acctest.ActionNoOp)
	expectAll(t, e, fmt.Sprintf("GET /accounts/demo/groups/%v", id))

	config["name"] = "staging"
	o = d.MustApply(ctx, groupType, o, config)
	if o.Get("id") != id || o.Get("name") != "staging" {
		t.Errorf("renamed to %v", o.Get(""))
	}
	expectAll(t, e, fmt.Sprintf("PUT /accounts/demo/groups/%v", id))

	config["account"] = "other"
	d.ExpectPlan(ctx, o, config, acctest.ActionReplace)
	e.ResetJournal()
	d.MustApply(ctx, groupType, o, nil)
	expectAll(t, e, fmt.Sprintf("DELETE /accounts/demo/groups/%v", id))
	if read := d.MustRefresh(ctx, o); read != nil {
		t.Errorf("deleted, but read as %v", read.Get(""))
	}
	d.MustApply(ctx, groupType, o, nil) // gone already: no error
}

func TestRenameElsewhereIsDrift(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	config := map[string]any{"name": "production"}
	o := d.MustApply(ctx, groupType, nil, config)
	other := e.NewDriver(t, nil)
	imported, diags := other.Import(ctx, groupType, "demo/production")
	if acctest.HasErrors(diags) {
		t.Fatal(acctest.DiagText(diags))
	}
	other.MustApply(ctx, groupType, imported, map[string]any{"name": "elsewhere", "account": "demo"})
	plan := d.ExpectPlan(ctx, o, config, acctest.ActionUpdate)
	if changes := plan.Changes(); !slices.Equal(changes, []string{"name"}) {
		t.Errorf("the plan changes %v", changes)
	}
}

func TestGroupImport(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	e.AddAccount("other", false)
	id := fmt.Sprint(e.AddGroup("demo", "production", false))
	foreign := fmt.Sprint(e.AddGroup("other", "theirs", false))
	number := e.AddGroup("demo", "4711x", false)
	for text, want := range map[string]string{id: "production", "production": "production", "demo/production": "production", foreign: "theirs", "other/theirs": "theirs", "4711x": "4711x"} {
		o, diags := d.Import(ctx, groupType, text)
		if acctest.HasErrors(diags) || o.Get("name") != want {
			t.Errorf("import %q: %v\n%s", text, o.Get(""), acctest.DiagText(diags))
			continue
		}
		d.ExpectPlan(ctx, o, map[string]any{"name": want}, acctest.ActionNoOp)
	}
	o, diags := d.ImportByIdentity(ctx, groupType, map[string]any{"id": fmt.Sprint(number)})
	if acctest.HasErrors(diags) || o.Get("name") != "4711x" {
		t.Errorf("import by identity: %s", acctest.DiagText(diags))
	}
	for text, want := range map[string]string{
		"prodution":       `The nearest of the 4 that the service offers: "production"`,
		"demo/prodution":  `Cannot import group "prodution" of account "demo"`,
		"othre/x":         `The service knows no account "othre"`,
		"99999":           "no account has a group with the id 99999",
		"a/b/c":           "more than two parts",
		"demo/":           "empty part",
		" production":     "stray blanks",
		"other/4711x/vda": "more than two parts",
	} {
		if _, diags := d.Import(ctx, groupType, text); !strings.Contains(acctest.DiagText(diags), want) {
			t.Errorf("import %q: want %q in:\n%s", text, want, acctest.DiagText(diags))
		}
	}
}

func TestGroupThatIsNotEmpty(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	o := d.MustApply(ctx, groupType, nil, map[string]any{"name": "production"})
	web := e.AddMachine("demo", "production", emulator.Machine{Name: "web1"})
	old := e.AddMachine("demo", "production", emulator.Machine{Name: "old"})
	e.SoftDelete(old)
	destroy := func() string {
		after, diags := d.Apply(ctx, groupType, d.Plan(ctx, groupType, o, nil))
		if !acctest.HasErrors(diags) || after == nil {
			t.Errorf("destroyed a group that is not empty: %s", acctest.DiagText(diags))
		}
		return acctest.DiagText(diags)
	}
	text := destroy()
	for _, want := range []string{
		`Cannot delete group "production" of account "demo"`,
		fmt.Sprintf("It still has 1 virtual machine: web1 (id %d).", web),
		fmt.Sprintf("It still has 1 soft-deleted virtual machine: old (id %d).", old),
	} {
		if !strings.Contains(text, want) {
			t.Errorf("want %q in:\n%s", want, text)
		}
	}
	e.Purge(web)
	if text := destroy(); strings.Contains(text, "web1") || !strings.Contains(text, "purge=true") {
		t.Errorf("only soft-deleted machines are left, but:\n%s", text)
	}
	e.Purge(old)
	d.MustApply(ctx, groupType, o, nil)
}

func TestManyMachinesInTheWayAreCounted(t *testing.T) {
	t.Parallel()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	o := d.MustApply(t.Context(), groupType, nil, map[string]any{"name": "production"})
	for i := range 13 {
		e.AddMachine("demo", "production", emulator.Machine{Name: fmt.Sprintf("web%02d", i)})
	}
	_, diags := d.Apply(t.Context(), groupType, d.Plan(t.Context(), groupType, o, nil))
	if text := acctest.DiagText(diags); !strings.Contains(text, "13 virtual machines: web00") || !strings.Contains(text, "and 3 more") || strings.Contains(text, "web10") {
		t.Errorf("got:\n%s", text)
	}
}

func TestGroupCreateRefused(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		config map[string]any
		want   []string
	}{
		"taken":           {map[string]any{"name": "private"}, []string{`error at name: Cannot create group "private" of account "demo"`, `id = "demo/private"`}},
		"unknown account": {map[string]any{"name": "x", "account": "dmeo"}, []string{"error at account: ", `The service offers: "demo"`}},
		"bad name":        {map[string]any{"name": "Not A Label"}, []string{"error at name: ", "Nothing was created."}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, e := acctest.Drive(t, emulator.Options{}, nil)
			o, diags := d.Apply(t.Context(), groupType, d.Plan(t.Context(), groupType, nil, test.config))
			if o != nil {
				t.Errorf("there is a group: %v", o.Get(""))
			}
			for _, want := range test.want {
				if !strings.Contains(acctest.DiagText(diags), want) {
					t.Errorf("want %q in:\n%s", want, acctest.DiagText(diags))
				}
			}
			acctest.ExpectCalls(t, e, e.Calls()[0]) // never twice
		})
	}
}

func TestGroupWithoutAnAccount(t *testing.T) {
	t.Parallel()
	d, _ := acctest.Drive(t, emulator.Options{}, map[string]any{"account": nil})
	plan := d.Plan(t.Context(), groupType, nil, map[string]any{"name": "production"})
	if text := acctest.DiagText(plan.Errors()); !strings.Contains(text, "error at account: No account for the group") {
		t.Errorf("got:\n%s", text)
	}
}

// TestCreateOnce: whatever gets lost, there is one group and it is tracked.
func TestCreateOnce(t *testing.T) {
	t.Parallel()
	post := func(r emulator.Request) bool { return r.Method == http.MethodPost }
	for name, test := range map[string]struct {
		fault emulator.Fault
		calls int // that may have changed something
	}{
		"lost after the effect":  {emulator.Fault{Match: post, Times: 1, Cut: true, AfterEffect: true}, 1},
		"lost before the effect": {emulator.Fault{Match: post, Times: 1, Cut: true}, 2},
		"500 after the effect":   {emulator.Fault{Match: post, Times: 1, Status: 500, AfterEffect: true}, 1},
		"garbage":                {emulator.Fault{Match: post, Times: 1, Status: 201, Body: "<html>", AfterEffect: true}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				d, e := acctest.Drive(t, emulator.Options{}, nil)
				e.Inject(test.fault)
				config := map[string]any{"name": "production"}
				o := d.MustApply(t.Context(), groupType, nil, config)
				if calls := e.Calls(); len(calls) != test.calls {
					t.Errorf("calls: %v", calls)
				}
				d.ExpectPlan(t.Context(), o, config, acctest.ActionNoOp)
				list, diags := d.ReadData(t.Context(), "cloudserver_groups", nil)
				if acctest.HasErrors(diags) || list.Get("groups.2.name") != "production" && list.Get("groups.3") != nil {
					t.Errorf("groups: %v", list.Get("groups"))
				}
			})
		})
	}
}

// TestSomebodysGroupIsNotAdopted: the answer is lost, and a group with machines
// holds the name by the time that it is looked for.
func TestSomebodysGroupIsNotAdopted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d, e := acctest.Drive(t, emulator.Options{}, nil)
		e.AddMachine("demo", "private", emulator.Machine{Name: "theirs"})
		e.Inject(emulator.Fault{Match: func(r emulator.Request) bool { return r.Method == http.MethodPost }, Times: 1, Cut: true})
		o, diags := d.Apply(t.Context(), groupType, d.Plan(t.Context(), groupType, nil, map[string]any{"name": "private"}))
		if o != nil || !strings.Contains(acctest.DiagText(diags), `id = "demo/private"`) {
			t.Errorf("got %v, %s", o.Get(""), acctest.DiagText(diags))
		}
	})
}

// expectAll compares all requests since the last look.
func expectAll(t *testing.T, e *acctest.Emulator, want ...string) {
	t.Helper()
	if got := e.AllCalls(); !slices.Equal(got, want) {
		t.Errorf("requests:\n got %v\nwant %v", got, want)
	}
	e.ResetJournal()
}
