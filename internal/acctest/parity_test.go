package acctest_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

// parityStep is one configuration, for the CLI and for the driver.
type parityStep struct {
	hcl    string
	config map[string]any
	taint  bool
	ignore []string
	cli    plancheck.ResourceActionType
	driver acctest.Action
}

func paritySteps() []parityStep {
	return []parityStep{
		{
			hcl: `name = "a"
				secret_wo = "hush"
				disc { label = "vda" }
				disc {
					label = "vdb"
					grade = "ssd"
				}
				image {
					name = "trixie"
					password_wo = "hush"
				}`,
			config: map[string]any{
				"name": "a", "secret_wo": "hush",
				"disc":  []map[string]any{{"label": "vda"}, {"label": "vdb", "grade": "ssd"}},
				"image": map[string]any{"name": "trixie", "password_wo": "hush"},
			},
			cli: plancheck.ResourceActionCreate, driver: acctest.ActionCreate,
		},
		{ // blocks inserted and removed, optional ones gone
			hcl: `name = "a"
				size = 5
				disc { label = "boot" }
				disc { label = "vda" }
				disc { label = "vdb" }`,
			config: map[string]any{
				"name": "a", "size": 5,
				"disc": discs("boot", "vda", "vdb"),
			},
			cli: plancheck.ResourceActionUpdate, driver: acctest.ActionUpdate,
		},
		{ // replaced, with an optional computed attribute no longer configured
			hcl:    `name = "a"` + "\n" + `zone = "manchester"`,
			config: map[string]any{"name": "a", "zone": "manchester"},
			cli:    plancheck.ResourceActionDestroyBeforeCreate, driver: acctest.ActionReplace,
		},
		{
			hcl:    `name = "a"`,
			config: map[string]any{"name": "a"},
			cli:    plancheck.ResourceActionNoop, driver: acctest.ActionNoOp,
		},
		{
			hcl:    `name = "a"`,
			config: map[string]any{"name": "a"},
			taint:  true,
			cli:    plancheck.ResourceActionDestroyBeforeCreate, driver: acctest.ActionReplace,
		},
		{
			hcl: `name = "b"
				secret_wo = "other"
				image { name = "noble" }`,
			config: map[string]any{"name": "b", "secret_wo": "other", "image": map[string]any{"name": "noble"}},
			cli:    plancheck.ResourceActionUpdate, driver: acctest.ActionUpdate,
		},
		{ // a block that is replaced, an attribute of a block, one that appears
			hcl: `name = "c"
				size = 7
				image { name = "trixie" }
				disc { label = "vda" }
				lifecycle { ignore_changes = [disc, image.name, size] }`,
			config: map[string]any{"name": "c", "size": 7, "disc": discs("vda"), "image": map[string]any{"name": "trixie"}},
			ignore: []string{"disc", "image.name", "size"},
			cli:    plancheck.ResourceActionUpdate, driver: acctest.ActionUpdate,
		},
		{ // discs to ignore later
			hcl: `name = "d"
				image { name = "trixie" }
				disc { label = "vda" }
				disc { label = "vdb" }`,
			config: map[string]any{"name": "d", "disc": discs("vda", "vdb"), "image": map[string]any{"name": "trixie"}},
			cli:    plancheck.ResourceActionUpdate, driver: acctest.ActionUpdate,
		},
		{ // a path into a list, a whole block, a path that leads nowhere
			hcl: `name = "e"
				image { name = "sid" }
				disc { label = "vdx" }
				disc { label = "vdc" }
				lifecycle { ignore_changes = [disc[0].label, image, disc[7].label] }`,
			config: map[string]any{"name": "e", "disc": discs("vdx", "vdc"), "image": map[string]any{"name": "sid"}},
			ignore: []string{"disc.0.label", "image", "disc.7.label"},
			cli:    plancheck.ResourceActionUpdate, driver: acctest.ActionUpdate,
		},
		{
			hcl: `name = "e"
				image { name = "sid" }
				disc { label = "other" }
				lifecycle { ignore_changes = all }`,
			config: map[string]any{"name": "e", "disc": discs("other"), "image": map[string]any{"name": "sid"}},
			ignore: []string{acctest.IgnoreAll},
			cli:    plancheck.ResourceActionNoop, driver: acctest.ActionNoOp,
		},
		{ // replaced: nothing is ignored for the new object
			hcl: `name = "g"
				zone = "manchester"
				disc { label = "new" }
				lifecycle { ignore_changes = [disc, name] }`,
			config: map[string]any{"name": "g", "zone": "manchester", "disc": discs("new")},
			ignore: []string{"disc", "name"},
			cli:    plancheck.ResourceActionDestroyBeforeCreate, driver: acctest.ActionReplace,
		},
	}
}

// The CLI and the driver, taken through the same steps, must come to the same
// actions and ask the provider the same things with the same values.
func TestDriverAsksWhatTheCLIAsks(t *testing.T) {
	t.Parallel()
	var byDriver, byCLI recording
	driveParity(t, &byDriver)

	w := newWorld()
	var steps []resource.TestStep
	for _, step := range paritySteps() {
		s := resource.TestStep{
			Config: "resource \"probe_thing\" \"x\" {\n" + step.hcl + "\n}\n",
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction("probe_thing.x", step.cli),
			}},
		}
		if step.taint {
			s.Taint = []string{"probe_thing.x"}
		}
		steps = append(steps, s)
	}
	resource.UnitTest(t, resource.TestCase{
		ProtoV6ProviderFactories: map[string]func() (tfprotov6.ProviderServer, error){
			"probe": func() (tfprotov6.ProviderServer, error) { return record(t.Context(), probeServer(w), &byCLI) },
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
	server, err := record(ctx, probeServer(newWorld()), into)
	if err != nil {
		t.Fatal(err)
	}
	d := acctest.NewDriver(t, server, nil)
	var o *acctest.Object
	for i, step := range paritySteps() {
		if step.taint {
			o = o.Taint()
		}
		plan := d.Plan(ctx, thingType, d.MustRefresh(ctx, o), step.config, acctest.IgnoreChanges(step.ignore...))
		if plan.Action != step.driver {
			t.Errorf("step %d: got %s, want %s", i+1, plan.Action, step.driver)
		}
		var diags []*tfprotov6.Diagnostic
		if o, diags = d.Apply(ctx, thingType, plan); acctest.HasErrors(diags) {
			t.Fatal(acctest.DiagText(diags))
		}
		d.ExpectPlan(ctx, o, step.config, acctest.ActionNoOp, acctest.IgnoreChanges(step.ignore...))
	}
	if d.MustApply(ctx, thingType, o, nil) != nil {
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
