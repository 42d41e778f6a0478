package stories

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

func TestAccVM_minimal(t *testing.T) {
	name := unique("web")
	story(t, resource.TestStep{
		Config: machine(name, boot()),
		Check: resource.ComposeAggregateTestCheckFunc(
			has("name", name, "account", account, "cores", "1", "memory", "1024", "disc.#", "1", "disc.0.label", "vda", "disc.0.size", "25600"),
			resource.TestMatchResourceAttr(web, "id", regexp.MustCompile(`^\d+$`)),
			resource.TestMatchResourceAttr(web, "hostname", regexp.MustCompile(`^`+name+`\.`)),
			resource.TestCheckResourceAttrSet(web, "disc.0.id"),
			resource.TestCheckResourceAttrSet(web, "group_id"),
			resource.TestCheckNoResourceAttr(web, "last_imaged_with"),
		),
	})
}

func TestAccVM_image(t *testing.T) {
	distribution, _ := distributions(t)
	story(t, resource.TestStep{
		Config: machine(unique("web"), boot(), image(distribution, `    ssh_public_key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGZha2U= tfacc"`)),
		Check: resource.ComposeAggregateTestCheckFunc(
			has("last_imaged_with", distribution, "reimage.distribution", distribution),
			stateLacks(password),
		),
	})
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

// TestAccVM_softDelete leaves a soft-deleted machine, finds it, and purges it.
func TestAccVM_softDelete(t *testing.T) {
	name := unique("web")
	var id int64
	t.Cleanup(func() {
		if err := purge(t, id); err != nil {
			t.Error(err)
		}
	})
	steps := []resource.TestStep{
		{Config: machine(name, boot(), "  purge_on_destroy = false"), Check: remember(&id)},
		{Config: machine(name, boot(), "  purge_on_destroy = false"), Destroy: true},
		{
			Config: "data \"cloudserver_vms\" \"all\" {\n  name_pattern = \"" + name + "\"\n  include_deleted = true\n}\n",
			Check:  hasAt("data.cloudserver_vms.all", "virtual_machines.#", "1", "virtual_machines.0.deleted", "true", "virtual_machines.0.power_on", "false"),
		},
		{Config: machine(name, boot()), ExpectError: acctest.Rendered("A soft-deleted machine", "holds the name")},
	}
	story(t, steps...)
}

// remember keeps the machine's id.
func remember(id *int64) resource.TestCheckFunc {
	return func(state *terraform.State) error {
		*id = machineID(state.RootModule().Resources[web].Primary.ID)
		return nil
	}
}

// TestAccVM_deletedElsewhere purges the machine behind Terraform's back.
func TestAccVM_deletedElsewhere(t *testing.T) {
	var id int64
	config := machine(unique("web"), boot())
	story(t, otherID(
		resource.TestStep{Config: config, Check: remember(&id)},
		expect(resource.TestStep{
			Config: config,
			PreConfig: func() {
				if err := purge(t, id); err != nil {
					t.Error(err)
				}
			},
		}, web, plancheck.ResourceActionCreate),
	)...)
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

func TestAccVM_protected(t *testing.T) {
	config := machine(unique("web"), boot(), "  deletion_protection = true")
	story(
		t,
		resource.TestStep{Config: config},
		resource.TestStep{Config: config, Destroy: true, ExpectError: acctest.Rendered("Cannot destroy virtual machine", "deletion_protection is true")},
		resource.TestStep{Config: replaced(config, "= true", "= false")},
	)
}

func TestAccVM_tainted(t *testing.T) {
	config := machine(unique("web"), boot())
	story(t, otherID(
		resource.TestStep{Config: config},
		expect(resource.TestStep{Config: config, Taint: []string{web}}, web, plancheck.ResourceActionReplace),
	)...)
}

func TestAccVM_unknownDistribution(t *testing.T) {
	story(t, resource.TestStep{
		Config:      machine(unique("web"), boot(), image("tfacc-no-such")),
		ExpectError: acctest.Rendered("does not offer the distribution", "tfacc-no-such"),
	})
}
