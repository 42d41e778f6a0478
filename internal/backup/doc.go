// Package backup manages backups of discs (API.md §4): the resource
// cloudserver_backup_schedule and the data source cloudserver_backups. The actions
// are in internal/vmaction.
//
//	schema.go            the resource's schema and its Go struct
//	plan.go              what is probably not meant: unusual times, a gap, an equal schedule
//	resource.go          create (one POST, and what became of it), read, delete
//	find.go              a disc and the path that addresses no other; a schedule, and whether it is known to be gone
//	import.go            import by text and by identity
//	data_source.go       the backups of a disc
package backup
