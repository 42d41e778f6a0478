package examples_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// withoutActions removes the files that an older CLI cannot read.
func withoutActions(w *workspace) {
	if w.cli.knows(14, 0) {
		return
	}
	for _, name := range []string{"actions.tf", "move.tf"} {
		if err := os.Remove(filepath.Join(w.dir, name)); err != nil {
			w.Fatal(err)
		}
	}
}

// backsUp follows the page: a backup is taken and restored while the machine is on, and a disc is purged.
func backsUp(w *workspace) {
	const page = "docs/guides/backups.md"
	w.env = append(w.env, "TF_CLI_ARGS_apply=-auto-approve")
	w.invoke(page, "cloudserver_disc_backup", "")
	machine := w.e.Machines()[0]
	taken := machine.Discs[1].Backups.Taken
	if len(taken) != 1 || !taken[0].Manual {
		w.Fatalf("the backups: %+v", taken)
	}
	id := strconv.FormatInt(taken[0].ID, 10)
	if output := w.sh(page, "terraform apply\n"); !strings.Contains(output, `"`+id+`" = "data `) || !strings.Contains(output, "0 added, 0 changed") {
		w.Errorf("the backup is not listed, or the apply does more:\n%s", output)
	}
	w.e.ResetJournal()
	w.invoke(page, "cloudserver_disc_restore", id)
	if calls := w.e.Calls(); len(calls) != 1 || !strings.HasSuffix(calls[0], "/backups/"+id) || !w.e.Machines()[0].PowerOn {
		w.Errorf("a restore should be one call and leave the power: %q", calls)
	}
	w.expectNoChange()

	w.takesADiscBack(page, machine)

	w.e.RemoveDisc(machine.ID, "data")
	if output := w.sh(page, "terraform plan\n"); !strings.Contains(output, "1 to add, 1 to change, 0 to destroy") {
		w.Errorf("the plan of a lost disc:\n%s", output)
	}
	w.run("apply")
	w.expectNoChange()
}

// takesADiscBack is what the page says of a disc that somebody has moved, with the action where the CLI knows it, and without.
func (w *workspace) takesADiscBack(page string, from emulator.Machine) {
	w.Helper()
	to := w.e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "db2", PowerOn: true, Discs: []emulator.Disc{{Label: "vda", Size: 25600}}})
	move := func(from, to int64) {
		w.Helper()
		if err := w.e.MoveDisc(from, "data", to); err != nil {
			w.Fatal(err)
		}
	}
	const action = "cloudserver_disc_move"
	other, machine, disc := strconv.FormatInt(to, 10), strconv.FormatInt(from.ID, 10), strconv.FormatInt(from.Discs[1].ID, 10)
	move(from.ID, to)
	if w.cli.knows(14, 0) {
		w.edit("move.tf", `"1008"`, strconv.Quote(other))
		w.edit("move.tf", `"1006"`, strconv.Quote(disc))
		w.sh(page, "-invoke=action."+action)
	} else {
		w.cli.book.block(w.T, page, "-invoke=action."+action)
		w.e.NewDriver(w.T, nil).MustInvoke(w.Context(), action, map[string]any{"virtual_machine_id": other, "disc_id": disc, "to": machine, "allow_stopping": true})
	}
	w.expectNoChange()
	move(from.ID, to)
	w.expectRefusal("is on another machine", "plan")
	undo := w.edit("main.tf", "name = \"db1\"", "name = \"db1\"\n power_on = false")
	w.sh(page, "-refresh=false -target")
	if machine, _ := w.e.Machine(from.ID); machine.PowerOn {
		w.Error("the machine is on, and its disc cannot be moved")
	}
	move(to, from.ID)
	w.e.Purge(to)
	w.edit("main.tf", "power_on = false", "power_on = true")
	w.run("apply")
	undo()
	w.expectNoChange()
}

// invoke runs the page's command for an action. For a CLI that knows none, the same action with the same values goes over the protocol.
func (w *workspace) invoke(page, action, backup string) {
	w.Helper()
	if w.cli.knows(14, 0) {
		w.sh(page, "-invoke=action."+action, "1301", backup)
		return
	}
	w.cli.book.block(w.T, page, "-invoke=action."+action)
	machine := w.e.Machines()[0]
	discs := map[string]cty.Value{}
	for _, disc := range machine.Discs {
		discs[disc.Label] = cty.StringVal(strconv.FormatInt(disc.ID, 10))
	}
	known := &hcl.EvalContext{Variables: map[string]cty.Value{
		"local": cty.ObjectVal(map[string]cty.Value{"disc_ids": cty.MapVal(discs)}),
		"var":   cty.ObjectVal(map[string]cty.Value{"backup_id": cty.StringVal(backup)}),
		"cloudserver_vm": cty.ObjectVal(map[string]cty.Value{
			"db": cty.ObjectVal(map[string]cty.Value{"id": cty.StringVal(strconv.FormatInt(machine.ID, 10))}),
		}),
	}}
	for _, block := range blocksOf(w.T, filepath.Join(w.example, "actions.tf"), "action") {
		if block.Labels[0] == action {
			w.invokeBlock(block, known)
		}
	}
}

func (w *workspace) invokeBlock(block *hclsyntax.Block, known *hcl.EvalContext) {
	w.Helper()
	config, ok := acctest.HCLConfig(w.T, block.Body, known)["config"].(map[string]any)
	if !ok {
		w.Fatal("the action has no block config")
	}
	w.e.NewDriver(w.T, nil).MustInvoke(w.Context(), block.Labels[0], config)
}
