// SPDX-License-Identifier: MPL-2.0

package acctest_test

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/go-plugin"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
	"github.com/zclconf/go-cty/cty"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// parityStep is one configuration, for the CLI and for the driver.
type parityStep struct {
	hcl    string
	taint  bool
	ignore []string // what the HCL ignores
	action acctest.Action
}

func (s parityStep) resource() string {
	return "resource \"cloudserver_vm\" \"x\" {\n" + s.hcl + "\n}\n"
}

func paritySteps() []parityStep {
	const (
		vda = `
			disc {
				label = "vda"
				size  = 100
			}`
		vdb = `
			disc {
				label         = "vdb"
				size          = 200
				storage_grade = "ssd"
			}`
		vdc = `
			disc {
				label = "vdc"
				size  = 300
			}`
		image = `
			reimage {
				distribution  = "trixie"
				root_password = "hush"
			}`
	)
	return []parityStep{
		{hcl: `name = "web-a"` + vda + vdb + image, action: acctest.ActionCreate},
		{ // blocks inserted and removed, optional ones gone
			hcl: `name = "web-a"` + vda + vdc + vdb, action: acctest.ActionUpdate,
		},
		{ // replaced, with an optional computed attribute no longer configured
			hcl: `name = "web-a"
				zone_name = "manchester"` + vda, action: acctest.ActionReplace,
		},
		{hcl: `name = "web-a"` + vda, taint: true, action: acctest.ActionReplace},
		{ // a name, a label and the content of a block that are known only after apply
			hcl: `name = terraform_data.known.output.name
				disc {
					label = terraform_data.known.output.label
					size  = 100
				}
				timeouts { create = terraform_data.known.output.timeout }`,
			action: acctest.ActionUpdate,
		},
		{ // a block that is replaced, an attribute of a block, one that appears
			hcl: `name = "web-c"
				cores = 7
				timeouts { create = "6m" }
				lifecycle { ignore_changes = [disc, timeouts.create, cores] }` + vda + vdb,
			ignore: []string{"disc", "timeouts.create", "cores"}, action: acctest.ActionUpdate,
		},
		{ // a path into a list, a whole block, a path that leads nowhere
			hcl: `name = "web-e"
				lifecycle { ignore_changes = [disc[0], timeouts, disc[7].label] }` + vdb + vdc,
			ignore: []string{"disc.0", "timeouts", "disc.7.label"}, action: acctest.ActionUpdate,
		},
		{
			hcl: `name = "web-f"
				lifecycle { ignore_changes = all }` + vda,
			ignore: []string{acctest.IgnoreAll}, action: acctest.ActionNoOp,
		},
		{ // replaced: nothing is ignored for the new object
			hcl: `name = "web-g"
				zone_name = "manchester"
				lifecycle { ignore_changes = [disc, name] }` + vdb,
			ignore: []string{"disc", "name"}, action: acctest.ActionReplace,
		},
	}
}

// output is the value of terraform_data.known after apply.
func output(of map[string]cty.Value) *hcl.EvalContext {
	known := cty.ObjectVal(map[string]cty.Value{"output": cty.ObjectVal(of)})
	return &hcl.EvalContext{Variables: map[string]cty.Value{"terraform_data": cty.ObjectVal(map[string]cty.Value{"known": known})}}
}

// TestDriverAsksWhatTheCLIAsks: the CLI and the driver, taken through the same steps, come to the same actions and ask
// the provider the same things with the same values. Only the CLI itself can show that.
func TestDriverAsksWhatTheCLIAsks(t *testing.T) {
	t.Parallel()
	var byDriver, byCLI recording
	driveParity(t, &byDriver)
	runParity(t, &byCLI)

	if diff := cmp.Diff(byCLI.applied, byDriver.applied); diff != "" {
		t.Errorf("applied in order (-CLI +driver):\n%s", diff)
	}
	if diff := cmp.Diff(distinct(byCLI.planned), distinct(byDriver.planned)); diff != "" {
		t.Errorf("planned (-CLI +driver):\n%s", diff)
	}
	if diff := cmp.Diff(distinct(byCLI.read), distinct(byDriver.read)); diff != "" {
		t.Errorf("read (-CLI +driver):\n%s", diff)
	}
}

