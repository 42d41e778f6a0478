// Package vm contains what Terraform knows about virtual machines (API.md §3, §4, §7, §8): the resource cloudserver_vm,
// its data sources and its list resource. The operations that they are made of are in internal/operation, and the
// actions in internal/vmaction.
//
// Tables of contents: each step is a call that names its subject.
//
//	create.go               one vm_create, and the wait for what it asked for
//	read.go                 what is there, whether it is gone
//	plan.go                 a creation, an update, a destroy
//	facts.go                what a plan finds out before it decides, and what it asks after that
//	decide.go               what a plan shows, refuses and warns of: values in, values out
//	plan_unchanged.go       whether a plan in which nothing changes has anything to do
//	change.go               what an update has to do, made in the same way at plan and at apply
//	update.go               the steps of an update
//	update_failure.go       what a failed update leaves, and how the user goes on
//	delete.go
//
// Subjects. A rule about one of them, from its schema to its messages, is here:
//
//	disc.go                 the block disc
//	disc_observed.go        what the last refresh saw: foreign, moved and renamed discs
//	disc_read.go            a refresh: discs that are there, gone, or on another machine
//	disc_decide.go          which disc each block means, and what becomes of each: values in, values out
//	disc_messages.go        what that decision refuses and warns of
//	disc_plan.go            what the plans of several machines know of each other's discs; discs of a creation
//	disc_apply.go           the calls for discs
//	elsewhere.go            what somebody else has changed between plan and apply is not overwritten
//	name.go                 whether a name is free, who holds it, stepping aside
//	name_messages.go        what is said of a name that is taken
//	location.go             account, group and zone: planned, read, moved
//	image.go                the block reimage: when an image is installed, what it costs
//	power.go                on and off: planned, stopped, started, owed, restored
//	settings.go             cores, memory, profile, keymap, CD: how each is read, sent and checked, which change
//	megabytes.go            sizes that were probably meant in another unit
//	protection.go           deletion_protection, purge_on_destroy, names that a soft delete keeps
//	replacement.go          what replaces the machine, what that loses, why it is refused
//	successor.go            before the delete of a replaced machine: whether the new one would be refused
//	old_machine.go          what the plan of a new machine knows of the one that it replaces
//	ips.go                  the block ips, and whose an address is
//	ready.go                the block ready: whether the machine answers, and what it owes until then
//	rollout.go              how many machines may be down at the same time
//	import.go               IDs that users type; what is only recorded after an import; the read fills it
//	generated_config.go     what a configuration that Terraform generates has
//
// The frame:
//
//	schema.go               the resource: attributes and blocks, in words for users
//	model.go                the same as Go structs, shared with the data sources
//	conversion.go           what the service reports and is sent, without Terraform
//	origin.go               whose machine an answer describes, beside what package origin knows
//	private.go              what is kept beside the state
//	validate.go             what is refused before a plan
//	attribute_errors.go     the service's problems at the attributes to blame
//	kinds.go                the beginnings of summaries by which tests recognise messages
//
// Beside the resource:
//
//	data_source.go
//	data_source_vms.go      which machines are selected, for it and for queries
//	list.go                 a query
//
// The life of a machine: vm_create answers at once and continues in the background. The ID is in the state before any
// wait. A read by ID finds the machine wherever it was moved. An update that needs the machine off stops it, changes it
// and restores its power. A delete purges it.
package vm
