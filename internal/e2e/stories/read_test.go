package stories

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
)

// attribute returns the value of an attribute in the state.
func attribute(address, name string) resource.ImportStateIdFunc {
	return func(state *terraform.State) (string, error) {
		return state.RootModule().Resources[address].Primary.Attributes[name], nil
	}
}

// TestAccReads needs no machine: what the service offers, the account, and a function.
func TestAccReads(t *testing.T) {
	some := regexp.MustCompile(`^[1-9]\d*$`)
	const address = "data.cloudserver_definitions.offered"
	story(t, resource.TestStep{
		Config: `
data "cloudserver_definitions" "offered" {}
data "cloudserver_account" "own" {}
data "cloudserver_account" "by_id" { id = data.cloudserver_account.own.id }
output "sets" { value = length(jsondecode(data.cloudserver_definitions.offered.json)) > 0 }
output "megabytes" { value = provider::cloudserver::megabytes("1GiB") }
`,
		Check: resource.ComposeAggregateTestCheckFunc(
			resource.TestMatchResourceAttr(address, "distributions.#", some),
			resource.TestMatchResourceAttr(address, "storage_grades.#", some),
			hasAt("data.cloudserver_account.own", "name", account, "suspended", "false"),
			hasAt("data.cloudserver_account.by_id", "name", account),
			resource.TestCheckOutput("sets", "true"),
			resource.TestCheckOutput("megabytes", "1024"),
		),
	})
}

func TestAccVMDataSource(t *testing.T) {
	const byID, byName = "data.cloudserver_vm.by_id", "data.cloudserver_vm.by_name"
	story(t, resource.TestStep{
		Config: group(unique("group")) + machine(unique("web"), "  group = cloudserver_group.team.name", boot(), disc("data", 5120)) + `
data "cloudserver_vm" "by_id" { id = cloudserver_vm.web.id }
data "cloudserver_vm" "by_name" {
  group = cloudserver_vm.web.group
  name  = cloudserver_vm.web.name
}
`,
		Check: resource.ComposeAggregateTestCheckFunc(
			resource.TestCheckResourceAttrPair(byID, "hostname", web, "hostname"),
			resource.TestCheckResourceAttrPair(byID, "ipv4_address", web, "ipv4_address"),
			resource.TestCheckResourceAttrPair(byName, "id", web, "id"),
			hasAt(byName, "disc.#", "2", "deleted", "false"),
			resource.TestCheckTypeSetElemNestedAttrs(byName, "disc.*", map[string]string{"label": "data", "size": "5120"}),
			resource.TestMatchResourceAttr(byName, "network_interfaces.0.mac", regexp.MustCompile(`^[0-9a-fA-F:]{17}$`)),
		),
	})
}

func TestAccVMsDataSource(t *testing.T) {
	name := unique("web")
	story(t, resource.TestStep{
		Config: replaced(machine(name+"-${count.index}", boot()), "{\n  name", "{\n  count  = 2\n  name") + fmt.Sprintf(`
data "cloudserver_vms" "those" {
  name_pattern = "%s-*"
  depends_on   = [cloudserver_vm.web]
}
data "cloudserver_vms" "off" {
  name_pattern = "%s-*"
  power_on     = false
  depends_on   = [cloudserver_vm.web]
}
`, name, name),
		Check: resource.ComposeAggregateTestCheckFunc(
			hasAt("data.cloudserver_vms.those", "virtual_machines.#", "2", "virtual_machines.0.account", account, "virtual_machines.0.disc.#", "1"),
			hasAt("data.cloudserver_vms.off", "virtual_machines.#", "0"),
		),
	})
}
