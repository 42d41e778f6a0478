// SPDX-License-Identifier: MPL-2.0

package acctest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// DiagText returns diagnostics as text, each with its detail: "error at disc.0.size: Too small".
func DiagText(diags []*tfprotov6.Diagnostic) string {
	var text strings.Builder
	for _, diag := range diags {
		text.WriteString(strings.ToLower(diag.Severity.String()))
		if at := Path(diag.Attribute); at != "" {
			text.WriteString(" at " + at)
		}
		fmt.Fprintf(&text, ": %s\n", diag.Summary)
		if diag.Detail != "" {
			text.WriteString(diag.Detail + "\n")
		}
	}
	return text.String()
}

// Errors returns the diagnostics that are errors.
func Errors(diags []*tfprotov6.Diagnostic) []*tfprotov6.Diagnostic {
	return withSeverity(diags, tfprotov6.DiagnosticSeverityError)
}

// Warnings returns the diagnostics that are warnings.
func Warnings(diags []*tfprotov6.Diagnostic) []*tfprotov6.Diagnostic {
	return withSeverity(diags, tfprotov6.DiagnosticSeverityWarning)
}

// HasErrors reports whether any diagnostic is an error.
func HasErrors(diags []*tfprotov6.Diagnostic) bool { return len(Errors(diags)) > 0 }

func withSeverity(diags []*tfprotov6.Diagnostic, severity tfprotov6.DiagnosticSeverity) []*tfprotov6.Diagnostic {
	return slices.DeleteFunc(slices.Clone(diags), func(diag *tfprotov6.Diagnostic) bool {
		return diag.Severity != severity
	})
}

// ExpectError expects one error that contains every phrase, and no warning.
func ExpectError(t *testing.T, diags []*tfprotov6.Diagnostic, phrases ...string) {
	t.Helper()
	text := DiagText(diags)
	if len(diags) != 1 || len(Errors(diags)) != 1 {
		t.Errorf("want one error, got\n%s", text)
	}
	for _, phrase := range phrases {
		if !strings.Contains(text, phrase) {
			t.Errorf("want %q in\n%s", phrase, text)
		}
	}
}
