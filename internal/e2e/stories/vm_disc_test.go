package stories

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/compare"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

// compareDisc makes all steps check that the disc at a position keeps its id.
func compareDisc(position int, steps []resource.TestStep) []resource.TestStep {
	values := statecheck.CompareValue(compare.ValuesSame())
	for i := range steps {
		steps[i].ConfigStateChecks = append(steps[i].ConfigStateChecks,
			values.AddStateValue(web, tfjsonpath.New("disc").AtSliceIndex(position).AtMapKey("id")))
	}
	return steps
}

func TestAccVM_discAdded(t *testing.T) {
	name := unique("web")
	story(t, compareDisc(0, sameID(
		resource.TestStep{Config: machine(name, boot())},
		updates(resource.TestStep{
			Config: machine(name, boot(), disc("data", 5120)),
			Check:  has("disc.#", "2", "disc.1.label", "data", "disc.1.size", "5120"),
		}),
	))...)
}

func TestAccVM_discGrown(t *testing.T) {
	name := unique("web")
	story(t, compareDisc(1, sameID(
		resource.TestStep{Config: machine(name, boot(), disc("data", 5120))},
		updates(resource.TestStep{Config: machine(name, boot(), disc("data", 10240)), Check: has("disc.1.size", "10240")}),
	))...)
}

func TestAccVM_discNotShrunk(t *testing.T) {
	name := unique("web")
	story(
		t,
		resource.TestStep{Config: machine(name, boot(), disc("data", 5120))},
		resource.TestStep{Config: machine(name, boot(), disc("data", 1024)), ExpectError: acctest.Rendered("disc", `"data"`)},
	)
}

func TestAccVM_discRenamed(t *testing.T) {
	name := unique("web")
	story(t, compareDisc(1, sameID(
		resource.TestStep{Config: machine(name, boot(), disc("data", 5120))},
		updates(resource.TestStep{Config: machine(name, boot(), disc("archive", 5120)), Check: has("disc.1.label", "archive")}),
	))...)
}

func TestAccVM_discRemoved(t *testing.T) {
	name := unique("web")
	story(t, compareDisc(0, sameID(
		resource.TestStep{Config: machine(name, boot(), disc("scratch", 1024), disc("data", 5120))},
		updates(resource.TestStep{
			Config: machine(name, boot(), disc("data", 5120)),
			Check:  has("disc.#", "2", "disc.1.label", "data", "disc.1.size", "5120"),
		}),
	))...)
}
