// Package group is what Terraform knows about a group of machines (api.md §5):
// the resource cloudserver_group, the data sources of one and of many, and the
// list resource.
//
//	schema.go             the resource, worded for users
//	model.go              the same as Go structs, and its conversion
//	resource.go           create, read, update, delete
//	import.go             ids that users type
//	find.go               a group by its id alone, or by a name
//	errors.go             why a group cannot be created or deleted
//	data_source.go        one group
//	data_source_groups.go the groups of an account
//	list.go               a query over them
//
// A group is known by its numeric id: a rename elsewhere is drift, not a loss.
package group
