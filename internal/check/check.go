// Package check implements the command check: it reads what the provider reads, and reports for each call what was
// expected, what the service answered, and what will not work.
//
//	check.go    the calls, and the report
//	fields.go   the fields that the provider needs of each object
//	service.go  the client that makes the calls
package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/cmd"
)

// The exit statuses of the command. An interrupted check has [cmd.ExitInterrupted].
const (
	exitMissing  = 1 // something that the provider needs is missing
	exitUnusable = 2 // the service is not reachable, does not permit the calls, or does not have the account or group
)

// Environment returns the client's configuration and the names of the account and the group, from the CLOUDSERVER_*
// variables.
type Environment func() (config cloudserver.Config, account, group string, err error)

// Run makes the calls and prints a line for each.
func Run(ctx context.Context, environment Environment, out io.Writer) error {
	config, account, group, err := environment()
	if err != nil {
		return unusable(err)
	}
	service, err := newService(config)
	if err != nil {
		return unusable(err)
	}
	c := &checker{service: service, out: out}
	err = c.run(ctx, account, group)
	switch {
	case ctx.Err() != nil:
		return &cmd.ExitError{Status: cmd.ExitInterrupted, Text: "interrupted: this says nothing about the service"}
	case err != nil:
		return err
	case c.missing > 0:
		return &cmd.ExitError{Status: exitMissing, Text: "this is not the service that the provider needs"}
	}
	_, err = fmt.Fprintln(out, "\nThis is the service that the provider needs.")
	return err
}

// unusable returns the error of a service that cannot be checked any further.
func unusable(err error) error { return &cmd.ExitError{Status: exitUnusable, Text: err.Error()} }

// checker makes calls and reports on them.
type checker struct {
	service *service
	out     io.Writer
	missing int // calls that lack something
}

// call is a call that the provider makes.
type call struct {
	name     string
	expected string
	fields   []field // of each object in the answer
	breaks   string  // what does not work without the call
	do       func(context.Context) error
}

// run makes the calls that the provider depends on. Each uses what earlier ones found. The error ends the check; that of
// any other call is in its line.
func (c *checker) run(ctx context.Context, account, group string) error {
	s := c.service
	err := c.check(ctx, call{"GET /definitions", "an array of sets", setFields, noDefinitions, s.definitions})
	if err != nil && !isAnswered(err) {
		return unusable(err)
	}
	err = c.check(ctx, call{"GET /accounts", "an array of accounts", accountFields, noAccounts, s.listAccounts})
	if err != nil {
		return unusable(err)
	}
	if len(s.accounts) == 0 {
		return unusable(errors.New("these credentials see no account: use others or request access"))
	}
	if account == "" {
		account = s.accounts[0]
	}
	if !slices.Contains(s.accounts, account) {
		all := strings.Join(s.accounts, ", ")
		return unusable(fmt.Errorf("there is no account %q; these credentials see: %s", account, all))
	}
	inAccount := "GET /accounts/" + account
	_ = c.check(ctx, call{inAccount, "the account", accountFields, noAccounts, s.readAccount(account)})
	err = c.check(ctx, call{inAccount + "/groups", "an array of groups", groupFields, noGroups, s.listGroups(account)})
	if err == nil && !slices.Contains(s.groups, group) {
		all := strings.Join(s.groups, ", ")
		return unusable(fmt.Errorf("there is no group %q in the account %q, which has: %s", group, account, all))
	}
	inGroup := inAccount + "/groups/" + group
	_ = c.check(ctx, call{inGroup, "the group", groupFields, noGroups, s.readGroup(account, group)})
	inGroup += "/virtual_machines"
	_ = c.check(ctx, call{
		inGroup + "?view=overview&include_deleted=true", "an array of machines",
		machineFields, noMachines, s.listMachines(account, group),
	})
	_ = c.check(ctx, call{
		"GET /virtual_machines/{an ID that no machine has}", "status 404",
		nil, "machines that are gone are not noticed", s.readUnknownMachine,
	})
	c.readMachine(ctx, account, group, inGroup)
	return nil
}

// readMachine reads a machine of the group in each way that the provider uses.
func (c *checker) readMachine(ctx context.Context, account, group, inGroup string) {
	s, m := c.service, c.service.machine
	if m == nil {
		c.say("skipped  GET /virtual_machines/{id}, /discs/{id} and /ips/{address}: the group has no machine to read")
		return
	}
	byID := fmt.Sprintf("GET /virtual_machines/%d?view=overview", m.id)
	_ = c.check(ctx, call{byID, "the machine", machineFields, noMachines, s.readMachine})
	byName := inGroup + "/" + m.name
	_ = c.check(ctx, call{byName, "the machine", machineFields, noNames, s.readMachineByName(account, group)})
	if m.disc == 0 {
		c.say("skipped  GET /discs/{id}: the machine has no disc")
	} else {
		disc := fmt.Sprintf("GET /discs/%d", m.disc)
		_ = c.check(ctx, call{disc, "the disc", discFields, "a disc that was moved away is not found", s.readDisc})
	}
	if m.address == "" {
		c.say("skipped  GET /ips/{address}: the machine has no address")
	} else {
		_ = c.check(ctx, call{"GET /ips/" + m.address, "the address", addressFields, noReverseNames, s.readAddress})
	}
}

// check makes a call and prints its line. The error is that of the call, which the line has.
func (c *checker) check(ctx context.Context, call call) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	c.service.body = nil
	err := call.do(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		c.missing++
		c.say("missing  %s: expected %s, got %s; %s", call.name, call.expected, err, call.breaks)
		return err
	}
	lacks, breaks := lacking(c.service.body, call.fields)
	if len(lacks) > 0 {
		c.missing++
		c.say("missing  %s: expected %s, got it without %s; %s",
			call.name, call.expected, strings.Join(lacks, ", "), strings.Join(breaks, "; "))
		return nil
	}
	c.say("OK       %s: %s", call.name, call.expected)
	return nil
}

// say prints a line, which may have text of the service.
func (c *checker) say(format string, arguments ...any) {
	status, text, _ := strings.Cut(fmt.Sprintf(format, arguments...), " ")
	_, _ = fmt.Fprintf(c.out, "%-8s %s\n", status, cmd.Printable(text))
}
