package cloudserver

# An image that is installed in place erases the boot disc. The plan shows an update.
deny contains message if {
	some machine in updated
	is_unknown(machine, "last_imaged_with")
	message := sprintf("%s: an image is installed, and its boot disc is erased", [machine.address])
}
