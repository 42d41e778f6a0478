// SPDX-License-Identifier: MPL-2.0

package vm_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/vm"
)

// occasion is when an attribute matters.
type occasion string

const (
	createWith    occasion = "create with"
	createWithout occasion = "create without"
	change        occasion = "change"
	remove        occasion = "remove"
	drift         occasion = "drift"
	adopt         occasion = "import"
)

// keptInState are the attributes whose configured values stay in the state, even if they change outside Terraform.
var keptInState = []string{
	"disc.0.label", "disc.0.storage_grade", "reimage", "reimage.distribution", "ips.ipv4", "ips.ipv6",
}

// row is one line of the matrix in matrix_table_test.go.
type row struct {
	path string
	when occasion

	// The rest of the configuration, besides a name and a disc.
	beside given

	// The attribute's value in the configuration with which the machine was created, and in the one that is planned;
	// nil means that it is absent. A drift happens between the two, and is one of driftChanges. An import reads a
	// machine that was created with from, and plans to.
	from, to any

	plan acctest.Action
	sent string // the requests of plan and apply that change something, as sent writes them
	says string // phrases, separated by |: one for each warning or error, in their order

	again acctest.Action // the plan after the apply; "": it changes nothing
}

func (r row) String() string {
	name := r.path + "/" + string(r.when)
	if r.says != "" {
		name += "/" + r.says
	}
	return name + "/" + string(r.plan)
}

// TestMatrix plans and applies each row of the matrix.
func TestMatrix(t *testing.T) {
	t.Parallel()
	for _, r := range matrix() {
		t.Run(r.String(), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, r.test)
		})
	}
}

func (r row) test(t *testing.T) {
	ctx := t.Context()
	d, e := acctest.Drive(t, emulator.Options{BootTime: 34 * time.Second, ShutdownTime: 5 * time.Second}, nil)
	e.AddAccount("other", false)
	was, config := configured(r.beside, given{r.path: r.from}), configured(r.beside, given{r.path: r.to})
	o, healthy := r.prepare(t, d, e, was)
	e.ResetJournal()

	plan := d.Plan(ctx, vmType, o, config)
	if plan.Action != r.plan {
		t.Fatalf("plan: %s of %v, want %s\n%s", plan.Action, plan.Changes(), r.plan, acctest.DiagText(plan.Diagnostics))
	}
	r.checkMessages(t, plan)
	if r.plan == acctest.ActionUpdate {
		r.checkLastChange(t, plan)
	}
	if r.plan != acctest.ActionError && r.plan != acctest.ActionNoOp {
		applied, diags := d.Apply(ctx, vmType, plan)
		if acctest.HasErrors(diags) {
			t.Fatalf("apply:\n%s", acctest.DiagText(diags))
		}
		o = applied
	}
	if got := sent(e); got != r.sent {
		t.Errorf("sent\n %q, want\n %q", got, r.sent)
	}
	if r.plan == acctest.ActionError {
		return
	}
	next := r.again
	if next == "" {
		next = acctest.ActionNoOp
	}
	d.ExpectPlan(ctx, o, config, next)
	if r.when == drift && r.plan == acctest.ActionUpdate && r.sent != "" {
		if diff := cmp.Diff(healthy, onlyMachine(t, e), notMended); diff != "" {
			t.Errorf("applying does not mend the machine: -before the drift +after\n%s", diff)
		}
	}
}

// prepare creates the object on which a row is planned. It also returns the machine as it was before a drift.
func (r row) prepare(
	t *testing.T, d *acctest.Driver, e *acctest.Emulator, was object,
) (*acctest.Object, emulator.Machine) {
	t.Helper()
	ctx := t.Context()
	if r.when == createWith || r.when == createWithout {
		return nil, emulator.Machine{}
	}
	o := d.MustApply(ctx, vmType, nil, was)
	healthy := onlyMachine(t, e)
	switch r.when {
	case drift:
		before := o.Get(r.path)
		if err := e.Change(healthy.ID, driftChanges(e)[r.path]); err != nil {
			t.Fatal(err)
		}
		o = d.MustRefresh(ctx, o)
		if shown := !cmp.Equal(before, o.Get(r.path)); shown == slices.Contains(keptInState, r.path) {
			t.Errorf("the state shows the drift: %t; it was %v, and is %v", shown, before, o.Get(r.path))
		}
	case adopt:
		imported, diags := d.Import(ctx, vmType, o.Get("id").(string))
		if len(diags) > 0 {
			t.Fatalf("import:\n%s", acctest.DiagText(diags))
		}
		o = imported
	}
	return o, healthy
}

