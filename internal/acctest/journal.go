package acctest

import (
	"net/http"
	"slices"
	"strings"
	"testing"
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
	return slices.DeleteFunc(
		e.AllCalls(), func(call string) bool { return strings.HasPrefix(call, http.MethodGet+" ") },
	)
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
