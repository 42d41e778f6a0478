// Package vmaction has the actions on virtual machines and their discs (API.md §§3 and 4). They look at a machine and
// carry out operations on it, and use no Terraform state.
//
//	action.go            what all actions are to Terraform, and what they use of the provider
//	order.go             what they do alike: look, refuse, work, restore the power, report
//	action_power.go      start, stop, restart
//	action_signal.go     reset, sendkey, a shutdown that is only asked for
//	action_reimage.go    installing an image
//	action_disc_move.go, action_disc_backup.go, action_disc_restore.go
//	action_deleted.go    undeleting and purging soft-deleted machines
package vmaction