// checkMessages expects one message for each phrase of the row, and no others.
func (r row) checkMessages(t *testing.T, plan *acctest.PlanResult) {
	t.Helper()
	var phrases []string
	if r.says != "" {
		phrases = strings.Split(r.says, " | ")
	}
	ok := len(plan.Diagnostics) == len(phrases)
	for i := range phrases {
		ok = ok && strings.Contains(acctest.DiagText(plan.Diagnostics[i:i+1]), phrases[i])
	}
	if !ok {
		t.Errorf("the plan says\n%s\nwant %q", acctest.DiagText(plan.Diagnostics), phrases)
	}
}

// checkLastChange compares last_change in the plan with the requests of the row. The emulator's journal is compared with
// them as well.
func (r row) checkLastChange(t *testing.T, plan *acctest.PlanResult) {
	t.Helper()
	stops, erases, purges := false, 0, 0
	for _, request := range strings.Split(r.sent, "; ") {
		switch {
		case request == "signal powerdown" && erases == 0: // after an image, the machine is stopped again
			stops = true
		case strings.HasPrefix(request, "reimage "):
			erases++
		case strings.HasPrefix(request, "DELETE disc"):
			purges++
		}
	}
	cost, _ := plan.Get("last_change").(map[string]any)
	erased, _ := cost["erases"].(map[string]any)
	purged, _ := cost["purges"].([]any)
	if (cost["stops"] != nil) != stops || len(erased) != erases || len(purged) != purges || (cost != nil) != (stops || erases+purges > 0) {
		t.Errorf("last_change is %v, but it sends %q", plan.Get("last_change"), r.sent)
	}
}

// onlyMachine returns the emulator's only machine.
func onlyMachine(t *testing.T, e *acctest.Emulator) emulator.Machine {
	t.Helper()
	machines := e.Machines()
	if len(machines) != 1 {
		t.Fatalf("%d machines, want one", len(machines))
	}
	return machines[0]
}

// notMended ignores what no apply can restore: the ID of a disc that replaces a lost one, and the number of images that
// were installed.
var notMended = cmp.FilterPath(func(p cmp.Path) bool {
	return strings.HasSuffix(p.GoString(), "].ID") || strings.HasSuffix(p.GoString(), ".Images")
}, cmp.Ignore())

// TestMatrixIsWhole checks that every attribute has its rows. One that a user may set has a row for each occasion,
// except for a creation without it: a single row leaves out all that is optional.
func TestMatrixIsWhole(t *testing.T) {
	t.Parallel()
	rows := map[string][]occasion{}
	for _, r := range matrix() {
		rows[r.path] = append(rows[r.path], r.when)
	}
	drifts := driftChanges(nil)
	for path, settable := range schemaPaths(t) {
		var wanted []occasion
		if settable {
			wanted = []occasion{createWith, change, remove, adopt}
		}
		if drifts[path] != nil {
			wanted = append(wanted, drift)
		}
		for _, when := range wanted {
			if !slices.Contains(rows[path], when) {
				t.Errorf("the matrix has no row %s, %s", path, when)
			}
		}
		delete(rows, path)
	}
	for path := range rows {
		t.Errorf("the matrix has %s, and the schema has not", path)
	}
}

// schemaPaths returns the paths of the schema's attributes and blocks, with index 0 for repeated blocks, and whether a
// user may set each of them.
func schemaPaths(t *testing.T) map[string]bool {
	t.Helper()
	var resp resource.SchemaResponse
	vm.NewResource().Schema(t.Context(), resource.SchemaRequest{}, &resp)
	paths := map[string]bool{}
	addAttributes(paths, "", resp.Schema.Attributes)
	for name, block := range resp.Schema.Blocks {
		paths[name] = true
		switch block := block.(type) {
		case schema.ListNestedBlock:
			addAttributes(paths, name+".0.", block.NestedObject.Attributes)
		case schema.SingleNestedBlock:
			addAttributes(paths, name+".", block.Attributes)
		default:
			t.Errorf("block %s: a %T", name, block)
		}
	}
	return paths
}

func addAttributes(paths map[string]bool, at string, attributes map[string]schema.Attribute) {
	for name, attribute := range attributes {
		paths[at+name] = attribute.IsOptional() || attribute.IsRequired()
		if nested, ok := attribute.(schema.ListNestedAttribute); ok {
			addAttributes(paths, at+name+".0.", nested.NestedObject.Attributes)
		}
	}
}
