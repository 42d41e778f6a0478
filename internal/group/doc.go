// Package group manages groups of machines (API.md §5): the resource
// cloudserver_group, the data sources of one and of all groups, and the list
// resource.
//
//	schema.go             the resource's schema, its Go struct, and the conversion
//	resource.go           what groups use of the provider; create, read, update
//	find.go               reads a group, or finds out that it is gone or belongs to another service
//	plan.go               defaults and checks at plan
//	delete.go             delete, the wait for the group to be empty, and what is in the way
//	import.go             import by ID or name, and the look-up that data sources share
//	data_source.go        one group, and the groups of an account
//	list.go               the list resource
//
// A group is identified by its numeric ID: a rename elsewhere is drift, not a loss.
package group
