package vmaction

import "slices"

// LosesData reports whether an action of this type, such as cloudserver_vm_reimage, destroys data.
func LosesData(typeName string) bool {
	return slices.Contains([]string{"cloudserver_disc_restore", "cloudserver_vm_purge", "cloudserver_vm_reimage"}, typeName)
}
