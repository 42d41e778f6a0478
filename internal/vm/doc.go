// Package vm is everything that Terraform knows about a virtual machine
// (API.md §3, §4, §7, §8): the resource cloudserver_vm, its data sources and its
// list resource. What they are made of is in internal/operation, the actions are
// in internal/vmaction.
//
// What it is:
//
//	schema.go               the resource: attributes and blocks, in words for users
//	model.go                the same as Go structs, shared with the data sources
//	private.go              what is kept beside the state
//	disc.go reimage.go ips.go
//	                        one block a file: schema, model, conversion, drift
//	conversion.go           what the service reports and is sent, without Terraform
//	validate.go             what is refused before a plan
//
// What a plan shows:
//
//	plan.go                 a creation, an update, a destroy; place and power
//	plan_discs.go           which disc each block means
//	plan_replace.go         what replaces the machine: image, addresses, zone
//	plan_refusals.go        what must not or cannot be done
//	plan_warnings.go        what is lost, and what the plan alone does not tell
//	plan_checks.go          what the service is asked: names, definitions
//
// What an apply does:
//
//	change.go               what an update has to do, decided once for plan and apply
//	create.go
//	read.go                 what is there, whether it is gone, and where
//	update.go update_name.go update_recover.go
//	ready.go                whether the machine answers, and what it owes until then
//	delete.go
//	errors.go               the service's problems at the attributes to blame
//
// Beside the resource:
//
//	import.go               IDs that users type
//	data_source.go
//	data_source_vms.go      which machines are selected, for it and for queries
//	list.go                 a query
//
// The life of a machine: vm_create answers at once and goes on in the
// background; its ID is in the state before anything is waited for; a read by
// ID finds it wherever it was moved; an update that needs the machine off stops
// it, changes it and restores its power; a delete purges it.
package vm
