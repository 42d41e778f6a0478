package cloudserver

# More cores, more memory or another profile restart a machine that is on.
deny contains message if {
	some machine in updated
	machine.change.before.power_on == true
	some name in ["cores", "memory", "hardware_profile"]
	needs_off(machine, name)
	message := sprintf("%s: a change of %s restarts it", [machine.address, name])
}

deny contains message if {
	some machine in updated
	machine.change.before.power_on == true
	machine.change.after.power_on == false
	message := sprintf("%s: it is stopped", [machine.address])
}

needs_off(machine, name) if {
	name in ["cores", "memory"]
	machine.change.after[name] > machine.change.before[name]
}

needs_off(machine, "hardware_profile") if machine.change.after.hardware_profile != machine.change.before.hardware_profile

needs_off(machine, name) if is_unknown(machine, name)
