package adopt

import (
	"context"
	"errors"
	"fmt"
	"slices"

	framework "github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/spf13/pflag"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/command"
)

// Command is the command line of adopt.
type Command struct {
	flags     *pflag.FlagSet
	directory directory
	selection selection
	options   options

	importsOnly bool
	config      string // of a lost state

	from, split, alias string // of a split
}

// flagNames are the flags that have a meaning only in some of the tasks.
var flagNames = []string{
	"account", "group", "name", "reverse-names", "flat", "deletion-protection", "imports-only", "config", "from",
	"select", "alias",
}

// Register adds the flags of the command.
func Register(flags *pflag.FlagSet) *Command {
	c := &Command{flags: flags}
	flags.StringVar(&c.selection.account, "account", "", "only accounts whose name matches this `pattern`, such as 'shop*'")
	flags.StringVar(&c.selection.group, "group", "", "only groups whose name matches this `pattern`")
	flags.StringVar(&c.selection.name, "name", "", "only machines whose name matches this `pattern`")
	flags.BoolVar(&c.selection.reverseNames, "reverse-names", true, "read reverse names, which takes a request for each address")
	flags.BoolVar(&c.options.flat, "flat", false, "write a block for each machine, and no for_each")
	flags.BoolVar(&c.options.protection, "deletion-protection", false, "write deletion_protection = true for each machine")
	flags.BoolVar(&c.importsOnly, "imports-only", false, "write import blocks for the configuration that is in --config, after a state was lost or a run was killed")
	flags.StringVar(&c.config, "config", "", "the `directory` of that configuration; imports.tf is written into it, unless another directory follows")
	flags.StringVar(&c.from, "from", "", "split the state in this `file`, the output of terraform show -json")
	flags.StringVar(&c.split, "select", "", "with --from, what goes to the new directory: machines that match this `pattern`, such as 'web/*' for GROUP/NAME, or ACCOUNT/GROUP/NAME")
	flags.StringVar(&c.alias, "alias", "", "with --from, the `alias` of the provider that the resources use, which no state contains")
	return c
}

// misused returns an error for flags that cannot be combined.
func (c *Command) misused() (err error) {
	set := map[string]bool{}
	c.flags.Visit(func(f *pflag.Flag) { set[f.Name] = true })
	allowed := flagNames[:6]
	switch {
	case c.from != "":
		allowed = []string{"from", "select", "alias"}
	case c.importsOnly:
		allowed = []string{"imports-only", "config", "account", "group", "name", "reverse-names"}
	}
	for _, name := range flagNames {
		if set[name] && !slices.Contains(allowed, name) {
			return fmt.Errorf("--%s does not go with the other flags: it needs %s", name, needs(name))
		}
	}
	switch {
	case c.importsOnly && c.config == "":
		return errors.New("--imports-only needs --config DIRECTORY, the configuration whose state was lost")
	case c.importsOnly && c.directory == "":
		c.directory = directory(c.config)
	case c.from != "" && c.split == "":
		return errors.New("--from needs --select PATTERN, such as --select 'web/*' for all machines of the group web")
	case c.directory == "":
		return errors.New("adopt needs a directory to write into, such as adopt estate")
	}
	return c.selection.check()
}

func needs(name string) string {
	switch name {
	case "config":
		return "--imports-only"
	case "select", "alias":
		return "--from FILE"
	case "flat", "deletion-protection":
		return "adopt without --imports-only and --from"
	}
	return "adopt without --from"
}

// Run does what the flags select. factory creates the provider, and version is that of the release.
func (c *Command) Run(ctx context.Context, args []string, factory func() framework.Provider, version string, terminal command.Streams) error {
	if len(args) > 0 {
		c.directory = directory(args[0])
	}
	if err := c.misused(); err != nil {
		return command.Misused("%s", err)
	}
	r := &run{c, factory, version, terminal, newProgress(terminal.Err)}
	switch {
	case c.from != "":
		return r.splitState()
	case c.importsOnly:
		return r.recoverState(ctx)
	}
	return r.adopt(ctx)
}

// incomplete is the error of a run that has written files, and has already reported what they lack.
type incomplete struct{}

func (incomplete) Error() string { return "" }

// ExitCode returns the exit status.
func (incomplete) ExitCode() int { return 1 }
