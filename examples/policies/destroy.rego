package cloudserver

# A machine that is destroyed or replaced loses all its discs, and their backups.
deny contains message if {
	some machine in destroyed
	not machine.change.before.purge_on_destroy == false
	message := sprintf("%s: the machine %q is purged with all its discs", [machine.address, machine.change.before.name])
}

# A replacement that no argument needs: -replace, a taint, or replace_triggered_by. No warning of the plan names its discs.
deny contains message if {
	some machine in destroyed
	"create" in machine.change.actions
	machine.action_reason in ["replace_by_request", "replace_because_tainted", "replace_by_triggers"]
	message := sprintf("%s: it is replaced, although no argument needs that", [machine.address])
}
