package examples_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// driveActions applies the resources of an example. Then it invokes over the protocol the action that its page invokes
// with -invoke, with the same variables, for a CLI without actions.
func driveActions(t *testing.T, c *cli, e *acctest.Emulator, example string) {
	command := c.book.block(t, actionPage(example), "terraform apply -invoke=")
	action := invoked.FindStringSubmatch(command)
	if action == nil || strings.Count(command, "-invoke=") != 1 {
		t.Fatalf("which action does this invoke? %s", command)
	}
	given := map[string]bool{}
	for _, v := range variable.FindAllStringSubmatch(command, -1) {
		given[v[1]] = true
	}
	driveActionsOf(t, e, filepath.Join(example, "action.tf"), func(b *hclsyntax.Block) bool { return b.Labels[0] == action[1] && b.Labels[1] == action[2] }, given)
}

var (
	invoked  = regexp.MustCompile(`^terraform apply -invoke=action\.(\w+)\.(\w+)(?: -var \w+=\d+)*\n$`)
	variable = regexp.MustCompile(`-var (\w+)=(\d+)`)
)

// actionPage is the page of an action's example.
func actionPage(example string) string {
	return "docs/actions/" + strings.TrimPrefix(filepath.Base(example), "cloudserver_") + ".md"
}

func driveActionTriggers(t *testing.T, _ *cli, e *acctest.Emulator, example string) {
	driveActionsOf(t, e, filepath.Join(example, "main.tf"), func(*hclsyntax.Block) bool { return true }, map[string]bool{"size": true}) // it has a default
}

func driveDrain(t *testing.T, _ *cli, e *acctest.Emulator, example string) {
	driveActionsOf(t, e, filepath.Join(example, "main.tf"), func(*hclsyntax.Block) bool { return true }, nil)
}

// drain destroys a machine, which is stopped first. With destroy = false it is only removed from the state.
func drain(w *workspace) {
	w.run("init", "-input=false")
	w.run("apply", "-auto-approve")
	w.e.ResetPower()
	if output := w.run("destroy", "-auto-approve"); !strings.Contains(output, "asking the guest to shut down") || len(w.e.Power().Changes) == 0 {
		w.Errorf("the destroy drains nothing: %s", output)
	}
	w.run("apply", "-auto-approve")
	w.edit("main.tf", "  lifecycle {", "  lifecycle {\n    destroy = false")
	w.e.ResetJournal()
	w.run("destroy", "-auto-approve")
	acctest.ExpectCalls(w.T, w.e)
	for _, machine := range w.e.Machines() {
		w.e.Purge(machine.ID)
	}
}

// driveActionsOf invokes the wanted actions of a file. It uses only the given variables and those of the environment.
func driveActionsOf(
	t *testing.T, e *acctest.Emulator, file string, wanted func(*hclsyntax.Block) bool, given map[string]bool,
) {
	d := e.NewDriver(t, nil)
	deleted := addSoftDeleted(e)
	machines := map[string]cty.Value{}
	variables := map[string]cty.Value{"ssh_public_key": cty.StringVal("ssh-ed25519 AAAA")}
	for name, value := range map[string]cty.Value{"size": cty.NumberIntVal(51200), "machine_id": cty.StringVal(strconv.FormatInt(deleted, 10))} {
		if given[name] {
			variables[name] = value
		}
	}
	known := &hcl.EvalContext{Variables: map[string]cty.Value{"var": cty.ObjectVal(variables)}}
	var objects []*acctest.Object
	for _, block := range blocksOf(t, file, "resource") {
		o := d.MustApply(t.Context(), block.Labels[0], nil, acctest.HCLConfig(t, block.Body, known))
		objects = append(objects, o)
		var discs []cty.Value
		ids := map[string]cty.Value{}
		for n := range o.Get("disc").([]any) {
			id := o.Get(fmt.Sprintf("disc.%d.id", n)).(string)
			ids[o.Get(fmt.Sprintf("disc.%d.label", n)).(string)] = cty.StringVal(id)
			discs = append(discs, cty.ObjectVal(map[string]cty.Value{"id": cty.StringVal(id)}))
		}
		machines[block.Labels[1]] = cty.ObjectVal(map[string]cty.Value{
			"id": cty.StringVal(o.Get("id").(string)), "disc": cty.TupleVal(discs), "disc_ids": cty.MapVal(ids),
		})
	}
	if given["backup_id"] {
		variables["backup_id"] = cty.StringVal(backUp(t, e))
	}
	known.Variables["var"], known.Variables["cloudserver_vm"] = cty.ObjectVal(variables), cty.ObjectVal(machines)
	for _, caller := range machines { // the one of an example whose action refers to it
		known.Variables["caller"] = caller
	}
	invoked := 0
	for _, block := range slices.DeleteFunc(blocksOf(t, file, "action"), func(b *hclsyntax.Block) bool { return !wanted(b) }) {
		config, ok := acctest.HCLConfig(t, block.Body, known)["config"].(map[string]any)
		if !ok {
			t.Fatal("the action has no block config")
		}
		if progress := d.MustInvoke(t.Context(), block.Labels[0], config); len(progress) == 0 {
			t.Error("the action reports no progress")
		}
		invoked++
	}
	if invoked != 1 {
		t.Errorf("%d actions were invoked, want one", invoked)
	}
	for _, o := range objects {
		d.MustApply(t.Context(), o.TypeName, d.MustRefresh(t.Context(), o), nil)
	}
	e.Purge(deleted)
}

