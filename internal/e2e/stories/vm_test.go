package stories

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/compare"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

// TestAccVM_life creates a machine and changes, in place, all but its discs, image and power.
func TestAccVM_life(t *testing.T) {
	offered, err := client.Definitions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	name, other := unique("web"), unique("app")
	config := machine(name, boot(), noGuest, "  allow_stopping_for_update = true")
	renamed := replaced(config, name, other)
	bigger := replaced(replaced(renamed, "cores  = 1", "cores  = 2"), "= 1024", "= 2048")
	changes, values := "  hardware_profile_locked = true", []string{"hardware_profile_locked", "true", "cores", "1", "memory", "1024"}
	if n := len(offered.Keymaps); n > 0 { // a service need not tell its keymaps
		changes += fmt.Sprintf("\n  keymap = %q", offered.Keymaps[n-1])
		values = append(values, "keymap", offered.Keymaps[n-1])
	}
	story(t, sameID(
		resource.TestStep{Config: config, Check: resource.ComposeAggregateTestCheckFunc(
			has("name", name, "account", account, "cores", "1", "memory", "1024", "disc.#", "1", "disc.0.label", "vda", "disc.0.size", "25600"),
			resource.TestMatchResourceAttr(web, "id", regexp.MustCompile(`^\d+$`)),
			resource.TestMatchResourceAttr(web, "hostname", regexp.MustCompile(`^`+name+`\.`)),
			resource.TestCheckResourceAttrSet(web, "disc.0.id"),
			resource.TestCheckNoResourceAttr(web, "last_imaged_with"),
		)},
		updates(resource.TestStep{Config: renamed, Check: resource.TestMatchResourceAttr(web, "hostname", regexp.MustCompile(`^`+other+`\.`))}),
		updates(resource.TestStep{Config: bigger, Check: has("cores", "2", "memory", "2048")}),
		updates(resource.TestStep{Config: replaced(renamed, "cores  = 1", "cores  = 1\n"+changes), Check: has(values...)}),
	)...)
}

// TestAccVM_image installs an image, another one in place, which keeps the second disc, and a third one by replacement.
func TestAccVM_image(t *testing.T) {
	one, other := distributions(t)
	key := `    ssh_public_key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBDEcVOF9T6JTvtpHHEpzVeRKPicDToJM8d3QYI9jjrM tfacc"`
	config := machine(unique("web"), boot(), disc("data", 5120), noGuest, image(one, key, `    on_change = "reimage"`))
	steps := append([]resource.TestStep{{
		Config: replaced(config, one, "tfacc-no-such"), ExpectError: acctest.Rendered("does not offer the distribution", "tfacc-no-such"),
	}}, sameDisc(1, sameID(
		resource.TestStep{Config: config, Check: resource.ComposeAggregateTestCheckFunc(has("last_imaged_with", one, "reimage.distribution", one), stateLacks(password))},
		updates(resource.TestStep{Config: replaced(config, one, other), Check: has("last_imaged_with", other, "disc.1.label", "data")}),
	))...)
	byReplacement := replaced(config, `"reimage"`, `"replace"`)
	story(t, append(steps, expect(resource.TestStep{Config: byReplacement, Check: has("last_imaged_with", one)}, web, plancheck.ResourceActionReplace))...)
}

// stateLacks checks that no attribute holds a text.
func stateLacks(text string) resource.TestCheckFunc {
	return func(state *terraform.State) error {
		if strings.Contains(state.String(), text) {
			return fmt.Errorf("the state contains %q", text)
		}
		return nil
	}
}

// sameDisc makes all steps check that the disc at a position keeps its id.
func sameDisc(position int, steps []resource.TestStep) []resource.TestStep {
	values := statecheck.CompareValue(compare.ValuesSame())
	for i := range steps {
		steps[i].ConfigStateChecks = append(steps[i].ConfigStateChecks,
			values.AddStateValue(web, tfjsonpath.New("disc").AtSliceIndex(position).AtMapKey("id")))
	}
	return steps
}

// TestAccVM_discs adds, grows, renames and removes a disc beside two that stay, and refuses to shrink one.
func TestAccVM_discs(t *testing.T) {
	name := unique("web")
	with := func(label string, size int) string {
		return machine(name, boot(), disc("data", 5120), disc(label, size))
	}
	without := machine(name, boot(), disc("data", 5120))
	third := func(label, size string) resource.TestCheckFunc {
		return has("disc.#", "3", "disc.2.label", label, "disc.2.size", size)
	}
	steps := sameDisc(0, sameDisc(1, sameID(
		resource.TestStep{Config: without},
		updates(resource.TestStep{Config: with("scratch", 1024), Check: third("scratch", "1024")}),
		updates(resource.TestStep{Config: with("scratch", 2048), Check: third("scratch", "2048")}),
		updates(resource.TestStep{Config: with("archive", 2048), Check: third("archive", "2048")}),
	)))
	sameDisc(2, steps[1:])
	story(t, append(
		steps,
		resource.TestStep{Config: with("archive", 1024), ExpectError: acctest.Rendered("disc", `"archive"`)},
		updates(resource.TestStep{Config: without, Check: has("disc.#", "2", "disc.1.label", "data")}),
	)...)
}

