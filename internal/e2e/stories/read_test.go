package stories

import (
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
