package vm_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// What stopping, starting and replacing a machine sends, in the words of sent.
const (
	stop  = "PUT autoreboot_on=false; signal powerdown; "
	start = "PUT autoreboot_on=true power_on=true"
	purge = "DELETE?purge=true; "
)

// createdAlways is what every creation of the tests' machine sends; sent leaves
// it out.
var createdAlways = []string{"name=web1", "power_on=true", "autoreboot_on=true", "discs=vda:25600"}

// sent writes every request that may have changed something in one line, with
// everything in its body: "PUT name=web2; PUT disc size=51200". Ids of groups
// are written as #.
func sent(e *acctest.Emulator) string {
	var calls []string
	for _, request := range e.Journal() {
		if request.Method != http.MethodGet {
			calls = append(calls, call(request))
		}
	}
	return strings.Join(calls, "; ")
}

func call(request emulator.Request) string {
	verb := request.Method
	body := map[string]any{}
	if len(request.Body) > 0 {
		if err := json.Unmarshal(request.Body, &body); err != nil {
			return verb + " with a body that is no JSON: " + err.Error()
		}
	}
	switch {
	case strings.HasSuffix(request.Path, "/vm_create"):
		return createCall(request.Path, body)
	case strings.HasSuffix(request.Path, "/signal"):
		return fmt.Sprintf("signal %v", body["signal"])
	case strings.HasSuffix(request.Path, "/reimage"):
		return words("reimage", body, nil)
	case strings.Contains(request.Path, "/discs"):
		verb += " disc"
	}
	if request.Query != "" {
		verb += "?" + request.Query
	}
	if body["group_id"] != nil {
		body["group_id"] = "#"
	}
	return words(verb, body, nil)
}

// createCall writes a vm_create: where, when it is not the tests' usual group,
// and what is not in every creation.
func createCall(path string, body map[string]any) string {
	verb := "create"
	if segments := strings.Split(path, "/"); segments[2] != emulator.DemoAccount || segments[4] != emulator.DefaultGroup {
		verb += " in " + segments[2] + "/" + segments[4]
	}
	return words(verb, body, createdAlways)
}

func words(verb string, body map[string]any, except []string) string {
	said := []string{verb}
	for _, word := range flat(body) {
		if !slices.Contains(except, word) {
			said = append(said, word)
		}
	}
	return strings.Join(said, " ")
}

// flat writes a body as key=value. The fields of virtual_machine, reimage and
// ips stand alone, and discs as label:size:grade.
func flat(body map[string]any) []string {
	var said []string
	for _, key := range slices.Sorted(maps.Keys(body)) {
		switch value := body[key].(type) {
		case map[string]any:
			said = append(said, flat(value)...)
		case []any:
			said = append(said, fmt.Sprintf("%s=%s", key, discWords(value)))
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

func discWords(discs []any) string {
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
