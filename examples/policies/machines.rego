# What the rules share. Copy it beside the rules that you want.
package cloudserver

machines contains change if {
	some change in input.resource_changes
	change.mode == "managed"
	change.type == "cloudserver_vm"
}

updated contains machine if {
	some machine in machines
	machine.change.actions == ["update"]
}

# A replacement is a delete and a create, in either order.
destroyed contains machine if {
	some machine in machines
	"delete" in machine.change.actions
}

is_unknown(machine, name) if machine.change.after_unknown[name] == true
