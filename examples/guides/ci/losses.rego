# What a plan stops or loses, a line each. The exit status is 1 if there is any:
#   terraform show -json tfplan >plan.json &&
#     opa eval --input plan.json --data losses.rego --fail-defined --format raw 'data.cloudserver.losses[_]'
package cloudserver

harmless_actions := {"cloudserver_disc_backup", "cloudserver_vm_undelete"}

destroyed contains change if {
	some change in input.resource_changes
	change.type == "cloudserver_vm"
	"delete" in change.change.actions
}

updated contains change if {
	some change in input.resource_changes
	change.type == "cloudserver_vm"
	"update" in change.change.actions
}

losses contains "the plan has failed" if input.errored == true

losses contains sprintf("%s: is destroyed", [machine.address]) if some machine in destroyed

losses contains sprintf("%s: is stopped for %s", [machine.address, cause]) if {
	some machine in updated
	cause := machine.change.after.last_change.stops
	is_string(cause)
}

losses contains sprintf("%s: %s is erased for %s", [machine.address, disc, cause]) if {
	some machine in updated
	some disc, cause in machine.change.after.last_change.erases
}

losses contains sprintf("%s: %s is purged", [machine.address, disc]) if {
	some machine in updated
	some disc in machine.change.after.last_change.purges
}

losses contains sprintf("%s: may stop or lose more, which is known only after apply", [machine.address]) if {
	some machine in updated
	may_lose_more(machine.change.after_unknown.last_change)
}

may_lose_more(unknown) if unknown == true

may_lose_more(unknown) if unknown.stops == true

may_lose_more(unknown) if unknown.erases == true

may_lose_more(unknown) if unknown.purges == true

losses contains sprintf("%s: is invoked", [action.address]) if {
	some action in input.action_invocations
	startswith(action.type, "cloudserver_")
	not action.type in harmless_actions
}
