package check

import (
	"context"
	"time"

	"github.com/spf13/pflag"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/command"
)

// Command is the command line of a check.
type Command struct {
	Options Options
}

// Register adds the flags of the command.
func Register(flags *pflag.FlagSet) *Command {
	c := &Command{}
	flags.StringVar(&c.Options.Machine, "machine", "", "create a machine of this `name`, take it through its whole life, and purge it")
	flags.BoolVar(&c.Options.JSON, "json", false, "print the report as JSON")
	flags.DurationVar(&c.Options.Wait, "wait", 10*time.Minute, "with --machine: how long to wait for each change")
	return c
}

// Environment returns the configuration made of the CLOUDSERVER_* variables.
type Environment func() (config cloudserver.Config, account, group string, err error)

// Run makes the check. The error carries the exit status, unless that is 0.
func (c *Command) Run(ctx context.Context, environment Environment, streams command.Streams) (err error) {
	status := exitUnusable
	if c.Options.Client, c.Options.Account, c.Options.Group, err = environment(); err == nil {
		c.Options.Progress = command.NewProgress(streams.Err)
		if !c.Options.JSON {
			c.Options.Progress.OnTerminalAlone() // the lines of the report are those of a log
		}
		status, err = Run(ctx, c.Options, streams.Out)
	}
	switch {
	case err != nil:
		return &exitError{err.Error(), exitUnusable}
	case status != exitOK:
		return &exitError{"", status}
	}
	return nil
}

// exitError carries the exit status. Its text is empty if the report has already said everything.
type exitError struct {
	text   string
	status int
}

func (e *exitError) Error() string { return e.text }

// ExitCode returns the exit status.
func (e *exitError) ExitCode() int { return e.status }