// runParity takes the CLI through the steps, with a provider in this process.
func runParity(t *testing.T, into *recording) {
	t.Helper()
	_, e := acctest.Drive(t, emulator.Options{}, nil)
	server, err := record(t.Context(), vmServer(t, e), into)
	if err != nil {
		t.Fatal(err)
	}
	dir, environment := t.TempDir(), append(os.Environ(), "TF_REATTACH_PROVIDERS="+reattach(t, server))
	run := func(arguments ...string) string {
		t.Helper()
		command := exec.CommandContext(t.Context(), acctest.CLI(), arguments...)
		command.Dir, command.Env = dir, environment
		output, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", arguments, err, output)
		}
		return string(output)
	}
	const requirement = `terraform {
  required_providers {
    cloudserver = { source = "` + providerAddress + `" }
  }
}
`
	for i, step := range paritySteps() {
		config := requirement + e.ProviderBlock() + step.resource()
		if strings.Contains(step.hcl, "terraform_data") {
			config += `resource "terraform_data" "known" { input = { name = "web-b", label = "boot", timeout = "5m" } }`
		}
		if err := os.WriteFile(filepath.Join(dir, "main.tf"), []byte(config), 0o600); err != nil {
			t.Fatal(err)
		}
		if step.taint {
			run("taint", "cloudserver_vm.x")
		}
		if output := run("apply", "-auto-approve", "-no-color"); !strings.Contains(output, signs[step.action]) {
			t.Errorf("step %d: the plan has no %q:\n%s", i, signs[step.action], output)
		}
		run("plan", "-detailed-exitcode", "-no-color")
	}
	run("destroy", "-auto-approve", "-no-color")
}

// signs are what the CLI prints of a plan.
var signs = map[acctest.Action]string{
	acctest.ActionCreate:  "# cloudserver_vm.x will be created",
	acctest.ActionUpdate:  "# cloudserver_vm.x will be updated in-place",
	acctest.ActionReplace: "must be replaced",
	acctest.ActionNoOp:    "0 changed, 0 destroyed",
}

const providerAddress = "registry.terraform.io/cloudserver/cloudserver"

// reattach serves a provider until the test ends, and returns how the CLI finds it.
func reattach(t *testing.T, server tfprotov6.ProviderServer) string {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	attached, ended := make(chan *plugin.ReattachConfig), make(chan struct{})
	go func() {
		err := tf6server.Serve(providerAddress, func() tfprotov6.ProviderServer { return server },
			tf6server.WithDebug(ctx, attached, ended), tf6server.WithoutLogStderrOverride())
		if err != nil {
			t.Error(err)
		}
	}()
	t.Cleanup(func() {
		stop()
		<-ended
	})
	provider := <-attached
	type address struct{ Network, String string }
	found, err := json.Marshal(map[string]any{providerAddress: map[string]any{
		"Protocol": provider.Protocol, "ProtocolVersion": provider.ProtocolVersion, "Pid": provider.Pid, "Test": true,
		"Addr": address{provider.Addr.Network(), provider.Addr.String()},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return string(found)
}

func driveParity(t *testing.T, into *recording) {
	t.Helper()
	ctx := t.Context()
	_, e := acctest.Drive(t, emulator.Options{}, nil)
	process := func() *acctest.Driver {
		server, err := record(ctx, vmServer(t, e), into)
		if err != nil {
			t.Fatal(err)
		}
		return acctest.NewDriver(t, server, e.ProviderConfig(nil))
	}
	later := output(map[string]cty.Value{"name": cty.UnknownVal(cty.String), "label": cty.UnknownVal(cty.String), "timeout": cty.UnknownVal(cty.String)})
	now := output(map[string]cty.Value{"name": cty.StringVal("web-b"), "label": cty.StringVal("boot"), "timeout": cty.StringVal("5m")})
	var o *acctest.Object
	for i, step := range paritySteps() {
		if step.taint {
			o = o.Taint()
		}
		body := acctest.ParseHCL(t, "step.tf", step.resource())[0].Body
		d := process()
		plan := d.Plan(ctx, vmType, d.MustRefresh(ctx, o), acctest.HCLConfig(t, body, later), step.ignore...)
		if plan.Action != step.action {
			t.Errorf("step %d: got %s, want %s\n%s", i, plan.Action, step.action, acctest.DiagText(plan.Diagnostics))
		}
		config := acctest.HCLConfig(t, body, now)
		var diags []*tfprotov6.Diagnostic
		if o, diags = process().ApplyWith(ctx, plan, config); acctest.HasErrors(diags) {
			t.Fatal(acctest.DiagText(diags))
		}
		process().ExpectPlan(ctx, o, config, acctest.ActionNoOp, step.ignore...)
	}
	if d := process(); d.MustApply(ctx, vmType, o, nil) != nil {
		t.Error("not destroyed")
	}
}

func distinct(requests []string) []string {
	set := map[string]bool{}
	for _, request := range requests {
		set[request] = true
	}
	return slices.Sorted(maps.Keys(set))
}
