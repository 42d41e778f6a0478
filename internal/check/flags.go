package check

import (
	"context"
	"flag"
	"io"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// Command is the command line of a check.
type Command struct {
	Enabled bool
	Options Options
}

// Register adds the flags of -check.
func Register(flags *flag.FlagSet) *Command {
	c := &Command{}
	flags.BoolVar(&c.Enabled, "check", false, "check that the service named by CLOUDSERVER_* is the one that the provider needs, with reads alone")
	flags.StringVar(&c.Options.Machine, "check-machine", "", "with -check: create a machine of this `name`, take it through its whole life, and purge it")
	flags.BoolVar(&c.Options.JSON, "check-json", false, "with -check: print the report as JSON")
	flags.DurationVar(&c.Options.Wait, "check-wait", 10*time.Minute, "with -check-machine: how long to wait for each change")
	return c
}

// Environment returns the configuration that CLOUDSERVER_* variables make.
type Environment func() (config cloudserver.Config, account, group string, err error)

// Run makes the check. The error is a [Status] unless the status is 0.
func (c *Command) Run(ctx context.Context, environment Environment, out io.Writer) error {
	var err error
	if c.Options.Client, c.Options.Account, c.Options.Group, err = environment(); err != nil {
		return &unusableError{err}
	}
	status, err := Run(ctx, c.Options, out)
	switch {
	case err != nil:
		return &unusableError{err}
	case status != exitOK:
		return Status(status)
	}
	return nil
}

// unusableError is a check that could not begin.
type unusableError struct{ error }

// ExitCode returns 2.
func (e *unusableError) ExitCode() int { return exitUnusable }

// Status is the exit status of a check that printed its report.
type Status int

// Error is not printed: the report has said everything.
func (s Status) Error() string { return "" }

// ExitCode returns the status.
func (s Status) ExitCode() int { return int(s) }
