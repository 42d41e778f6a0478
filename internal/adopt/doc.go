// Package adopt writes configurations for existing objects: for an estate that is not managed by Terraform yet, for a
// lost state, or for a state that is to be split. It sends nothing that changes anything.
//
// Values and arguments come from the provider, which runs in this process: its list resources read the objects, and the
// code behind `terraform plan -generate-config-out` chooses the arguments. This package adds references, for_each,
// import blocks and files.
//
//	flags.go      the flags of the command line, and which of the three tasks they select
//	run.go        the steps of the tasks
//	service.go    the provider in this process: lists, chosen arguments, validation
//	estate.go     what the credentials see, selected and in order
//	unselected.go what exists, if the patterns match nothing of it
//	names.go      identifiers and file names for objects with arbitrary names
//	hcl.go        text of the configuration language: blocks, references, comments
//	arguments.go  the arguments of a resource in the order in which a person writes them
//	resources.go  the resource blocks of a group
//	for_each.go   machines and schedules that share a block
//	imports.go    import blocks
//	paths.go      files that the environment names relative to the current directory
//	files.go      the directory that files are written into; nothing is overwritten
//	progress.go   the progress shown on a terminal
//
// A lost state:
//
//	lost.go       the steps: import blocks for what a configuration describes
//	parse.go      the resource blocks of a configuration
//	evaluate.go   their instances and arguments, as far as they can be known
//	functions.go  the functions that may be used in them
//	match.go      which object is which instance
//
// A split:
//
//	state.go      the output of `terraform show -json`
//	split.go      which resources go, what is written for them, and which references are cut
package adopt
