// SPDX-License-Identifier: MPL-2.0

package acceptance

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/compare"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acceptance/harness"
)

// A machine that is destroyed without a purge keeps its name. It is undeleted and imported, or purged.
func TestAccDeletion_undeleted(t *testing.T) {
	a := harness.Begin(t)
	kept := machine(`purge_on_destroy = false`)
	const found = `
data "cloudserver_vms" "found" {
  group           = local.group
  name_pattern    = "${local.prefix}-*"
  include_deleted = true
}

output "id" {
  value = join("", data.cloudserver_vms.found.virtual_machines[*].id)
}
`
	a.Run(
		harness.Proves("7.1", resource.TestStep{Config: kept}),
		harness.Proves("3.6", resource.TestStep{Config: kept, Destroy: true}),
		harness.Proves("3.4 3.7", resource.TestStep{
			Config: found,
			ConfigStateChecks: []statecheck.StateCheck{
				value("data.cloudserver_vms.found", knownvalue.Bool(true), "virtual_machines", 0, "deleted"),
			},
		}),
		harness.Proves("3.1 3.5", resource.TestStep{
			PreConfig: func() { a.Invoke("vm_undelete", "virtual_machine_id="+a.Output("id")) },
			Config:    kept, ResourceName: web, ImportState: true, ImportStatePersist: true,
			ImportStateId: a.Choice(harness.Group) + "/" + a.Name("web"),
		}),
		harness.Proves("3.5", resource.TestStep{Config: kept}),
		harness.Proves("3.6", resource.TestStep{Config: kept, Destroy: true}),
		harness.Proves("3.4 3.6", resource.TestStep{
			PreConfig: func() { a.Invoke("vm_purge", "virtual_machine_id=${cloudserver_vm.web.id}", "name="+a.Name("web")) },
			Config:    found,
			ConfigStateChecks: []statecheck.StateCheck{
				value("data.cloudserver_vms.found", knownvalue.ListSizeExact(0), "virtual_machines"),
			},
		}),
	)
}

// A protected machine is neither destroyed nor replaced, and keeps its discs. The protection is lifted in an apply of its own.
func TestAccDeletion_protected(t *testing.T) {
	a := harness.Begin(t, harness.Distribution)
	const protected = `deletion_protection = true`
	same := statecheck.CompareValue(compare.ValuesSame())
	first := image("distribution", `revision = "1"`)
	a.Run(
		harness.Proves("7.1", resource.TestStep{
			Config:            machine(protected, first, data),
			ConfigStateChecks: []statecheck.StateCheck{same.AddStateValue(web, at("id"))},
		}),
		harness.Proves("3.6", resource.TestStep{Config: machine(protected, first, data), Destroy: true, ExpectError: says("Cannot destroy")}),
		harness.Proves("3.6", resource.TestStep{
			Config:      machine(protected, image("distribution", `revision = "2"`), data),
			ExpectError: says("Cannot replace"),
		}),
		harness.Proves("4.5", resource.TestStep{Config: machine(protected, first), ExpectError: says("Cannot purge")}),
		harness.Proves("4.1", resource.TestStep{
			Config:            machine(`deletion_protection = false`, first, data),
			ConfigPlanChecks:  planned(plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{same.AddStateValue(web, at("id"))},
		}),
	)
}
