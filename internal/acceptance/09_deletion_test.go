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

// A machine that is destroyed without a purge keeps its name. It is undeleted, and imported again.
func TestAccDeletion_undeleted(t *testing.T) {
	a := harness.Begin(t)
	const deleted = `
data "cloudserver_vms" "deleted" {
  group           = local.group
  name_pattern    = "${local.prefix}-*"
  include_deleted = true
}

output "id" {
  value = one(data.cloudserver_vms.deleted.virtual_machines[*].id)
}
output "is_deleted" {
  value = one(data.cloudserver_vms.deleted.virtual_machines[*].deleted)
}
`
	a.Run(
		harness.Proves("7.1", resource.TestStep{Config: machine(`purge_on_destroy = false`)}),
		harness.Proves("3.6", resource.TestStep{Config: machine(`purge_on_destroy = false`), Destroy: true}),
		harness.Proves("3.4 3.7", resource.TestStep{
			Config:            deleted,
			ConfigStateChecks: []statecheck.StateCheck{statecheck.ExpectKnownOutputValue("is_deleted", knownvalue.Bool(true))},
		}),
		harness.Proves("3.5", resource.TestStep{
			PreConfig:         func() { a.Invoke("vm_undelete", "virtual_machine_id="+a.Output("id")) },
			Config:            deleted,
			ConfigStateChecks: []statecheck.StateCheck{statecheck.ExpectKnownOutputValue("is_deleted", knownvalue.Bool(false))},
		}),
		harness.Proves("3.1", resource.TestStep{
			Config: machine(), ResourceName: web, ImportState: true, ImportStatePersist: true,
			ImportStateId: a.Choice(harness.Group) + "/" + a.Name("web"),
		}),
		harness.Proves("3.6", resource.TestStep{Config: machine()}), // and is purged at the end
	)
}

// An action purges a machine that is soft-deleted.
func TestAccDeletion_purged(t *testing.T) {
	a := harness.Begin(t)
	a.Run(
		harness.Proves("7.1", resource.TestStep{Config: machine(`purge_on_destroy = false`) + `
output "id" {
  value = cloudserver_vm.web.id
}
`}),
		harness.Proves("3.6", resource.TestStep{
			Config: machine(`purge_on_destroy = false`), Destroy: true,
		}),
		harness.Proves("3.6 3.4", resource.TestStep{
			PreConfig: func() { a.Invoke("vm_purge", "virtual_machine_id="+a.Output("id"), "name="+a.Name("web")) },
			Config: `
data "cloudserver_vms" "all" {
  group           = local.group
  name_pattern    = "${local.prefix}-*"
  include_deleted = true
}
`,
			ConfigStateChecks: []statecheck.StateCheck{
				value("data.cloudserver_vms.all", knownvalue.ListSizeExact(0), "virtual_machines"),
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
