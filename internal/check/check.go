// SPDX-License-Identifier: MPL-2.0

// Package check implements the command check: it reads what the provider reads, and reports for each call what was
// expected, what the service answered, and what will not work.
//
//	check.go   the calls
//	report.go  a line for each call, and the fields that the provider needs of an answer
package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
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

// Run makes the calls and prints a line for each.
func Run(ctx context.Context, environment cmd.Environment, out io.Writer) error {
	config, account, group, err := environment()
	if err != nil {
		return unusable(err)
	}
	c := &checker{out: out}
	config.MaxRetries = new(1)
	config.Observe = func(body []byte) { c.body = body }
	if c.client, err = cloudserver.New(config); err != nil {
		return unusable(err)
	}
	err = c.run(ctx, account, group)
	switch {
	case ctx.Err() != nil:
		return &cmd.ExitError{Status: cmd.ExitInterrupted, Text: "interrupted: this says nothing about the service"}
	case err != nil:
		return unusable(err)
	case c.unanswered > 0:
		return unusable(errors.New("the service did not answer every call, so this is no result: check again later"))
	case c.missing > 0:
		return &cmd.ExitError{Status: exitMissing, Text: "this is not the service that the provider needs"}
	}
	_, err = fmt.Fprintln(out, "\nThis is the service that the provider needs.")
	return err
}

func unusable(err error) error { return &cmd.ExitError{Status: exitUnusable, Text: err.Error()} }

// checker makes calls and reports on them.
type checker struct {
	client *cloudserver.Client
	out    io.Writer
	body   []byte // of the last answer

	missing    int // calls that lack something
	unanswered int // calls that the service may answer later
}

// run makes the calls that the provider depends on. Each uses what earlier ones found. The error ends the check; that of
// any other call is in its line.
func (c *checker) run(ctx context.Context, account, group string) error {
	err := c.try(ctx, needed{"GET /definitions", "an array of sets", setFields, noDefinitions}, func() error {
		_, err := c.client.Definitions(ctx)
		return err
	})
	if err != nil && !isAnswered(err) {
		return err
	}
	var accounts []string
	err = c.try(ctx, needed{"GET /accounts", "an array of accounts", accountFields, noAccounts}, func() error {
		all, err := c.client.Accounts(ctx)
		for _, one := range all {
			accounts = append(accounts, one.Name)
		}
		return err
	})
	if cloudserver.StatusCode(err) == http.StatusNotFound { // also of another server
		return fmt.Errorf("%w; is CLOUDSERVER_ENDPOINT the base URL of the API?", err)
	}
	if err != nil {
		return err
	}
	if len(accounts) == 0 {
		return errors.New("these credentials see no account: use others or request access")
	}
	if account == "" {
		account = accounts[0]
	}
	if !slices.Contains(accounts, account) {
		return fmt.Errorf("there is no account %q; these credentials see: %s", account, strings.Join(accounts, ", "))
	}
	return c.readAccount(ctx, account, group)
}

// isAnswered reports whether the service has answered.
func isAnswered(err error) bool {
	return cloudserver.StatusCode(err) != 0 && !cloudserver.IsUnauthorized(err)
}

// defaultGroup is the group of the provider block that names none. An account need not have it.
const defaultGroup = "default"

// readAccount reads an account and a group in it.
func (c *checker) readAccount(ctx context.Context, account, group string) error {
	at := "GET /accounts/" + account
	_ = c.try(ctx, needed{at, "the account", accountFields, noAccounts}, func() error {
		_, err := c.client.Account(ctx, account)
		return err
	})
	at += "/groups"
	var groups []string
	err := c.try(ctx, needed{at, "an array of groups", groupFields, noGroups}, func() error {
		all, err := c.client.Groups(ctx, account)
		for _, one := range all {
			groups = append(groups, one.Name)
		}
		return err
	})
	if err == nil && !slices.Contains(groups, group) {
		if group != defaultGroup {
			return fmt.Errorf("there is no group %q in the account %q, which has: %s", group, account, strings.Join(groups, ", "))
		}
		c.say("note the account %q has no group %q: set group in the provider block, or CLOUDSERVER_GROUP", account, group)
		if len(groups) == 0 {
			c.say("skipped  %s/{group} and /virtual_machines: the account has no group", at)
			c.readUnknownMachine(ctx)
			return nil
		}
		group = groups[0]
	}
	c.readGroup(ctx, account, group)
	return nil
}

// readGroup reads a group and one of its machines.
func (c *checker) readGroup(ctx context.Context, account, group string) {
	at := "GET /accounts/" + account + "/groups"
	at += "/" + group
	_ = c.try(ctx, needed{at, "the group", groupFields, noGroups}, func() error {
		_, err := c.client.Group(ctx, account, group)
		return err
	})
	at += "/virtual_machines"
	var machines []cloudserver.VirtualMachine
	overview := at + "?view=overview&include_deleted=true"
	_ = c.try(ctx, needed{overview, "an array of machines", machineFields, noMachines}, func() (err error) {
		machines, err = c.client.VirtualMachines(ctx, account, group, cloudserver.IncludeDeleted)
		return err
	})
	c.readUnknownMachine(ctx)
	machines = slices.DeleteFunc(machines, func(vm cloudserver.VirtualMachine) bool { return vm.Deleted })
	if len(machines) == 0 {
		c.say("skipped  GET /virtual_machines/{id}, /discs/{id} and /ips/{address}: the group has no machine to read")
		return
	}
	c.readMachine(ctx, machines[0])
	_ = c.try(ctx, needed{at + "/" + machines[0].Name, "the machine", machineFields, noNames}, func() error {
		_, err := c.client.VirtualMachineByName(ctx, account, group, machines[0].Name)
		return err
	})
}

// readUnknownMachine reads a machine that does not exist. That is how the provider learns that a machine is gone.
func (c *checker) readUnknownMachine(ctx context.Context) {
	const noMachine = 1 << 52
	unknown := needed{
		"GET /virtual_machines/{an ID that no machine has}", "status 404", nil, "machines that are gone are not noticed",
	}
	_ = c.try(ctx, unknown, func() error {
		_, err := c.client.VirtualMachine(ctx, noMachine)
		switch {
		case cloudserver.IsNotFound(err):
			return nil
		case err == nil:
			return errors.New("a machine")
		}
		return err
	})
}

// readMachine reads a machine, its first disc and its first address by their IDs.
func (c *checker) readMachine(ctx context.Context, vm cloudserver.VirtualMachine) {
	byID := fmt.Sprintf("GET /virtual_machines/%d?view=overview", vm.ID)
	_ = c.try(ctx, needed{byID, "the machine", machineFields, noMachines}, func() error {
		_, err := c.client.VirtualMachine(ctx, vm.ID)
		return err
	})
	if len(vm.Discs) == 0 {
		c.say("skipped  GET /discs/{id}: the machine has no disc")
	} else {
		disc := fmt.Sprintf("GET /discs/%d", vm.Discs[0].ID)
		_ = c.try(ctx, needed{disc, "the disc", discFields, "a disc that was moved away is not found"}, func() error {
			_, err := c.client.Disc(ctx, vm.Discs[0].ID)
			return err
		})
	}
	if cards := vm.NetworkInterfaces; len(cards) == 0 || len(cards[0].IPs) == 0 {
		c.say("skipped  GET /ips/{address}: the machine has no address")
	} else {
		address := cards[0].IPs[0]
		_ = c.try(ctx, needed{"GET /ips/" + address, "the address", addressFields, noReverseNames}, func() error {
			_, err := c.client.IP(ctx, address)
			return err
		})
	}
}
