package examples_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// driveActions applies the resources of an example and invokes its actions over the protocol, for a CLI that knows none.
func driveActions(t *testing.T, e *acctest.Emulator, example string) {
	driveActionsOf(t, e, filepath.Join(example, "action.tf"))
}

func driveActionTriggers(t *testing.T, e *acctest.Emulator, example string) {
	driveActionsOf(t, e, filepath.Join(example, "main.tf"))
}

func driveActionsOf(t *testing.T, e *acctest.Emulator, file string) {
	d := e.NewDriver(t, nil)
	deleted := addSoftDeleted(e)
	machines := map[string]cty.Value{}
	variables := map[string]cty.Value{
		"root_password": cty.StringVal(rootPassword),
		"data_size":     cty.NumberIntVal(51200),
		"machine_id":    cty.StringVal(strconv.FormatInt(deleted, 10)),
	}
	known := &hcl.EvalContext{Variables: map[string]cty.Value{"var": cty.ObjectVal(variables)}}
	var objects []*acctest.Object
	for _, block := range blocksOf(t, file, "resource") {
		o := d.MustApply(tfkit.OwnRun(t.Context()), block.Labels[0], nil, acctest.HCLConfig(t, block.Body, known))
		objects = append(objects, o)
		boot := cty.ObjectVal(map[string]cty.Value{"id": cty.StringVal(o.Get("disc.0.id").(string))})
		machines[block.Labels[1]] = cty.ObjectVal(map[string]cty.Value{
			"id": cty.StringVal(o.Get("id").(string)), "disc": cty.TupleVal([]cty.Value{boot}),
		})
	}
	variables["backup_id"] = cty.StringVal(backUp(t, e))
	known.Variables["var"], known.Variables["cloudserver_vm"] = cty.ObjectVal(variables), cty.ObjectVal(machines)
	invoked := 0
	for _, block := range blocksOf(t, file, "action") {
		config, ok := acctest.HCLConfig(t, block.Body, known)["config"].(map[string]any)
		if !ok {
			t.Fatal("the action has no block config")
		}
		if progress := d.MustInvoke(t.Context(), block.Labels[0], config); len(progress) == 0 {
			t.Error("the action reports no progress")
		}
		invoked++
	}
	if invoked == 0 {
		t.Error("the example has no action")
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

// backUp takes a backup of a disc of each machine in use, and returns the id of one of them, "" if there is none.
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

// driveQuery runs the lists of an example over the protocol.
func driveQuery(t *testing.T, e *acctest.Emulator, example string) {
	id := e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "web1", PowerOn: true})
	defer e.Purge(id)
	d := e.NewDriver(t, nil)
	queried := 0
	for _, block := range blocksOf(t, filepath.Join(example, "list-resource.tfquery.hcl"), "list") {
		delete(block.Body.Attributes, "provider") // a reference, not a value
		arguments := acctest.HCLConfig(t, block.Body, nil)
		config, _ := arguments["config"].(map[string]any)
		include, _ := arguments["include_resource"].(bool)
		if listed := d.MustList(t.Context(), block.Labels[0], config, acctest.ListOptions{IncludeResource: include}); len(listed) == 0 {
			t.Errorf("the list %s finds nothing", block.Labels[1])
		}
		queried++
	}
	if queried == 0 {
		t.Error("the example has no list")
	}
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
	w.e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "web1", PowerOn: true})
	w.run("init", "-input=false")
	w.run("query")
	for _, machine := range w.e.Machines() {
		w.e.Purge(machine.ID)
	}
}

// trigger applies an example whose update triggers an action.
func trigger(w *workspace) {
	w.run("init", "-input=false")
	w.run("apply", "-auto-approve")
	w.set("data_size", "81920")
	if output := w.run("apply", "-auto-approve"); !strings.Contains(output, "cloudserver_vm_power") {
		w.Errorf("the update triggers no action: %s", output)
	}
	w.run("destroy", "-auto-approve")
}

// act applies an example with the CLI, and invokes its actions.
func act(w *workspace) {
	deleted := addSoftDeleted(w.e)
	defer w.e.Purge(deleted)
	w.set("machine_id", strconv.FormatInt(deleted, 10))
	w.set("backup_id", "1")
	w.run("init", "-input=false")
	w.run("apply", "-auto-approve")
	w.set("backup_id", backUp(w.T, w.e))
	for _, block := range blocksOf(w.T, filepath.Join(w.dir, "action.tf"), "action") {
		w.run("apply", "-auto-approve", "-invoke=action."+block.Labels[0]+"."+block.Labels[1])
	}
	w.run("destroy", "-auto-approve")
}
