package cloudserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-log/tflogtest"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// longestCreation is what a creation may take longer than its context: it waits
// for the answer of a request under way, and then looks what was created.
const longestCreation = 11 * time.Second

// TestHostileAnswers answers every call in every hostile way. Whatever comes, the
// call ends in time, and neither its error nor its log contains a secret or
// something that steers a terminal.
func TestHostileAnswers(t *testing.T) {
	t.Parallel()
	ways := hostileWays()
	if len(ways) < 200 {
		t.Fatalf("only %d ways", len(ways))
	}
	for name, call := range hostileCalls() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, way := range ways {
				synctest.Test(t, func(t *testing.T) { hostile(t, name, call, way) })
			}
		})
	}
}

func hostile(t *testing.T, name string, call caller, way way) {
	var log bytes.Buffer
	ctx, cancel := context.WithTimeout(tflogtest.RootLogger(t.Context(), &log), time.Minute)
	defer cancel()
	client := hostileClient(t, way, withRetries(1))
	began := time.Now()
	err := call(ctx, client)
	if took := time.Since(began); took > time.Minute+time.Second && (!strings.HasPrefix(name, "Create") || took > time.Minute+longestCreation) {
		t.Errorf("%d, %s: the call took %v", way.status, way.name, took)
	}
	if err != nil {
		if strings.HasPrefix(err.Error(), "BELIEVED") {
			t.Errorf("%d, %s: %v", way.status, way.name, err)
		}
		expectHarmless(t, way, "the error", err.Error())
		expectFewProblems(t, way, err)
	}
	for line := range strings.Lines(log.String()) {
		var fields map[string]any
		if err := json.Unmarshal([]byte(line), &fields); err != nil {
			t.Errorf("the log is not JSON: %v", err)
		}
		for name, value := range fields {
			expectHarmless(t, way, "the log, "+name, fmt.Sprint(value))
		}
	}
}

// expectHarmless looks for secrets and for what steers a terminal.
func expectHarmless(t *testing.T, way way, what, text string) {
	t.Helper()
	if strings.Contains(text, hostileMarker) {
		t.Errorf("%d, %s: %s contains a secret: %.400q", way.status, way.name, what, text)
	}
	if !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		t.Errorf("%d, %s: %s is not printable: %.400q", way.status, way.name, what, text)
	}
	if len(text) > 100<<10 {
		t.Errorf("%d, %s: %s has %d bytes", way.status, way.name, what, len(text))
	}
}

func expectFewProblems(t *testing.T, way way, err error) {
	t.Helper()
	if len(err.Error()) > 4096 {
		t.Errorf("%d, %s: the error has %d bytes", way.status, way.name, len(err.Error()))
	}
	var answer *cloudserver.Error
	if !errors.As(err, &answer) {
		return
	}
	for _, problem := range answer.Problems[:min(len(answer.Problems), 3)] {
		expectHarmless(t, way, "a problem", problem.String())
	}
}
