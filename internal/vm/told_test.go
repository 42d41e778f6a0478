package vm_test

import (
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestRefusedCredentialsAreToldOnce: each machine has its error, one says what to
// do, and only what applies to credentials of this kind.
func TestRefusedCredentialsAreToldOnce(t *testing.T) {
	t.Parallel()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	o := imported(t, d, idOf(e.AddMachine("demo", "default", emulator.Machine{Name: "web1"})))
	for from, credentials := range map[string]given{
		"token in the provider block":                 {"token": "apikey.mistyped"},
		"username and password in the provider block": {"token": nil, "username": "demo", "password": "mistyped"},
	} {
		ctx := t.Context()
		run := e.NewDriver(t, credentials).OneRun()
		_, first := run.Refresh(ctx, o)
		acctest.ExpectError(t, first, `Cannot read virtual machine "web1"`, from, "answered 40", "Set or correct the credentials: "+from+".")
		_, second := run.Refresh(ctx, o)
		acctest.ExpectError(t, second, `Cannot read virtual machine "web1"`, from, "Another of these errors says what to do.")
		if text := acctest.DiagText(second); strings.Count(strings.TrimSpace(text), "\n") > 1 || strings.Contains(acctest.DiagText(first), "A session ends") {
			t.Errorf("got\n%s\n%s", acctest.DiagText(first), text)
		}
	}
}

// TestToldAtPlan: what the reader of a plan would have to guess.
func TestToldAtPlan(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	for _, name := range []string{"Web1", "web_1", "w1", "web.1", "-web"} {
		expectSays(t, d.Plan(ctx, vmType, nil, configured(given{"name": name})).Diagnostics, "The service may refuse the name")
	}
	for text, config := range map[string]object{
		"error at cores: Invalid cores\ncores is -2. It must be a positive number.":   configured(given{"cores": -2}),
		"error at group_id: Invalid ID\ngroup_id is \"vda\". It must be a numeric ID": configured(given{"group_id": "vda"}),
		`Discs 1 and 2 are labelled "vda" and "VDA".`:                                 configured(given{"disc": discs("vda:25600", "VDA:1000")}),
	} {
		if got := acctest.DiagText(d.Validate(vmType, config)); !strings.Contains(got, text) {
			t.Errorf("want %q in\n%s", text, got)
		}
	}
	config := configured(given{"disc": discs("vda:25600", "vdb:5000")})
	o := d.MustApply(ctx, vmType, nil, config)
	moved := d.Plan(ctx, vmType, o, configured(config, given{"group": "private"}))
	expectSays(t, moved.Diagnostics, "its addresses may change")
	e.RemoveDisc(only(t, e).ID, "vdb")
	o, diags := e.NewDriver(t, nil).Refresh(ctx, o)
	expectSays(t, diags, `Disc "vdb" of virtual machine "web1" is gone`)
	if o == nil {
		t.Fatal("the machine is gone from the state")
	}
}
