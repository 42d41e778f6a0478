package vm_test

import (
	"strings"
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
	e.AddMachine("demo", "private", emulator.Machine{Name: "other", Interfaces: []emulator.Interface{{IPs: []string{"192.0.2.10"}}}})

	machine := func(lines string, settings ...string) string {
		return e.ProviderBlock(settings...) + "resource \"cloudserver_vm\" \"web\" {\n" + lines + "\n}\n"
	}
	const unchecked, web1, vda = "plan_checks = false", "name = \"web1\"\n", "disc {\nlabel = \"vda\"\nsize = 25600\n}\n"
	var steps []resource.TestStep
	refused := func(config string, says ...string) {
		steps = append(steps, resource.TestStep{Config: config, ExpectError: acctest.Rendered(says...)})
	}

	refused(machine(web1+strings.Repeat(vda, 9)), "Error: Invalid Attribute Value", "Attribute disc list must contain at most 8 elements, got: 9")
	refused(machine(web1+`disc {
    label = ""
    size  = 100
  }`), "Error: Invalid Attribute Value Length", `label = ""`, "disc[0].label string length must be at least 1")
	refused(machine(web1+"disc {\nlabel = \"vda\"\nsize = 0\n}"), "Error: Invalid disc size", "size = 0", "disc[0].size is 0. It must be a positive number of megabytes")
	refused(machine(web1+"ips {\nipv4 = \"192.0.2.300\"\n}"), "Error: Invalid IPv4 address", `ipv4 = "192.0.2.300"`, "Set one address without a prefix length")
	refused(machine(web1+"shutdown_timeout = \"soon\""), "Error: Invalid duration", `shutdown_timeout = "soon"`, "a number and a unit")
	refused(machine(web1+vda+"zone_name = \"yorc\""), `Error: The service does not offer the zone "yorc"`, `zone_name = "yorc"`, `The service offers: "york", "manchester", "hidden".`)
	refused(machine(web1+vda+"reimage {\ndistribution = \"bookwurm\"\n}"),
		`Error: The service does not offer the distribution "bookwurm"`, `distribution = "bookwurm"`, `"bookworm"`)

	refused(machine("name = \"taken\"\n"+vda), `Error: Cannot create virtual machine "taken" in group "default" of account "demo"`,
		`name = "taken"`, "already exists in this group", "import {\n provider = cloudserver\n to = cloudserver_vm.NAME # the address of this resource\n id = \"", "Otherwise choose another name.")
	refused(machine(web1+vda+"group = \"private\"\nips {\nipv4 = \"192.0.2.10\"\n}"), `Error: Cannot create virtual machine "web1" in group "private"`,
		`ipv4 = "192.0.2.10"`, "ips 192.0.2.10 is already in use.", "Choose others, or leave them out to have them allocated. Nothing was created.")
	refused(machine(web1+"disc {\nlabel = \"vda\"\nsize = 100\nstorage_grade = \"sdd\"\n}", unchecked), `Error: Cannot create virtual machine "web1"`,
		`storage_grade = "sdd"`, "answered 400 Bad Request: discs[0].storage_grade is not included in the list.", "The data source cloudserver_definitions lists")
	refused(machine(web1+vda+"group = \"defualt\""), `Error: Cannot create virtual machine "web1" in group "defualt"`,
		`group = "defualt"`, "answered 404 Not Found: no such group.", `These credentials can see: "default", "private".`)

	acctest.UnitTest(t, resource.TestCase{Steps: steps})
	if left := e.Machines(); len(left) != 2 || left[0].ID != taken {
		t.Errorf("the service has changed: %v", left)
	}
}
