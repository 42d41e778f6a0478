// SPDX-License-Identifier: MPL-2.0

// Package adopt implements the command adopt, which writes a configuration for existing objects that Terraform does not
// manage yet, with references and import blocks. It sends nothing that changes anything.
//
// The provider, which runs in this process, does the work: its list resources read the objects, and the code behind
// `terraform plan -generate-config-out` chooses the arguments.
//
//	adopt.go      the command: its flags, steps and report
//	provider.go   lists, chosen arguments and validation by the provider
//	estate.go     what exists, selected and in order
//	resources.go  the resources of a group, which refer to each other
//	blocks.go     resource and import blocks
//	except.go     what a state has already
//	files.go      the directory that files are written into
package adopt

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/pflag"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cmd"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// Command has the values of the flags.
type Command struct {
	account, group, name string // patterns; "" selects everything
	reverseNames         bool
	except               string // file; "" leaves nothing out
}

// Register adds the flags of the command.
func Register(flags *pflag.FlagSet) *Command {
	c := &Command{}
	flags.Func("account", "only accounts whose name matches this `pattern`, such as 'shop*'", once(&c.account))
	flags.Func("group", "only groups whose name matches this `pattern`", once(&c.group))
	flags.Func("name", "only machines whose name matches this `pattern`", once(&c.name))
	flags.BoolVar(&c.reverseNames, "reverse-names", true, "read reverse names, which takes a request for each address")
	flags.StringVar(&c.except, "except", "", "leave out what the state in this `file` has: the output of terraform show -json")
	return c
}

// once returns what sets a flag with a pattern. It refuses a second one, which would replace the first.
func once(pattern *string) func(string) error {
	return func(text string) error {
		if *pattern != "" {
			return fmt.Errorf("it is given once: run adopt for each pattern, or write one that matches both %q and %q", *pattern, text)
		}
		*pattern = text
		return nil
	}
}

// Run writes a configuration for what exists into a new directory. version is that of the release.
func (c *Command) Run(
	ctx context.Context, name string, server provider.Server, environment cmd.Environment, version string, streams cmd.Streams,
) error {
	for flag, pattern := range map[string]string{"--account": c.account, "--group": c.group, "--name": c.name} {
		if _, err := tfkit.MatchesPattern(pattern, ""); err != nil {
			return cmd.Misused("%s %q is not a pattern such as web*, with *, ? and [a-c]", flag, pattern)
		}
	}
	if err := cmp.Or(cmd.CheckHome("the directory", name), cmd.CheckHome("--except", c.except)); err != nil {
		return err
	}
	target := directory(name)
	if err := target.check(); err != nil {
		return err
	}
	managed, err := readManaged(c.except)
	if err != nil {
		return err
	}
	accounts, fromEnvironment, err := c.accounts(ctx, environment)
	if err != nil {
		return err
	}
	account := fromEnvironment
	if len(accounts) == 1 {
		account = accounts[0]
	}
	p, err := connect(ctx, server, account)
	if err != nil {
		return err
	}
	found := &estate{}
	for _, one := range accounts {
		_, _ = fmt.Fprintf(streams.Err, "Reading account %s\n", cmd.Printable(one))
		c.read(ctx, p, found, one)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	w := newWriter(p, managed)
	for _, g := range found.groups {
		w.writeGroup(ctx, g, found)
	}
	if len(w.imports.Body().Blocks()) == 0 && len(found.unread) == 0 && len(w.refused) == 0 {
		list(streams.Err, softDeleted, found.deleted)
		if w.left > 0 {
			_, err := fmt.Fprintf(streams.Out, "Nothing was written: the state in %s has all that matches (%d).\n", c.except, w.left)
			return err
		}
		return errors.New("nothing was written: no group and no machine matches")
	}
	w.writeProvider(account, fromEnvironment, version)
	if err := target.write(w.content()); err != nil {
		return err
	}
	return report(target, found, w, streams)
}

// matches reports whether a name matches a pattern, which has the syntax of the argument name_pattern.
func matches(pattern, name string) bool {
	matched, _ := tfkit.MatchesPattern(pattern, name) // patterns were checked before
	return pattern == "" || matched
}

const softDeleted = "Soft-deleted, so not written. To manage one, undelete it first, with " +
	cmd.Program + " invoke vm_undelete virtual_machine_id=ID:"

// report reports what was written and what was not. The latter is an error.
func report(target directory, found *estate, w *writer, streams cmd.Streams) error {
	_, err := fmt.Fprintf(streams.Out, `Wrote %s (groups: %d, machines: %d, backup schedules: %d, reverse names: %d).
Nothing was sent that changes anything. Next, in that directory:

  terraform init && terraform apply

The plan imports them and adds, changes and destroys nothing. If a path in CLOUDSERVER_* is relative, also one after
emulator:, make it absolute first.
`, target, w.count[groupType], w.count[machineType], w.count[scheduleType], w.count[nameType])
	if err != nil {
		return err
	}
	list(streams.Out, softDeleted, found.deleted)
	list(streams.Err, "Could not read:", found.unread)
	list(streams.Err, "Left out, because Terraform would refuse it:", w.refused)
	if len(found.unread)+len(w.refused) > 0 {
		return &cmd.ExitError{Status: 1}
	}
	return nil
}

// list prints a list with a title, unless it is empty.
func list(out io.Writer, title string, items []string) {
	if len(items) == 0 {
		return
	}
	_, _ = fmt.Fprintf(out, "\n%s\n", title)
	for _, item := range items {
		_, _ = fmt.Fprintf(out, "- %s\n", cmd.Printable(item))
	}
}
