// Package adopt has the command adopt, which writes a configuration for existing objects that Terraform does not manage
// yet. It sends nothing that changes anything.
//
// Values and arguments come from the provider, which runs in this process: its list resources read the objects,
// and the code behind `terraform plan -generate-config-out` chooses the arguments. This package adds references,
// for_each, import blocks and files.
//
//	flags.go          the flags of adopt
//	run.go            its steps, and lists in reports
//	service.go        the provider in this process: lists, chosen arguments, validation
//	estate.go         what the credentials see, selected and in order
//	unselected.go     what exists, if the patterns match nothing of it
//	names.go          identifiers and file names for objects with arbitrary names
//	hcl.go            text of the configuration language: blocks, references, comments
//	arguments.go      the arguments of a resource in the order in which a person writes them
//	resources.go      the resource blocks of a group
//	for_each.go       machines and schedules that share a block
//	import_blocks.go  import blocks
//	paths.go          files that the environment names relative to the current directory
//	files.go          the directory that files are written into; nothing is overwritten
package adopt
