package adopt

import (
	"context"

	"github.com/spf13/pflag"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/command"
)

// Command is the command line of adopt.
type Command struct {
	directory directory
	selection selection
	options   options
}

// Register adds the flags of the command.
func Register(flags *pflag.FlagSet) *Command {
	c := &Command{}
	flags.StringVar(&c.selection.account, "account", "", "only accounts whose name matches this `pattern`, such as 'shop*'")
	flags.StringVar(&c.selection.group, "group", "", "only groups whose name matches this `pattern`")
	flags.StringVar(&c.selection.name, "name", "", "only machines whose name matches this `pattern`")
	flags.BoolVar(&c.selection.reverseNames, "reverse-names", true, "read reverse names, which takes a request for each address")
	flags.BoolVar(&c.options.flat, "flat", false, "write a block for each machine, and no for_each")
	flags.BoolVar(&c.options.protection, "deletion-protection", false, "write deletion_protection = true for each machine")
	return c
}

// Run writes a configuration for what exists. factory creates the provider, and version is that of the release.
func (c *Command) Run(ctx context.Context, args []string, factory Factory, version string, terminal command.Streams) error {
	if len(args) == 0 {
		return command.Misused("adopt needs a directory to write into, such as adopt estate")
	}
	c.directory = directory(args[0])
	if err := c.selection.check(); err != nil {
		return command.Misused("%s", err)
	}
	r := &run{c, factory, version, terminal, command.NewProgress(terminal.Err)}
	return r.adopt(ctx)
}
