// SPDX-License-Identifier: MPL-2.0

package cmd_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cmd"
)

// TestNoTerminal: a script gets an error instead of waiting for ever.
func TestNoTerminal(t *testing.T) {
	t.Parallel()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = read.Close(), write.Close() })
	_, err = cmd.AskAt(read, io.Discard)(t.Context(), "Password: ", true)
	if err == nil || !strings.Contains(err.Error(), "the standard input is not a terminal") {
		t.Errorf("got %v", err)
	}
}

func TestExitStatus(t *testing.T) {
	t.Parallel()
	for want, err := range map[int]error{
		1: errors.New("any"), 2: fmt.Errorf("wrapped: %w", cmd.Misused("no %s", "file")), 130: &cmd.ExitError{Status: 130},
	} {
		if got := cmd.ExitStatus(err); got != want {
			t.Errorf("%v has the exit status %d, want %d", err, got, want)
		}
	}
}

// TestPrintable: text of the service is one line, and controls no terminal.
func TestPrintable(t *testing.T) {
	t.Parallel()
	if got := cmd.Printable("a\x1b[2J\nb \u202ec\x00"); got != "a [2J b c" {
		t.Errorf("got %q", got)
	}
}
