package vm_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestBadInputAsTheCLIShowsIt reads mistakes as a user does: the message, the
// line of the configuration that is to blame, and what to do. Every step finds
// the state empty, as the one before has left it.
func TestBadInputAsTheCLIShowsIt(t *testing.T) {
	e := acctest.StartEmulator(t, emulator.Options{})
	taken := e.AddMachine("demo", "default", emulator.Machine{Name: "taken"})

	machine := func(lines string, settings ...string) string {
		return e.ProviderBlock(settings...) + "resource \"cloudserver_vm\" \"web\" {\n" + lines + "\n}\n"
	}
	const unchecked, web1, vda = "plan_checks = false", "name = \"web1\"\n", "disc {\nlabel = \"vda\"\nsize = 25600\n}\n"
	var steps []resource.TestStep
	refused := func(config string, says ...string) {
		steps = append(steps, resource.TestStep{Config: config, ExpectError: acctest.Rendered(says...)})
	}

	refused(machine(web1+"ips {\nipv4 = \"192.0.2.300\"\n}"), "Error: Invalid IPv4 address", `ipv4 = "192.0.2.300"`, "Set one address without a prefix length")
	refused(machine(web1+vda+"reimage {\ndistribution = \"bookwurm\"\n}"),
		`Error: The service does not offer the distribution "bookwurm"`, `distribution = "bookwurm"`, `"bookworm"`)

	refused(machine("name = \"taken\"\n"+vda), `Error: Cannot create virtual machine "taken" in group "default" of account "demo"`,
		`name = "taken"`, "already exists in this group", "import {\n to = cloudserver_vm.NAME # the address of this resource\n id = \"", "Otherwise choose another name.")
	refused(machine(web1+"disc {\nlabel = \"vda\"\nsize = 100\nstorage_grade = \"sdd\"\n}", unchecked), `Error: Cannot create virtual machine "web1"`,
		`storage_grade = "sdd"`, "answered 400 Bad Request: discs[0].storage_grade is not included in the list.", "The data source cloudserver_definitions lists")

	acctest.UnitTest(t, resource.TestCase{Steps: steps})
	if left := e.Machines(); len(left) != 1 || left[0].ID != taken {
		t.Errorf("the service has changed: %v", left)
	}
}
