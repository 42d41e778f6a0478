package cloudserver

# Actions that lose data, invoked by a trigger or with -invoke.
losing_actions := {"cloudserver_vm_reimage", "cloudserver_disc_restore", "cloudserver_vm_purge"}

deny contains message if {
	some invocation in invocations
	invocation.type in losing_actions
	message := sprintf("%s: the action loses data", [invocation.address])
}

invocations contains invocation if some invocation in input.action_invocations

invocations contains deferred.action_invocation if some deferred in input.deferred_action_invocations
