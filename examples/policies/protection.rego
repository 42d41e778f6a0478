package cloudserver

# Groups whose machines have to be protected.
protected_groups := {"production"}

# Protection that is lowered. A value that is not known yet may be lower.
deny contains message if {
	some machine in updated
	machine.change.before.deletion_protection == true
	not machine.change.after.deletion_protection == true
	message := sprintf("%s: deletion_protection is lowered", [machine.address])
}

# A machine without protection. If its group is not known yet, it may be one of these.
deny contains message if {
	some machine in machines
	in_protected_group(machine)
	not machine.change.after.deletion_protection == true
	message := sprintf("%s: deletion_protection is not true", [machine.address])
}

in_protected_group(machine) if machine.change.after.group in protected_groups

in_protected_group(machine) if is_unknown(machine, "group")
