// Package backup manages backups of discs (API.md §4): the resource cloudserver_backup_schedule and the data source
// cloudserver_backups. The actions are in internal/vmaction.
//
//	schema.go            the resource's schema and its Go struct
//	plan.go              warnings of what is probably a mistake: unusual times, a gap, an equal schedule
//	resource.go          what is used of the provider; create (one POST, and finding out what became of it), read, delete
//	find.go              finds a disc and a safe path to it, and a schedule, or that it is known to be gone
//	import.go            import by ID and by identity
//	data_source.go       the backups of a disc
//	list.go              the list resource
package backup
