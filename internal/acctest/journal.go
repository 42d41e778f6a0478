package acctest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
)

// AllCalls returns the requests since the journal was last reset, such as "GET /definitions", with their queries.
func (e *Emulator) AllCalls() []string {
	var calls []string
	for _, request := range e.Journal() {
		call := request.Method + " " + request.Path
		if request.Query != "" {
			call += "?" + request.Query
		}
		calls = append(calls, call)
	}
	return calls
}

// Calls returns those of AllCalls that may have changed something: all but GET.
func (e *Emulator) Calls() []string {
	return slices.DeleteFunc(e.AllCalls(), func(call string) bool { return strings.HasPrefix(call, http.MethodGet+" ") })
}

// ExpectCalls fails the test unless Calls are exactly the wanted ones, in order.
func ExpectCalls(t testing.TB, e *Emulator, want ...string) {
	t.Helper()
	if got := e.Calls(); !slices.Equal(got, want) {
		t.Errorf("calls that change something:\n  got  %s\n  want %s", lines(got), lines(want))
	}
}

func lines(calls []string) string {
	if len(calls) == 0 {
		return "none"
	}
	return strings.Join(calls, "\n       ")
}

// CheckDestroyed returns a CheckDestroy: no machine is left in the emulator, not even a soft-deleted one.
func CheckDestroyed(e *Emulator) resource.TestCheckFunc {
	return func(*terraform.State) error {
		var left []string
		for _, machine := range e.Machines() {
			left = append(left, fmt.Sprintf("%d %s", machine.ID, machine.Hostname))
		}
		if len(left) > 0 {
			return fmt.Errorf("machines left: %s", strings.Join(left, ", "))
		}
		return nil
	}
}
