// SPDX-License-Identifier: MPL-2.0

package check

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/cmd"
)

// needed is a call that the provider makes.
type needed struct {
	name     string
	expected string
	fields   []field // of each object in the answer
	breaks   string  // what does not work without the call
}

// try makes a call and prints its line. The error is that of the call, which the line has.
func (c *checker) try(ctx context.Context, call needed, do func() error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	c.body = nil
	err := do()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if isBusy(err) || cloudserver.IsUnreachable(err) || cloudserver.IsUnauthorized(err) {
		c.unanswered++
		c.say("failed   %s", err)
		return err
	}
	if err != nil {
		c.missing++
		c.say("missing  %s: expected %s, got %s; %s", call.name, call.expected, err, call.breaks)
		return err
	}
	lacks, breaks := lacking(c.body, call.fields)
	if len(lacks) > 0 {
		c.missing++
		c.say("missing  %s: expected %s, got it without %s; %s",
			call.name, call.expected, strings.Join(lacks, ", "), strings.Join(breaks, "; "))
		return nil
	}
	c.say("OK       %s: %s", call.name, call.expected)
	return nil
}

// isBusy reports whether the service, or a proxy before it, is busy or broken, which says nothing about what it has.
func isBusy(err error) bool {
	switch status := cloudserver.StatusCode(err); status {
	case http.StatusTooManyRequests:
		return true
	case http.StatusNotImplemented:
		return false
	default:
		return status >= http.StatusInternalServerError
	}
}

// say prints a line, which may have text of the service.
func (c *checker) say(format string, arguments ...any) {
	status, text, _ := strings.Cut(fmt.Sprintf(format, arguments...), " ")
	_, _ = fmt.Fprintf(c.out, "%-8s %s\n", status, cmd.Printable(text))
}

// field is a field that the provider needs, such as discs.label, and what does not work without it.
type field struct{ name, breaks string }

// What does not work without a call.
const (
	noDefinitions  = "plans are not checked"
	noAccounts     = "a machine that is gone cannot be distinguished from one that is not visible"
	noGroups       = "cloudserver_group does not work"
	noMachines     = "cloudserver_vm does not work"
	noNames        = "machines cannot be imported by name, and one whose creation was not answered is not found"
	noReverseNames = "cloudserver_rdns does not work"
)

// The fields of each object that an answer has.
var (
	setFields     = []field{{"id", noDefinitions}, {"data", noDefinitions}}
	accountFields = []field{{"id", noAccounts}, {"name", "accounts cannot be found by name"}}
	groupFields   = []field{{"id", noGroups}, {"name", "groups cannot be found by name"}}
	addressFields = []field{{"rdns", noReverseNames}}
	discFields    = []field{
		{"id", "discs cannot be distinguished"},
		{"label", "discs cannot be distinguished"},
		{"size", "the size of discs is not refreshed"},
	}
	machineFields = []field{
		{"id", noMachines},
		{"name", noMachines},
		{"group_id", "moves and renamed groups are not noticed"},
		{"power_on", "waits for a machine to start or stop time out"},
		{"discs", "drift of discs is not noticed"},
		{"discs.id", "discs cannot be distinguished"},
		{"discs.label", "discs cannot be distinguished"},
		{"discs.size", "the size of discs is not refreshed"},
		{"network_interfaces", "addresses are not known"},
		{"network_interfaces.ips", "addresses are not known"},
	}
)

// lacking returns the fields that an object of the answer lacks, and what does not work without them.
func lacking(body []byte, fields []field) (names, breaks []string) {
	var answer any
	if json.Unmarshal(body, &answer) != nil {
		return nil, nil // the client has read it, so it needs none
	}
	for _, field := range fields {
		if lacks(answer, strings.Split(field.name, ".")) {
			names, breaks = append(names, field.name), append(breaks, field.breaks)
		}
	}
	return names, slices.Compact(breaks)
}

// lacks reports whether an object lacks a field, or any object of an array. Objects below a field that is missing are
// not looked for.
func lacks(value any, path []string) bool {
	switch value := value.(type) {
	case []any:
		return slices.ContainsFunc(value, func(element any) bool { return lacks(element, path) })
	case map[string]any:
		below, ok := value[path[0]]
		if len(path) == 1 {
			return !ok
		}
		return lacks(below, path[1:])
	}
	return false
}
