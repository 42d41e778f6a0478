// Package operation carries out single operations on one virtual machine, which
// updates, deletes and actions are made of (API.md §3, §4). It knows the machine's
// address, its power and what the service may still be doing, and nothing of
// plans, states and configurations.
//
//	machine.go    the machine: its address, its phase, how it is read and written
//	delete.go     it is deleted, and looked at before each request
//	power.go      stop, start, signal, and its power restored after a failure
//	wait.go       waiting for a power state
//	reimage.go    an image is installed
//	image.go      what an image is made of: distributions, public keys
//	discs.go      discs are added, changed and purged
package operation
