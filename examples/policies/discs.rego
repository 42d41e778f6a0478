package cloudserver

# A disc whose ID leaves a machine is purged, with its data and its backups. The plan shows an update. If the blocks are
# not known yet, any disc may leave.
deny contains message if {
	some machine in updated
	some disc in machine.change.before.disc
	not disc.id in staying_discs
	message := sprintf("%s: the disc %q (ID %s) is purged", [machine.address, disc.label, disc.id])
}

# On whichever machine: a disc may have been moved.
staying_discs contains disc.id if {
	some machine in machines
	some disc in machine.change.after.disc
}
