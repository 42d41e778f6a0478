package provider_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestAccountByItsID: account is a name. The ID of an account is an error that has the name, for everything that has
// such an argument, before anything is changed, with and without plan checks. The service would take the ID.
func TestAccountByItsID(t *testing.T) {
	t.Parallel()
	for _, checks := range []bool{true, false} {
		d, e := acctest.Drive(t, emulator.Options{}, object{"plan_checks": checks})
		ctx := t.Context()
		found, _ := d.ReadData(ctx, "cloudserver_account", object{"name": "demo"})
		id := fmt.Sprint(found.Get("id"))
		vm := object{"name": "web1", "account": id, "disc": []any{object{"label": "vda", "size": 25600}}}
		e.AddAccount("other", false)
		deployed := d.MustApply(ctx, "cloudserver_vm", nil, object{"name": "web2", "account": "other", "disc": vm["disc"]})
		e.ResetJournal()
		apply := func(typeName string, prior *acctest.Object, config object) string {
			plan := d.Plan(ctx, typeName, prior, config)
			if acctest.HasErrors(plan.Diagnostics) {
				return acctest.DiagText(plan.Diagnostics)
			}
			_, diags := d.Apply(ctx, typeName, plan)
			return acctest.DiagText(diags)
		}
		data := func(typeName string, config object) string {
			_, diags := d.ReadData(ctx, typeName, config)
			return acctest.DiagText(diags)
		}
		list := func(typeName string, config object) (text string) {
			for _, diags := range d.List(ctx, typeName, config, acctest.ListOptions{}) {
				text += acctest.DiagText(diags)
			}
			return text
		}
		for what, text := range map[string]string{
			"a machine":               apply("cloudserver_vm", nil, vm),
			"a machine that moves":    apply("cloudserver_vm", deployed, object{"name": "web2", "account": id, "group": "default", "disc": vm["disc"]}),
			"a group":                 apply("cloudserver_group", nil, object{"name": "web", "account": id}),
			"data of a machine":       data("cloudserver_vm", object{"name": "web1", "account": id}),
			"data of machines":        data("cloudserver_vms", object{"account": id}),
			"data of a group's":       data("cloudserver_vms", object{"account": id, "group": "default"}),
			"data of a group":         data("cloudserver_group", object{"account": id, "name": "default"}),
			"data of groups":          data("cloudserver_groups", object{"account": id}),
			"data of an account":      data("cloudserver_account", object{"name": id}),
			"a list of machines":      list("cloudserver_vm", object{"account": id}),
			"a list of a group's":     list("cloudserver_vm", object{"account": id, "group": "default"}),
			"a list of groups":        list("cloudserver_group", object{"account": id}),
			"a list of schedules":     list("cloudserver_backup_schedule", object{"account": id}),
			"a list of reverse names": list("cloudserver_rdns", object{"account": id}),
		} {
			if !strings.Contains(text, "error") || !strings.Contains(text, `(the account with that ID is named "demo")`) {
				t.Errorf("%s, checks %t:\n%s", what, checks, text)
			}
		}
		for typeName, text := range map[string]string{"cloudserver_vm": id + "/default/web1", "cloudserver_group": id + "/default"} {
			if _, diags := d.Import(ctx, typeName, text); !strings.Contains(acctest.DiagText(diags), `the account with that ID is named "demo"`) {
				t.Errorf("import of %s: %s", typeName, acctest.DiagText(diags))
			}
		}
		for _, r := range e.Journal() {
			if r.Method != "GET" {
				t.Errorf("%s %s was sent", r.Method, r.Path)
			}
		}
	}
}
