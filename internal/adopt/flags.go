package adopt

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"

	framework "github.com/hashicorp/terraform-plugin-framework/provider"
)

// Command is the command line of -adopt.
type Command struct {
	Wanted bool // -adopt was given

	directory directory
	selection selection
	options   options

	importsOnly bool
	config      string // of a lost state

	from, split, alias string // of a split
}

// flagNames are the flags that have a meaning only with -adopt.
var flagNames = []string{
	"account", "group", "name", "reverse-names", "flat", "deletion-protection", "imports-only", "config", "from",
	"select", "alias",
}

// Register adds the flags of -adopt.
func Register(flags *flag.FlagSet) *Command {
	c := &Command{}
	flags.BoolVar(&c.Wanted, "adopt", false, "write a configuration, with import blocks, for what the credentials see, into the directory that follows; reads alone")
	flags.StringVar(&c.selection.account, "account", "", "adopt: only accounts whose name matches this `pattern`, such as 'shop*'")
	flags.StringVar(&c.selection.group, "group", "", "adopt: only groups whose name matches this `pattern`")
	flags.StringVar(&c.selection.name, "name", "", "adopt: only machines whose name matches this `pattern`")
	flags.BoolVar(&c.selection.reverseNames, "reverse-names", true, "adopt: read reverse names, which takes a request for each address")
	flags.BoolVar(&c.options.flat, "flat", false, "adopt: write a block for each machine, and no for_each")
	flags.BoolVar(&c.options.protection, "deletion-protection", false, "adopt: write deletion_protection = true for each machine")
	flags.BoolVar(&c.importsOnly, "imports-only", false, "adopt: write import blocks for the configuration that is in -config, after a state was lost or a run was killed")
	flags.StringVar(&c.config, "config", "", "adopt: the `directory` of that configuration; imports.tf is written into it, unless another directory follows")
	flags.StringVar(&c.from, "from", "", "adopt: split the state in this `file`, the output of terraform show -json")
	flags.StringVar(&c.split, "select", "", "adopt: with -from, what goes to the new directory: machines that match this `pattern`, such as 'web/*' for GROUP/NAME, or ACCOUNT/GROUP/NAME")
	flags.StringVar(&c.alias, "alias", "", "adopt: with -from, the `alias` of the provider that the resources use, which no state contains")
	return c
}

// TakeDirectory takes the directory from the arguments after the flags, and parses any flags that follow it.
func (c *Command) TakeDirectory(flags *flag.FlagSet) error {
	for c.Wanted && flags.NArg() > 0 {
		if c.directory != "" {
			return fmt.Errorf("there is a second directory, %q", flags.Arg(0))
		}
		c.directory = directory(flags.Arg(0))
		if err := flags.Parse(flags.Args()[1:]); err != nil {
			return err
		}
	}
	return c.misused(flags)
}

// misused returns an error for flags that cannot be combined.
func (c *Command) misused(flags *flag.FlagSet) (err error) {
	set := map[string]bool{}
	flags.Visit(func(f *flag.Flag) { set[f.Name] = true })
	allowed := flagNames[:6]
	switch {
	case !c.Wanted:
		allowed = nil
	case c.from != "":
		allowed = []string{"from", "select", "alias"}
	case c.importsOnly:
		allowed = []string{"imports-only", "config", "account", "group", "name", "reverse-names"}
	}
	for _, name := range flagNames {
		if set[name] && !slices.Contains(allowed, name) {
			return fmt.Errorf("-%s does not go with the other flags: it needs %s", name, needs(name))
		}
	}
	switch {
	case !c.Wanted:
		return nil
	case c.importsOnly && c.config == "":
		return errors.New("-imports-only needs -config DIRECTORY, the configuration whose state was lost")
	case c.importsOnly && c.directory == "":
		c.directory = directory(c.config)
	case c.from != "" && c.split == "":
		return errors.New("-from needs -select PATTERN, such as -select 'web/*' for all machines of the group web")
	case c.directory == "":
		return errors.New("-adopt needs a directory to write into, such as -adopt estate")
	}
	return c.selection.check()
}

func needs(name string) string {
	switch name {
	case "config":
		return "-adopt -imports-only"
	case "select", "alias":
		return "-adopt -from FILE"
	case "flat", "deletion-protection":
		return "-adopt without -imports-only and -from"
	}
	return "-adopt without -from"
}

// Terminal is where output is shown and questions are asked.
type Terminal struct {
	In       *os.File
	Out, Err io.Writer
}

// Run does what the flags select. factory creates the provider, and version is that of the release.
func (c *Command) Run(ctx context.Context, factory func() framework.Provider, version string, terminal Terminal) error {
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
