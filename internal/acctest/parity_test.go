package acctest_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/zclconf/go-cty/cty"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// parityStep is one configuration, for the CLI and for the driver.
type parityStep struct {
	hcl    string
	taint  bool
	ignore []string // what the HCL ignores
	action plancheck.ResourceActionType
}

func (s parityStep) resource() string {
	return "resource \"cloudserver_vm\" \"x\" {\n" + s.hcl + "\n}\n"
}

// driverActions are the CLI's actions as the driver calls them.
var driverActions = map[plancheck.ResourceActionType]acctest.Action{
	plancheck.ResourceActionCreate:              acctest.ActionCreate,
	plancheck.ResourceActionUpdate:              acctest.ActionUpdate,
	plancheck.ResourceActionDestroyBeforeCreate: acctest.ActionReplace,
	plancheck.ResourceActionNoop:                acctest.ActionNoOp,
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
		{hcl: `name = "web-a"` + vda + vdb + image, action: plancheck.ResourceActionCreate},
		{ // blocks inserted and removed, optional ones gone
			hcl: `name = "web-a"` + vda + vdc + vdb, action: plancheck.ResourceActionUpdate,
		},
		{ // replaced, with an optional computed attribute no longer configured
			hcl: `name = "web-a"
				zone_name = "manchester"` + vda, action: plancheck.ResourceActionDestroyBeforeCreate,
		},
		{hcl: `name = "web-a"` + vda, taint: true, action: plancheck.ResourceActionDestroyBeforeCreate},
		{ // a name, a label and the content of a block that are known only after apply
			hcl: `name = terraform_data.known.output.name
				disc {
					label = terraform_data.known.output.label
					size  = 100
				}
				timeouts { create = terraform_data.known.output.timeout }`,
			action: plancheck.ResourceActionUpdate,
		},
		{ // a block that is replaced, an attribute of a block, one that appears
			hcl: `name = "web-c"
				cores = 7
				timeouts { create = "6m" }
				lifecycle { ignore_changes = [disc, timeouts.create, cores] }` + vda + vdb,
			ignore: []string{"disc", "timeouts.create", "cores"}, action: plancheck.ResourceActionUpdate,
		},
		{ // a path into a list, a whole block, a path that leads nowhere
			hcl: `name = "web-e"
				lifecycle { ignore_changes = [disc[0], timeouts, disc[7].label] }` + vdb + vdc,
			ignore: []string{"disc.0", "timeouts", "disc.7.label"}, action: plancheck.ResourceActionUpdate,
		},
		{
			hcl: `name = "web-f"
				lifecycle { ignore_changes = all }` + vda,
			ignore: []string{acctest.IgnoreAll}, action: plancheck.ResourceActionNoop,
		},
		{ // replaced: nothing is ignored for the new object
			hcl: `name = "web-g"
				zone_name = "manchester"
				lifecycle { ignore_changes = [disc, name] }` + vdb,
			ignore: []string{"disc", "name"}, action: plancheck.ResourceActionDestroyBeforeCreate,
		},
	}
}

// output is the value of terraform_data.known after apply.
func output(of map[string]cty.Value) *hcl.EvalContext {
	known := cty.ObjectVal(map[string]cty.Value{"output": cty.ObjectVal(of)})
	return &hcl.EvalContext{Variables: map[string]cty.Value{"terraform_data": cty.ObjectVal(map[string]cty.Value{"known": known})}}
}

// The CLI and the driver, taken through the same steps, must come to the same
// actions and ask the provider the same things with the same values.
func TestDriverAsksWhatTheCLIAsks(t *testing.T) {
	t.Parallel()
	var byDriver, byCLI recording
	driveParity(t, &byDriver)

	_, e := acctest.Drive(t, emulator.Options{}, nil)
	var steps []resource.TestStep
	for _, step := range paritySteps() {
		s := resource.TestStep{
			Config: e.ProviderBlock() + step.resource(),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction("cloudserver_vm.x", step.action),
			}},
		}
		if strings.Contains(step.hcl, "terraform_data") {
			s.Config += `resource "terraform_data" "known" { input = { name = "web-b", label = "boot", timeout = "5m" } }`
		}
		if step.taint {
			s.Taint = []string{"cloudserver_vm.x"}
		}
		steps = append(steps, s)
	}
	resource.UnitTest(t, resource.TestCase{
		ProtoV6ProviderFactories: map[string]func() (tfprotov6.ProviderServer, error){
			"cloudserver": func() (tfprotov6.ProviderServer, error) { return record(t.Context(), vmServer(t, e), &byCLI) },
		},
		Steps: steps,
	})

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
		ignore := acctest.IgnoreChanges(step.ignore...)
		d := process()
		plan := d.Plan(ctx, vmType, d.MustRefresh(ctx, o), acctest.HCLConfig(t, body, later), ignore)
		if want := driverActions[step.action]; plan.Action != want {
			t.Errorf("step %d: got %s, want %s\n%s", i, plan.Action, want, acctest.DiagText(plan.Diagnostics))
		}
		config := acctest.HCLConfig(t, body, now)
		var diags []*tfprotov6.Diagnostic
		if o, diags = process().ApplyWith(ctx, plan, config); acctest.HasErrors(diags) {
			t.Fatal(acctest.DiagText(diags))
		}
		process().ExpectPlan(ctx, o, config, acctest.ActionNoOp, ignore)
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
