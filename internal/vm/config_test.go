// SPDX-License-Identifier: MPL-2.0

package vm_test

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// object and objects are short names for the maps of configurations.
type (
	object  = map[string]any
	objects = []map[string]any
)

const vmType = "cloudserver_vm"

// given contains settings of a configuration by their dotted paths.
type given = map[string]any

// configured returns the configuration of the tests' machine: a name, one disc, and the settings, which override these.
// A nil value removes a setting.
func configured(settings ...given) object {
	config := object{"name": "web1", "disc": discs("vda:25600")}
	for _, group := range settings {
		for _, path := range slices.Sorted(maps.Keys(group)) { // a block comes before its attributes
			put(config, strings.Split(path, "."), group[path])
		}
	}
	return config
}

// named returns the configuration of a machine with that name.
func named(name string, more ...given) object {
	return configured(append([]given{{"name": name}}, more...)...)
}

// put sets the value at a path, and creates the blocks above it.
func put(config object, path []string, value any) {
	name := path[0]
	switch {
	case len(path) == 1 && value == nil:
		delete(config, name)
	case len(path) == 1:
		config[name] = value
	case name == "disc":
		index, _ := strconv.Atoi(path[1])
		put(config["disc"].(objects)[index], path[2:], value)
	default:
		block, ok := config[name].(object)
		if !ok && value == nil {
			return
		}
		block = maps.Clone(block) // do not change the caller's block
		if block == nil {
			block = object{}
		}
		put(block, path[1:], value)
		config[name] = block
	}
}

// discs returns blocks that are written as label:size or label:size:grade.
func discs(texts ...string) objects {
	blocks := make(objects, len(texts))
	for i, text := range texts {
		parts := strings.Split(text, ":")
		size, _ := strconv.Atoi(parts[1])
		blocks[i] = object{"label": parts[0], "size": size}
		if len(parts) > 2 {
			blocks[i]["storage_grade"] = parts[2]
		}
	}
	return blocks
}

// with returns a copy with more settings: pairs of a path and a value.
func with(g given, path string, value any, rest ...any) given {
	more := maps.Clone(g)
	more[path] = value
	for i := 0; i < len(rest); i += 2 {
		more[rest[i].(string)] = rest[i+1]
	}
	return more
}

// expectSent compares the requests since the last reset of the journal that change something, and resets it.
func expectSent(t *testing.T, e *acctest.Emulator, want string) {
	t.Helper()
	if got := sent(e); got != want {
		t.Errorf("sent\n %q, want\n %q", got, want)
	}
	e.ResetJournal()
}

// expectState compares values of an object by their dotted paths.
func expectState(t *testing.T, o *acctest.Object, want map[string]any) {
	t.Helper()
	for path, value := range want {
		if got := o.Get(path); got != value {
			t.Errorf("%s is %v (%T), want %v (%T)", path, got, got, value, value)
		}
	}
}

// refuse returns a fault: the given number of requests with this method, this end of the path and this text in the body
// are answered with 403.
func refuse(method, suffix, body string, times int) emulator.Fault {
	return emulator.Fault{
		Status: http.StatusForbidden, Body: "not today", Times: times,
		Match: func(r emulator.Request) bool {
			return r.Method == method && strings.HasSuffix(r.Path, suffix) && strings.Contains(string(r.Body), body)
		},
	}
}

// loseAnswer changes a fault so that the requests are carried out, but their answers are lost.
func loseAnswer(fault emulator.Fault) emulator.Fault {
	fault.Status, fault.Cut, fault.AfterEffect = 0, true, true
	return fault
}