func TestAccVM_power(t *testing.T) {
	off := machine(unique("web"), boot(), noGuest, "  power_on = false")
	on := replaced(off, "power_on = false", "power_on = true")
	story(t, sameID(
		resource.TestStep{Config: off, Check: has("power_on", "false")},
		updates(resource.TestStep{Config: on, Check: has("power_on", "true")}),
		updates(resource.TestStep{Config: off, Check: has("power_on", "false", "autoreboot_on", "false")}),
	)...)
}

// TestAccVM_move takes a machine from one group to another, by name and by id, and renames the group under it.
func TestAccVM_move(t *testing.T) {
	from, to, other := unique("from"), unique("to"), unique("other")
	groups := fmt.Sprintf("resource \"cloudserver_group\" \"from\" {\n  name = %q\n}\nresource \"cloudserver_group\" \"to\" {\n  name = %q\n}\n", from, to)
	name := unique("web")
	in := func(line string) string { return groups + machine(name, "  "+line, boot()) }
	pair := func(group string) resource.TestCheckFunc {
		return resource.TestCheckResourceAttrPair(web, "group_id", "cloudserver_group."+group, "id")
	}
	byID := in("group_id = cloudserver_group.from.id")
	story(t, sameID(
		resource.TestStep{Config: in("group = cloudserver_group.from.name"), Check: pair("from")},
		updates(resource.TestStep{Config: in("group = cloudserver_group.to.name"), Check: pair("to")}),
		updates(resource.TestStep{Config: byID, Check: pair("from")}),
		expect(resource.TestStep{Config: replaced(byID, from, other), Check: hasAt("cloudserver_group.from", "name", other)}, "cloudserver_group.from", plancheck.ResourceActionUpdate),
	)...)
}

// TestAccVM_import finds a machine with the data sources, and imports it in each way.
func TestAccVM_import(t *testing.T) {
	const byID, byName = "data.cloudserver_vm.by_id", "data.cloudserver_vm.by_name"
	name := unique("web")
	config := machine(name, boot(), disc("data", 5120), "  power_on = true")
	read := config + fmt.Sprintf(`
data "cloudserver_vm" "by_id" { id = cloudserver_vm.web.id }
data "cloudserver_vm" "by_name" {
  group = cloudserver_vm.web.group
  name  = cloudserver_vm.web.name
}
data "cloudserver_vms" "those" {
  name_pattern = "%[1]s*"
  depends_on   = [cloudserver_vm.web]
}
data "cloudserver_vms" "off" {
  name_pattern = "%[1]s*"
  power_on     = false
  depends_on   = [cloudserver_vm.web]
}
`, name)
	by := func(id resource.ImportStateIdFunc) resource.TestStep {
		return resource.TestStep{
			ResourceName: web, ImportState: true, ImportStateVerify: true, ImportStateIdFunc: id,
			ImportStateVerifyIgnore: []string{"account", "group", "group_id"}, // spelt as the import does
		}
	}
	story(
		t,
		resource.TestStep{Config: read, Check: resource.ComposeAggregateTestCheckFunc(
			resource.TestCheckResourceAttrPair(byID, "hostname", web, "hostname"),
			resource.TestCheckResourceAttrPair(byID, "ipv4_address", web, "ipv4_address"),
			resource.TestCheckResourceAttrPair(byName, "id", web, "id"),
			hasAt(byName, "disc.#", "2", "deleted", "false"),
			resource.TestCheckTypeSetElemNestedAttrs(byName, "disc.*", map[string]string{"label": "data", "size": "5120"}),
			resource.TestMatchResourceAttr(byName, "network_interfaces.0.mac", regexp.MustCompile(`^[0-9a-fA-F:]{17}$`)),
			hasAt("data.cloudserver_vms.those", "virtual_machines.#", "1", "virtual_machines.0.account", account, "virtual_machines.0.disc.#", "2"),
			hasAt("data.cloudserver_vms.off", "virtual_machines.#", "0"),
		)},
		by(attribute(web, "id")),
		by(func(state *terraform.State) (string, error) {
			hostname := strings.Split(state.RootModule().Resources[web].Primary.Attributes["hostname"], ".")
			return account + "/" + hostname[1] + "/" + name, nil
		}),
		resource.TestStep{ResourceName: web, ImportState: true, ImportStateKind: resource.ImportBlockWithID, Config: config},
	)
}
