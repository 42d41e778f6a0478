// SPDX-License-Identifier: MPL-2.0

package vm_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// The requests that stop, start and replace a machine, as sent writes them.
const (
	stop  = "PUT autoreboot_on=false; signal powerdown; "
	start = "PUT autoreboot_on=true power_on=true"
	purge = "DELETE?purge=true; "
)

// createdAlways is in every creation of the tests' machine. The function sent leaves it out.
var createdAlways = []string{"name=web1", "power_on=true", "autoreboot_on=true", "discs=vda:25600"}

// sent returns all requests that may have changed something in one line, with their bodies: "PUT name=web2; PUT disc
// size=51200". IDs of groups are written as #.
func sent(e *acctest.Emulator) string {
	var calls []string
	for _, request := range e.Journal() {
		if request.Method != http.MethodGet {
			calls = append(calls, describeCall(request))
		}
	}
	return strings.Join(calls, "; ")
}

func describeCall(request emulator.Request) string {
	verb := request.Method
	body := map[string]any{}
	if len(request.Body) > 0 {
		if err := json.Unmarshal(request.Body, &body); err != nil {
			return verb + " with a body that is not JSON: " + err.Error()
		}
	}
	switch {
	case strings.HasSuffix(request.Path, "/vm_create"):
		return describeCreation(request.Path, body)
	case strings.HasSuffix(request.Path, "/signal"):
		return fmt.Sprintf("signal %v", body["signal"])
	case strings.HasSuffix(request.Path, "/reimage"):
		return describeRequest("reimage", body, nil)
	case strings.Contains(request.Path, "/discs"):
		verb += " disc"
	}
	if request.Query != "" {
		verb += "?" + request.Query
	}
	if body["group_id"] != nil {
		body["group_id"] = "#"
	}
	return describeRequest(verb, body, nil)
}

// groupNames are the names of the emulator's first groups by ID, of which the last is in the account "other".
var groupNames = map[string]string{"1002": emulator.DefaultGroup, "1003": emulator.PrivateGroup, "1005": emulator.DefaultGroup}

// describeCreation describes a vm_create: the group, unless it is the default one, and the values that are not in every
// creation.
func describeCreation(path string, body map[string]any) string {
	verb, segments := "create", strings.Split(path, "/")
	account, group := segments[2], cmp.Or(groupNames[segments[4]], segments[4])
	if account != emulator.DemoAccount || group != emulator.DefaultGroup {
		verb += " in " + account + "/" + group
	}
	return describeRequest(verb, body, createdAlways)
}

func describeRequest(verb string, body map[string]any, except []string) string {
	said := []string{verb}
	for _, word := range flattenBody(body) {
		if !slices.Contains(except, word) {
			said = append(said, word)
		}
	}
	return strings.Join(said, " ")
}

// flattenBody returns the values of a body as key=value, without the names of the objects around them. Discs are
// written as label:size:grade.
func flattenBody(body map[string]any) []string {
	var said []string
	for _, key := range slices.Sorted(maps.Keys(body)) {
		switch value := body[key].(type) {
		case map[string]any:
			said = append(said, flattenBody(value)...)
		case []any:
			said = append(said, fmt.Sprintf("%s=%s", key, describeDiscs(value)))
		case nil:
			said = append(said, key+"=null")
		case string:
			if key == "root_password" && len(value) == 32 {
				value = "*" // one that the provider made up
			}
			said = append(said, key+"="+value)
		default:
			said = append(said, fmt.Sprintf("%s=%v", key, value))
		}
	}
	return said
}

func describeDiscs(discs []any) string {
	said := make([]string, len(discs))
	for i, disc := range discs {
		fields, _ := disc.(map[string]any)
		said[i] = fmt.Sprintf("%v:%v", fields["label"], fields["size"])
		if grade := fields["storage_grade"]; grade != nil {
			said[i] += fmt.Sprintf(":%v", grade)
		}
	}
	return strings.Join(said, ",")
}