// addSoftDeleted adds the machine that the examples of undeleting and purging need.
func addSoftDeleted(e *acctest.Emulator) int64 {
	id := e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "ledger1"})
	e.SoftDelete(id)
	return id
}

// backUp takes a backup of a disc of each machine in use, and returns the ID of one of them, or "".
func backUp(t *testing.T, e *acctest.Emulator) string {
	t.Helper()
	taken := ""
	for _, machine := range e.Machines() {
		if machine.Deleted || len(machine.Discs) == 0 {
			continue
		}
		id, err := e.BackUpDisc(machine.ID, machine.Discs[0].Label)
		if err != nil {
			t.Fatal(err)
		}
		taken = strconv.FormatInt(id, 10)
	}
	return taken
}

// driveQuery does over the protocol what the page of an example does with terraform query: it runs the lists, and
// generates a configuration for the results, which must plan no change.
func driveQuery(t *testing.T, c *cli, e *acctest.Emulator, example string) {
	commands := c.book.block(t, listPage(example), "terraform query")
	for line := range strings.Lines(commands) {
		if !queries.MatchString(line) {
			t.Fatalf("what does this do? %s", line)
		}
	}
	defer addNamed(t, e)()
	d := e.NewDriver(t, nil)
	queried := 0
	for _, block := range blocksOf(t, filepath.Join(example, "list-resource.tfquery.hcl"), "list") {
		delete(block.Body.Attributes, "provider") // a reference, not a value
		arguments := acctest.HCLConfig(t, block.Body, nil)
		config, _ := arguments["config"].(map[string]any)
		include, _ := arguments["include_resource"].(bool)
		listed := d.MustList(t.Context(), block.Labels[0], config, acctest.ListOptions{IncludeResource: include})
		if len(listed) == 0 {
			t.Errorf("the list %s finds nothing", block.Labels[1])
		}
		for _, found := range listed {
			if !include || !strings.Contains(commands, "-generate-config-out") {
				continue
			}
			imported, diags := d.ImportByIdentity(t.Context(), block.Labels[0], found.Object.GetIdentity("").(map[string]any))
			if acctest.HasErrors(diags) {
				t.Fatal(acctest.DiagText(diags))
			}
			d.ExpectPlan(t.Context(), imported, d.GeneratedConfig(t.Context(), found.Object), acctest.ActionNoOp)
		}
		queried++
	}
	if queried == 0 {
		t.Error("the example has no list")
	}
}

