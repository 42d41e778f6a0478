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

// withoutActions removes the files that an older CLI cannot parse.
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

// getsBack follows the page: a backup is taken and restored while the machine is on, one disc comes back, and one is
// lost.
func getsBack(w *workspace) {
	const page = "docs/guides/deleting.md"
	w.env = append(w.env, "TF_CLI_ARGS_apply=-auto-approve")
	w.expectRefusal("deletion_protection is true", "destroy", "-auto-approve")
	listed := w.invoke(page, "cloudserver_disc_backup", "")
	machine := w.e.Machines()[0]
	taken := machine.Discs[1].Backups.Taken
	if len(taken) != 1 || !taken[0].Manual {
		w.Fatalf("the backups: %+v", taken)
	}
	id := strconv.FormatInt(taken[0].ID, 10)
	if !strings.Contains(listed, `"`+id+`" = "data `) || !strings.Contains(listed, "0 added, 0 changed") {
		w.Errorf("the backup is not listed, or the apply does more:\n%s", listed)
	}
	w.e.ResetJournal()
	w.invoke(page, "cloudserver_disc_restore", id)
	if calls := w.e.Calls(); len(calls) != 1 || !strings.HasSuffix(calls[0], "/backups/"+id) || !w.e.Machines()[0].PowerOn {
		w.Errorf("a restore should be one call and leave the power: %q", calls)
	}
	w.expectNoChange() // it is protected again

	w.takesADiscBack(page, machine)

	w.e.RemoveDisc(machine.ID, "data")
	if output := w.run("plan"); !strings.Contains(output, "1 to add, 1 to change, 0 to destroy") {
		w.Errorf("the plan of a lost disc:\n%s", output)
	}
	w.run("apply")
	w.expectNoChange()
	w.set("protected", "false")
	w.run("apply")
}

// isUndeleted follows the page after the destroy, which has soft-deleted the machine: the plan shows its ID, and the
// import manages it again with its discs.
func isUndeleted(w *workspace) {
	machines := w.e.Machines()
	if len(machines) != 1 || !machines[0].Deleted {
		w.Fatalf("one soft-deleted machine should be left: %+v", machines)
	}
	id := strconv.FormatInt(machines[0].ID, 10)
	if output := w.run("plan"); !strings.Contains(output, "A soft-deleted machine holds the name") || !strings.Contains(output, `id = "`+id+`"`) {
		w.Errorf("the plan does not warn:\n%s", output)
	}
	w.e.NewDriver(w.T, nil).MustInvoke(w.Context(), "cloudserver_vm_undelete", map[string]any{"virtual_machine_id": id})
	write(w.T, w.dir, "import.tf", "import {\n  to = cloudserver_vm.db\n  id = \""+id+"\"\n}\n")
	if output := w.run("apply"); !strings.Contains(output, "1 imported, 1 added, 1 changed, 0 destroyed") { // the schedule, and what only the provider knows
		w.Errorf("the undeleted machine: %s", output)
	}
	w.expectNoChange()
	w.run("destroy", "-auto-approve")
	isSoftDeleted(w)
}

// takesADiscBack follows the page for a disc that somebody has moved, with the action if the CLI supports it, and
// without.
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
	if output, err := w.try(w.cli.path, "apply", "-refresh-only", "-target=cloudserver_vm.db"); err != nil {
		w.Fatalf("%v\n%s", err, output)
	}
	w.expectRefusal("is on another machine", "plan", "-refresh=false")
	w.sh("docs/actions/disc_move.md", "invoke disc_move", "1240", machine, "1234", other, "1236", disc)
	w.expectNoChange()
	w.e.Purge(to)
}

// invoke runs the page's block with an action. If the CLI has no actions, the same action is invoked over the protocol.
func (w *workspace) invoke(page, action, backup string) (printed string) {
	w.Helper()
	if w.cli.knows(14, 0) {
		return w.sh(page, "-invoke=action."+action, "1301", backup)
	}
	for line := range strings.Lines(w.cli.book.block(w.T, page, "-invoke=action."+action)) {
		if strings.Contains(line, "-invoke=") {
			w.driveInvoked(action, backup)
			continue
		}
		output, err := w.try("sh", "-ec", line)
		if err != nil {
			w.Fatalf("%s: %s\n%v\n%s", page, line, err, output)
		}
		printed += output
	}
	return printed
}

func (w *workspace) driveInvoked(action, backup string) {
	w.Helper()
	machine := w.e.Machines()[0]
	known := &hcl.EvalContext{Variables: map[string]cty.Value{
		"local": cty.ObjectVal(map[string]cty.Value{"data": cty.ObjectVal(map[string]cty.Value{
			"virtual_machine_id": cty.StringVal(strconv.FormatInt(machine.ID, 10)), "disc_id": cty.StringVal(strconv.FormatInt(machine.Discs[1].ID, 10)),
		})}),
		"var": cty.ObjectVal(map[string]cty.Value{"backup_id": cty.StringVal(backup)}),
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
