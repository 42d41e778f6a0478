// Package vm is everything that Terraform knows about a virtual machine
// (API.md §3, §4 and §8): the resource cloudserver_vm, its data
// sources, its list resource and its actions.
//
//	schema.go    attributes and blocks, worded for users
//	model.go     the same as a Go struct
//	disc.go reimage.go ips.go network.go
//	             one block a file: schema, model, conversion, what a change means
//	convert.go   service ⇄ model, without Terraform
//	resource.go  create, read, update, delete as a table of contents
//	plan.go      what a plan shows: defaults, replacement, refusals, warnings
//	change.go    what an update has to do, decided once for plan and apply
//	update.go    carrying that out
//	power.go     start, stop, and putting back the power that a machine had
//	check.go     the plan against the live definitions
//	import.go    ids that users type, and what an imported state holds
//	move.go      the state of an older provider's machine
//	data_source*.go filter.go
//	             one machine, and many, chosen by a filter
//	list.go machines.go
//	             a query: what an import would track, streamed group by group
//	action.go action_run.go
//	             what all actions have, and how each is carried out
//	action_power.go action_signal.go action_reimage.go
//	             what each asks of a machine
//	errors.go errors_create.go
//	             the service's problems at the attributes to blame, and what to do
//
// The life of a machine: vm_create answers at once and goes on in the
// background; its id is in the state before anything is waited for; a read by
// id finds it wherever it was moved; an update that needs the machine off stops
// it, changes it and gives it its power back; a delete purges it.
package vm