// addNamed adds a machine with a backup schedule and a reverse name, which purge takes away.
func addNamed(t *testing.T, e *acctest.Emulator) (purge func()) {
	t.Helper()
	id := e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{
		Name: "web1", PowerOn: true, Discs: []emulator.Disc{{Label: "vda", Size: 25600, Backups: &emulator.Backups{
			Schedules: []emulator.BackupSchedule{{StartAt: "2030-01-06 04:00:00", IntervalSeconds: 604800, Capacity: 4}},
		}}},
	})
	d := e.NewDriver(t, nil)
	machine := d.MustImport(t.Context(), "cloudserver_vm", strconv.FormatInt(id, 10))
	d.MustApply(t.Context(), "cloudserver_rdns", nil, map[string]any{"address": machine.Get("ipv4_address"), "hostname": "www.example.com"})
	return func() { e.Purge(id) }
}

var queries = regexp.MustCompile(`^terraform query(?: -generate-config-out=generated\.tf)?\s*(?:#.*)?\n$`)

// listPage is the page of a list resource's example.
func listPage(example string) string {
	return "docs/list-resources/" + strings.TrimPrefix(filepath.Base(example), "cloudserver_") + ".md"
}

// blocksOf returns the blocks of a type in a file.
func blocksOf(t *testing.T, name, typ string) []*hclsyntax.Block {
	t.Helper()
	source, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(acctest.ParseHCL(t, name, string(source)), func(b *hclsyntax.Block) bool { return b.Type != typ })
}

// query runs the lists of an example with the CLI.
func query(w *workspace) {
	addNamed(w.T, w.e)
	w.run("init", "-input=false")
	w.sh(listPage(w.example), "terraform query")
	w.e.ResetJournal()
	if output := w.run("apply", "-auto-approve"); !strings.Contains(output, "imported, 0 added, 0 changed, 0 destroyed") {
		w.Errorf("the generated configuration: %s", output)
	}
	acctest.ExpectCalls(w.T, w.e)
	w.expectNoChange()
	for _, machine := range w.e.Machines() {
		w.e.Purge(machine.ID)
	}
}

// trigger applies an example whose update triggers an action.
func trigger(w *workspace) {
	if w.cli.minor >= 16 { // as the page says
		w.edit("main.tf", "virtual_machine_id = cloudserver_vm.web.id", "virtual_machine_id = caller.id")
	}
	w.run("init", "-input=false")
	w.run("apply", "-auto-approve")
	w.set("size", "81920")
	if output := w.run("apply", "-auto-approve"); !strings.Contains(output, "cloudserver_vm_power") {
		w.Errorf("the update triggers no action: %s", output)
	}
	w.run("destroy", "-auto-approve")
}

// act applies an example with the CLI, and invokes its action as its page does.
func act(w *workspace) {
	deleted := addSoftDeleted(w.e)
	defer w.e.Purge(deleted)
	w.set("machine_id", strconv.FormatInt(deleted, 10))
	w.set("backup_id", "1")
	w.run("init", "-input=false")
	w.run("apply", "-auto-approve")
	backedUp := backUp(w.T, w.e)
	w.set("backup_id", backedUp)
	w.env = append(w.env, "TF_CLI_ARGS_apply=-auto-approve")
	w.sh(actionPage(w.example), "terraform apply -invoke=", "machine_id=1234", "machine_id="+strconv.FormatInt(deleted, 10), "backup_id=1301", "backup_id="+backedUp)
	if strings.HasSuffix(w.example, "cloudserver_disc_move") {
		w.movesTheBlock()
	}
	w.run("destroy", "-auto-approve")
}

// movesTheBlock follows the page after the disc has moved: the action is removed, and the block follows the disc.
func (w *workspace) movesTheBlock() {
	const block = "\n  disc {\n    label = \"data\"\n    size  = 51200\n  }\n"
	machines, _, _ := strings.Cut(w.shown("action.tf"), "}\n\n# terraform apply")
	write(w.T, w.dir, "action.tf", strings.Replace(machines, block, "", 1)+block+"}\n")
	w.e.ResetJournal()
	w.run("apply", "-auto-approve")
	acctest.ExpectCalls(w.T, w.e)
	w.expectNoChange()
}
