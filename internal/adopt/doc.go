// Package adopt has the commands adopt, imports and forget. They write configurations for existing objects: for an estate
// that is not managed by Terraform yet, for a lost state, and for a state that is to be split. They send nothing that
// changes anything, and evaluate no configuration: that is up to Terraform.
//
// In adopt, values and arguments come from the provider, which runs in this process: its list resources read the objects,
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
//
// In imports and forget, a plan of the user's own CLI shows what the configuration describes. In that plan, the provider
// reports which objects exist (package existing).
//
//	cli.go            the user's Terraform or OpenTofu, run as it stands
//	plan.go           what the JSON of a plan has
//	address.go        addresses of resource instances
//	imports.go        the steps of imports: plan until nothing new is found
//	creations.go      which creations of a plan are imports
//	elsewhere.go      the same for a plan that was made elsewhere
//	forget.go         removed blocks for what is no longer in the configuration
package adopt
