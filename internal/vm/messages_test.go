package vm_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestNoSlips: what only looks like a mistake causes no warning. internal/e2e/mistakes.md has real mistakes, with their
// messages.
func TestNoSlips(t *testing.T) {
	t.Parallel()
	d, _ := acctest.Drive(t, emulator.Options{}, nil)
	for _, config := range []given{
		nil,
		{"memory": 1024, "disc": discs("vda:25600")},
		{"memory": 128, "disc": discs("vda:100")},
		{"memory": 10 << 20, "disc": discs("vda:104857600")},
		{"reimage.distribution": "bookworm", "reimage.ssh_public_key": "ssh-ed25519 AAAA"},
		{"memory": acctest.Unknown},
		{"reimage.distribution": "bookworm", "reimage.ssh_public_key": acctest.Unknown},
	} {
		if diags := d.Validate(vmType, configured(config)); len(diags) > 0 {
			t.Errorf("%v:\n%s", config, acctest.DiagText(diags))
		}
	}
}

// TestSameKeys: comments and whitespace do not change a key; options and the key itself do.
func TestSameKeys(t *testing.T) {
	t.Parallel()
	const (
		one = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB"
		two = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIC"
	)
	for name, test := range map[string]struct {
		key  string
		plan acctest.Action
	}{
		"a line break":    {one + " me@here\n", noop},
		"another comment": {one + " me@there", noop},
		"no comment":      {one, noop},
		"a comment line":  {"# mine\n" + one + " me@here", noop},
		"an option":       {`command="true" ` + one + " me@here", update},
		"another key":     {two, update},
		"a second key":    {one + "\n" + two, update},
		"what is no key":  {"ssh-ed25519 AAAA me@here", update},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			o := d.MustApply(t.Context(), vmType, nil, configured(image, given{"reimage.ssh_public_key": one + " me@here"}))
			config := configured(image, given{"reimage.ssh_public_key": test.key})
			d.ExpectPlan(t.Context(), o, config, test.plan)
			applyCleanly(t, d, e, o, config, "")
		})
	}
}

// TestReimageOfManyMachines: there is one warning for each machine, which also covers the restart and the cores, and
// which the CLI folds.
func TestReimageOfManyMachines(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, _ *acctest.Emulator) {
		ctx := t.Context()
		web1 := configured(inPlace)
		web2 := configured(web1, given{"name": "web2"})
		machines := []*acctest.Object{d.MustApply(ctx, vmType, nil, web1), d.MustApply(ctx, vmType, nil, web2)}
		run := d.OneRun()
		for i, config := range []object{web1, web2} {
			changed := configured(config, given{"reimage.distribution": "noble", "cores": 4})
			warnings := run.Plan(ctx, vmType, machines[i], changed).Warnings()
			text := acctest.DiagText(warnings)
			if len(warnings) != 1 || !strings.Contains(text, fmt.Sprintf("A change of cores, distribution installs the image of virtual machine \"web%d\": everything on its boot disc", i+1)) ||
				!strings.Contains(text, "and is on again afterwards") {
				t.Errorf("machine %d: %s", i, text)
			}
		}
	})
}

// TestToldAtPlan: the plan mentions what its reader would otherwise have to guess.
func TestToldAtPlan(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	for _, name := range []string{"Web1", "web_1", "w1", "web.1", "-web"} {
		expectSays(t, d.Plan(ctx, vmType, nil, configured(given{"name": name})).Diagnostics, "The service may refuse the name")
		expectSays(t, d.Plan(ctx, "cloudserver_group", nil, given{"name": name}).Diagnostics, "The service may refuse the name")
	}
	expectSays(t, d.Validate(vmType, configured(given{"disc": discs("vda:25600", "VDA:1000")})), `Discs 1 and 2 are labelled "vda" and "VDA".`)
	config := configured(given{"disc": discs("vda:25600", "vdb:5000")})
	o := d.MustApply(ctx, vmType, nil, config)
	moved := d.Plan(ctx, vmType, o, configured(config, given{"group": "private"}))
	expectSays(t, moved.Diagnostics, "its addresses may change")
	e.RemoveDisc(onlyMachine(t, e).ID, "vdb")
	o, diags := e.NewDriver(t, nil).Refresh(ctx, o)
	if expectSays(t, diags, `The service no longer has these discs of virtual machine "web1": "vdb"`, "unless somebody has only detached them: if in doubt, ask the operator before you apply"); o == nil {
		t.Error("the machine is gone from the state")
	}
}
