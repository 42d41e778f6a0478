// Package adopt writes configurations for what exists: an estate that is not under
// Terraform yet, a state that was lost, a state that is to be split. It reads only.
//
// Values and arguments come from the provider, which runs in this process: its list
// resources read what there is, and the code behind `terraform plan
// -generate-config-out` chooses the arguments. This package adds what those cannot:
// references, for_each, import blocks, files.
//
//	flags.go      the flags of the command line, and which of the three is asked for
//	run.go        the three, step by step
//	service.go    the provider in this process: lists, chosen arguments, validation
//	estate.go     what the credentials see, selected and in order
//	names.go      identifiers and names of files for what may have any name
//	hcl.go        text of the configuration language: blocks, references, comments
//	arguments.go  the arguments of a resource in the order in which a person writes them
//	resources.go  the resource blocks of a group
//	for_each.go   machines and schedules that share a block
//	imports.go    import blocks
//	files.go      the directory: which files, and that nothing is overwritten
//	progress.go   what a person at a terminal sees
//
// A lost state:
//
//	parse.go      the resource blocks of a configuration
//	evaluate.go   their instances and arguments, as far as they can be known
//	match.go      which object is which instance
//
// A split:
//
//	state.go      the output of `terraform show -json`
//	split.go      what goes, what it is written into, and which references it cuts
package adopt
