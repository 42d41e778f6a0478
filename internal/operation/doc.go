// Package operation carries out single operations on one virtual machine (API.md §3, §4). Updates, deletes and actions
// are made of them. It knows the machine's address, its power and what the service may still be doing, but no plans,
// states or configurations.
//
//	machine.go       the machine: its address, its phase, how it is read and written
//	look.go          the look before each request that changes or deletes it
//	delete.go        it is deleted
//	power.go         stop, start, signal, and its power restored after a failure
//	wait.go          waiting for a power state
//	reimage.go       an image is installed; a password is made up if none is given
//	image_values.go  what an image is made of: distributions, public keys
//	discs.go         discs are added, changed, moved and purged
package operation
