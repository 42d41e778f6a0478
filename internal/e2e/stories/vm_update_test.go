package stories

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

func TestAccVM_rename(t *testing.T) {
	before, after := unique("web"), unique("app")
	story(t, sameID(
		resource.TestStep{Config: machine(before, boot())},
		updates(resource.TestStep{
			Config: machine(after, boot()),
			Check: resource.ComposeAggregateTestCheckFunc(
				has("name", after),
				resource.TestMatchResourceAttr(web, "hostname", regexp.MustCompile(`^`+after+`\.`)),
			),
		}),
	)...)
}

func TestAccVM_renamedElsewhere(t *testing.T) {
	name, other := unique("web"), unique("other")
	var id int64
	story(t, sameID(
		resource.TestStep{Config: machine(name, boot()), Check: remember(&id)},
		updates(resource.TestStep{
			PreConfig: changeElsewhere(t, &id, cloudserver.VirtualMachineUpdate{Name: &other}),
			Config:    machine(name, boot()),
			Check:     has("name", name),
		}),
	)...)
}

// TestAccVM_move takes a machine from one group to another, by name and by id.
func TestAccVM_move(t *testing.T) {
	from, to := unique("from"), unique("to")
	groups := fmt.Sprintf("resource \"cloudserver_group\" \"from\" {\n  name = %q\n}\nresource \"cloudserver_group\" \"to\" {\n  name = %q\n}\n", from, to)
	name := unique("web")
	in := func(line string) string { return groups + machine(name, "  "+line, boot()) }
	pair := func(group string) resource.TestCheckFunc {
		return resource.TestCheckResourceAttrPair(web, "group_id", "cloudserver_group."+group, "id")
	}
	story(t, sameID(
		resource.TestStep{Config: in("group = cloudserver_group.from.name"), Check: pair("from")},
		updates(resource.TestStep{Config: in("group = cloudserver_group.to.name"), Check: pair("to")}),
		updates(resource.TestStep{Config: in("group_id = cloudserver_group.from.id"), Check: pair("from")}),
	)...)
}

func TestAccVM_resizeUp(t *testing.T) {
	config := machine(unique("web"), boot(), noGuest)
	bigger := replaced(replaced(config, "cores  = 1", "cores  = 2"), "= 1024", "= 2048")
	story(t, sameID(
		resource.TestStep{Config: config},
		updates(resource.TestStep{Config: bigger, Check: has("cores", "2", "memory", "2048")}),
	)...)
}

func TestAccVM_resizeDown(t *testing.T) {
	config := machine(unique("web"), boot())
	bigger := replaced(replaced(config, "cores  = 1", "cores  = 2"), "= 1024", "= 2048")
	story(t, sameID(
		resource.TestStep{Config: bigger, Check: has("cores", "2", "memory", "2048")},
		updates(resource.TestStep{Config: config, Check: has("cores", "1", "memory", "1024")}),
	)...)
}

// TestAccVM_settings changes what can change without a restart.
func TestAccVM_settings(t *testing.T) {
	offered, err := client.Definitions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	config, changes, values := machine(unique("web"), boot()), "  hardware_profile_locked = true", []string{"hardware_profile_locked", "true"}
	if n := len(offered.Keymaps); n > 0 { // a service need not tell its keymaps
		changes += fmt.Sprintf("\n  keymap = %q", offered.Keymaps[n-1])
		values = append(values, "keymap", offered.Keymaps[n-1])
	}
	story(t, sameID(
		resource.TestStep{Config: config},
		updates(resource.TestStep{Config: replaced(config, "cores  = 1", "cores  = 1\n"+changes), Check: has(values...)}),
	)...)
}

func TestAccVM_powerOffAndOn(t *testing.T) {
	config := machine(unique("web"), boot(), noGuest, "  power_on = true")
	off := replaced(config, "power_on = true", "power_on = false")
	story(t, sameID(
		resource.TestStep{Config: config, Check: hasAt(web, "power_on", "true")},
		updates(resource.TestStep{Config: off, Check: has("power_on", "false", "autoreboot_on", "false")}),
		updates(resource.TestStep{Config: config, Check: has("power_on", "true")}),
	)...)
}

func TestAccVM_createdOff(t *testing.T) {
	config := machine(unique("web"), boot(), "  power_on = false")
	story(t, sameID(
		resource.TestStep{Config: config, Check: has("power_on", "false")},
		updates(resource.TestStep{Config: replaced(config, "= false", "= true"), Check: has("power_on", "true")}),
	)...)
}

// TestAccVM_reimageInPlace keeps the machine and its second disc.
func TestAccVM_reimageInPlace(t *testing.T) {
	one, other := distributions(t)
	config := machine(unique("web"), boot(), disc("data", 5120), noGuest, image(one, `    on_change = "reimage"`))
	story(t, compareDisc(1, sameID(
		resource.TestStep{Config: config, Check: has("last_imaged_with", one)},
		updates(resource.TestStep{Config: replaced(config, one, other), Check: has("last_imaged_with", other, "disc.1.label", "data")}),
	))...)
}

func TestAccVM_replaceOnDistribution(t *testing.T) {
	one, other := distributions(t)
	config := machine(unique("web"), boot(), image(one))
	story(t, otherID(
		resource.TestStep{Config: config, Check: has("last_imaged_with", one)},
		expect(resource.TestStep{Config: replaced(config, one, other), Check: has("last_imaged_with", other)}, web, plancheck.ResourceActionReplace),
	)...)
}
