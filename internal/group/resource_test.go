// SPDX-License-Identifier: MPL-2.0

package group_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

const groupType = "cloudserver_group"

func TestMain(m *testing.M) { acctest.Main(m) }

func TestGroupLife(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	e.AddAccount("other", false)
	config := map[string]any{"name": "production"}
	plan := d.Plan(ctx, groupType, nil, config)
	if plan.Get("account") != emulator.DemoAccount || plan.Get("id") != acctest.Unknown {
		t.Errorf("planned %v of %v", plan.Get("id"), plan.Get("account"))
	}
	o := d.MustApply(ctx, groupType, nil, config)
	id := o.Get("id")
	if _, text := o.Get("account_id").(string); o.GetIdentity("id") != id || !text {
		t.Errorf("state %v, identity %v", o.Get(""), o.GetIdentity("id"))
	}
	const listing = "GET /accounts/demo/groups"
	expectAll(t, e, listing, listing, "POST /accounts/demo/groups") // one for the plan, one right before the creation
	d.ExpectPlan(ctx, o, config, acctest.ActionNoOp)
	d.ExpectPlan(ctx, o, config, acctest.ActionNoOp)
	expectAll(t, e, listing)

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
		"prodution":       `Did you mean "production"?`,
		"demo/prodution":  `Cannot import group "prodution" of account "demo"`,
		"othre/x":         `There is no account "othre", or these credentials cannot see it. Did you mean "other"?`,
		"99999":           "Cannot import group 99999",
		"other/4711x/vda": "more than 2 parts",
	} {
		if _, diags := d.Import(ctx, groupType, text); !strings.Contains(acctest.DiagText(diags), want) {
			t.Errorf("import %q: want %q in:\n%s", text, want, acctest.DiagText(diags))
		}
	}
}

// expectAll compares all requests since its last call.
func expectAll(t *testing.T, e *acctest.Emulator, want ...string) {
	t.Helper()
	if got := e.AllCalls(); !slices.Equal(got, want) {
		t.Errorf("requests:\n got %v\nwant %v", got, want)
	}
	e.ResetJournal()
}

// groupNames returns the groups of the account, by the data source.
func groupNames(t *testing.T, e *acctest.Emulator) []any {
	t.Helper()
	o := e.NewDriver(t, nil).MustReadData(t.Context(), "cloudserver_groups", nil)
	var names []any
	for i := 0; ; i++ {
		name, ok := o.Get(fmt.Sprintf("groups.%d.name", i)).(string)
		if !ok {
			return names
		}
		names = append(names, name)
	}
}
