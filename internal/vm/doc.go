// Package vm is everything that Terraform knows about a virtual machine
// (API.md §3, §4, §7, §8): the resource cloudserver_vm, its data sources, its
// list resource and its actions.
//
//	schema.go model.go private.go
//	              attributes and blocks, the same as Go structs, and what is kept beside the state
//	disc.go reimage.go ips.go network.go
//	              one block a file: schema, model, conversion
//	from_api.go to_api.go
//	              service ⇄ model, without Terraform
//	validate.go disc_validate.go reimage_keys.go
//	              what is refused without the service
//	plan*.go      what a plan shows: defaults, replacement, refusals, warnings
//	change.go     what an update has to do, decided once for plan and apply
//	create*.go read*.go update*.go delete.go names.go
//	              carrying that out, and what a refresh finds
//	operations*.go lock.go
//	              single operations on one machine, which updates, deletes and actions are made of
//	import.go move.go
//	              IDs that users type, and the state of an older provider's machine
//	data_source*.go filter.go list*.go
//	              one machine, many, and a query
//	action*.go    what all actions have in common, and what each asks of a machine
//	errors.go     the service's problems at the attributes to blame
//
// The life of a machine: vm_create answers at once and goes on in the
// background; its ID is in the state before anything is waited for; a read by
// ID finds it wherever it was moved; an update that needs the machine off stops
// it, changes it and restores its power; a delete purges it.
package vm
