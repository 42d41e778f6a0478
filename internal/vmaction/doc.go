// Package vmaction has the actions on virtual machines (API.md §3). They look at a
// machine and carry out operations on it; no state of Terraform's is involved.
//
//	action.go            what all actions have in common
//	action_power.go      start, stop, restart
//	action_signal.go     reset, sendkey, a shutdown that is only asked for
//	action_reimage.go    installing an image
//	action_disc_move.go  moving a disc to another machine
//	action_deleted.go    undeleting and purging soft-deleted machines
package vmaction
