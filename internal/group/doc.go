// Package group manages groups of machines (API.md §5): the resource
// cloudserver_group, the data sources of one and of all groups, and the list
// resource.
//
//	schema.go             the resource's schema
//	model.go              its Go struct, and the conversion
//	resource.go           create, read, update
//	plan.go               defaults and checks at plan
//	delete.go             delete, and the wait for the group to be empty
//	import.go             import by ID or name
//	find.go               look-ups by ID and by name, and the address of a write
//	errors.go             error messages
//	data_source.go        one group, and the groups of an account
//	list.go               the list resource
//
// A group is identified by its numeric ID: a rename elsewhere is drift, not a loss.
package group
