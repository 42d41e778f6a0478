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
	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
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
	key := `    ssh_public_key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGZha2U= tfacc"`
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

func TestAccVM_several(t *testing.T) {
	name := unique("web")
	config := func(count int) string {
		return replaced(machine(name+"-${count.index}", boot()), "{\n  name", fmt.Sprintf("{\n  count  = %d\n  name", count))
	}
	story(
		t,
		resource.TestStep{Config: config(2), Check: resource.TestCheckResourceAttr(web+".1", "name", name+"-1")},
		expect(resource.TestStep{Config: config(1), Check: resource.TestCheckResourceAttr(web+".0", "name", name+"-0")}, web+"[1]", plancheck.ResourceActionDestroy),
	)
}

func TestAccVM_import(t *testing.T) {
	name := unique("web")
	config := machine(name, boot(), disc("data", 5120), "  power_on = true")
	by := func(id resource.ImportStateIdFunc) resource.TestStep {
		return resource.TestStep{
			ResourceName: web, ImportState: true, ImportStateVerify: true, ImportStateIdFunc: id,
			ImportStateVerifyIgnore: []string{"account", "group", "group_id"}, // spelt as the import does
		}
	}
	story(
		t,
		resource.TestStep{Config: config},
		by(func(state *terraform.State) (string, error) { return state.RootModule().Resources[web].Primary.ID, nil }),
		by(func(state *terraform.State) (string, error) {
			hostname := strings.Split(state.RootModule().Resources[web].Primary.Attributes["hostname"], ".")
			return account + "/" + hostname[1] + "/" + name, nil
		}),
		resource.TestStep{
			ResourceName: web, ImportState: true, ImportStateKind: resource.ImportBlockWithID, Config: config,
		},
	)
}

// TestAccVM_elsewhere renames a machine behind Terraform's back, which is drift, and purges it, which is a loss.
func TestAccVM_elsewhere(t *testing.T) {
	name, other := unique("web"), unique("other")
	var id int64
	config := machine(name, boot())
	steps := sameID(
		resource.TestStep{Config: config, Check: remember(&id)},
		updates(resource.TestStep{Config: config, PreConfig: changeElsewhere(t, &id, cloudserver.VirtualMachineUpdate{Name: &other}), Check: has("name", name)}),
	)
	story(t, append(steps, expect(resource.TestStep{
		Config: config,
		PreConfig: func() {
			if err := purge(t, id); err != nil {
				t.Error(err)
			}
		},
	}, web, plancheck.ResourceActionCreate))...)
}

// remember keeps the machine's id.
func remember(id *int64) resource.TestCheckFunc {
	return func(state *terraform.State) error {
		*id = machineID(state.RootModule().Resources[web].Primary.ID)
		return nil
	}
}

// purge destroys a machine behind Terraform's back. One that is gone already is no error.
func purge(t *testing.T, id int64) error {
	ref, err := reference(t, id)
	if err == nil {
		err = client.DeleteVirtualMachine(withoutCancel(t), ref, true)
	}
	if cloudserver.IsNotFound(err) {
		return nil
	}
	return err
}

// TestAccVM_softDelete leaves a soft-deleted machine, finds it, and purges it.
func TestAccVM_softDelete(t *testing.T) {
	name := unique("web")
	var id int64
	t.Cleanup(func() {
		if err := purge(t, id); err != nil {
			t.Error(err)
		}
	})
	story(
		t,
		resource.TestStep{Config: machine(name, boot(), "  purge_on_destroy = false"), Check: remember(&id)},
		resource.TestStep{Config: machine(name, boot(), "  purge_on_destroy = false"), Destroy: true},
		resource.TestStep{
			Config: "data \"cloudserver_vms\" \"all\" {\n  name_pattern = \"" + name + "\"\n  include_deleted = true\n}\n",
			Check:  hasAt("data.cloudserver_vms.all", "virtual_machines.#", "1", "virtual_machines.0.deleted", "true", "virtual_machines.0.power_on", "false"),
		},
		resource.TestStep{Config: machine(name, boot()), ExpectError: acctest.Rendered("A soft-deleted machine", "holds the name")},
	)
}

// TestAccVM_protected refuses to destroy a machine, and replaces it once it is protected no more.
func TestAccVM_protected(t *testing.T) {
	config := machine(unique("web"), boot(), "  deletion_protection = true")
	open := replaced(config, "= true", "= false")
	story(
		t,
		resource.TestStep{Config: config},
		resource.TestStep{Config: config, Destroy: true, ExpectError: acctest.Rendered("Cannot destroy virtual machine", "deletion_protection is true")},
		resource.TestStep{Config: open},
		expect(resource.TestStep{Config: open, Taint: []string{web}}, web, plancheck.ResourceActionReplace),
	)
}
