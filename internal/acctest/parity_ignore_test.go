package acctest_test

import (
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

// ignoringSteps have lifecycle { ignore_changes }.
func ignoringSteps() []parityStep {
	return []parityStep{
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
				tags = { k = "w" }
				lifecycle { ignore_changes = all }`,
			config: map[string]any{"name": "e", "disc": discs("other"), "image": map[string]any{"name": "sid"}, "tags": map[string]any{"k": "w"}},
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
