// Package backup manages backups of discs (API.md §4): the resource
// cloudserver_backup_schedule, the data source cloudserver_backups, and the
// actions cloudserver_disc_backup and cloudserver_disc_restore.
//
//	schema.go, model.go  the resource's schema and state
//	resource.go          create, read, delete
//	create.go            one POST, and what became of it
//	find.go              a disc and the path that addresses no other; a schedule, and whether it is known to be gone
//	import.go            import by text and by identity
//	data_source.go       the backups of a disc
//	action.go            what both actions share
//	action_backup.go, action_restore.go
package backup
