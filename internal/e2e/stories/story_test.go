package stories

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/compare"
	random "github.com/hashicorp/terraform-plugin-testing/helper/acctest"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// web is the address of the machine of most stories.
const web = "cloudserver_vm.web"

// password is a root password that no other text contains.
const password = "tfacc-S3cret-only"

// story runs the steps through the real CLI, destroys what they created, and looks that it is gone. After each step
// that applies, the plan has to be empty, which the test framework checks.
func story(t *testing.T, steps ...resource.TestStep) {
	t.Helper()
	acctest.UnitTest(t, resource.TestCase{CheckDestroy: checkDestroyed(t), Steps: steps})
}

// checkDestroyed looks for the machines and groups of a state.
func checkDestroyed(t *testing.T) resource.TestCheckFunc {
	return func(state *terraform.State) error {
		groups, err := client.Groups(t.Context(), account)
		if err != nil {
			return err
		}
		for address, r := range state.RootModule().Resources {
			if strings.HasPrefix(address, "data.") {
				continue
			}
			switch r.Type {
			case "cloudserver_vm":
				_, err := client.VirtualMachine(t.Context(), machineID(r.Primary.ID), cloudserver.IncludeDeleted)
				if !cloudserver.IsNotFound(err) {
					return fmt.Errorf("%s (%s) is not gone: %w", address, r.Primary.ID, err)
				}
			case "cloudserver_group":
				if slices.ContainsFunc(groups, func(g cloudserver.Group) bool { return strconv.FormatInt(g.ID, 10) == r.Primary.ID }) {
					return fmt.Errorf("%s (%s) is not gone", address, r.Primary.ID)
				}
			}
		}
		return nil
	}
}

// machineID returns the id of a state, or -1.
func machineID(text string) int64 {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return -1
	}
	return id
}

// unique returns a name that no other run uses.
func unique(what string) string {
	return prefix + what + "-" + random.RandStringFromCharSet(8, random.CharSetAlphaNum)
}

// machine is the configuration of cloudserver_vm.web, with further lines.
func machine(name string, lines ...string) string {
	return fmt.Sprintf("resource \"cloudserver_vm\" \"web\" {\n  name   = %q\n  cores  = 1\n  memory = 1024\n%s\n}\n", name, strings.Join(lines, "\n"))
}

// disc is a block with a label and a size in megabytes.
func disc(label string, size int) string {
	return fmt.Sprintf("  disc {\n    label = %q\n    size  = %d\n  }", label, size)
}

// image is a block that installs a distribution.
func image(distribution string, lines ...string) string {
	return fmt.Sprintf("  reimage {\n    distribution  = %q\n    root_password = %q\n%s\n  }", distribution, password, strings.Join(lines, "\n"))
}

// noGuest is for a machine without a guest that would react to powerdown.
const noGuest = "  shutdown_timeout = \"5s\""

// boot is the disc that most machines have alone.
func boot() string { return disc("vda", 25600) }

// replaced returns a configuration in which one text is replaced by another.
func replaced(config, before, after string) string {
	if !strings.Contains(config, before) {
		return "there is no " + before
	}
	return strings.ReplaceAll(config, before, after)
}

// distributions returns two that the service offers: well-known ones, if possible.
func distributions(t *testing.T) (one, other string) {
	t.Helper()
	offered, err := client.Definitions(t.Context())
	if err != nil || len(offered.Distributions) < 2 {
		t.Fatalf("the service has to offer two distributions: %v", err)
	}
	var found []string
	for _, name := range append([]string{"trixie", "bookworm", "noble", "jammy"}, offered.Distributions...) {
		if slices.Contains(offered.Distributions, name) && !slices.Contains(found, name) {
			found = append(found, name)
		}
	}
	return found[0], found[1]
}

// expect makes a step check that the plan has an action for an address.
func expect(step resource.TestStep, address string, action plancheck.ResourceActionType) resource.TestStep {
	step.ConfigPlanChecks.PreApply = append(step.ConfigPlanChecks.PreApply, plancheck.ExpectResourceAction(address, action))
	return step
}

// updates makes a step check that the machine is updated in place.
func updates(step resource.TestStep) resource.TestStep {
	return expect(step, web, plancheck.ResourceActionUpdate)
}

// sameID makes all steps check that the machine keeps its id.
func sameID(steps ...resource.TestStep) []resource.TestStep {
	values := statecheck.CompareValue(compare.ValuesSame())
	for i := range steps {
		steps[i].ConfigStateChecks = append(steps[i].ConfigStateChecks, values.AddStateValue(web, tfjsonpath.New("id")))
	}
	return steps
}

// has checks attributes of the machine: name, value, name, value, …
func has(pairs ...string) resource.TestCheckFunc { return hasAt(web, pairs...) }

// hasAt checks attributes of an address.
func hasAt(address string, pairs ...string) resource.TestCheckFunc {
	var checks []resource.TestCheckFunc
	for pair := range slices.Chunk(pairs, 2) {
		checks = append(checks, resource.TestCheckResourceAttr(address, pair[0], pair[1]))
	}
	return resource.ComposeAggregateTestCheckFunc(checks...)
}
