package acctest

import (
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// Kind is a kind of message: its severity, the attribute that it is at, and the beginning of its summary, a constant of
// the package that it comes from. Tests recognise messages by their kinds, whatever the sentences are.
type Kind struct {
	Severity tfprotov6.DiagnosticSeverity
	At       string // "": anywhere
	Summary  string // "": any
}

// Error returns a kind of errors.
func Error(at, summary string) Kind {
	return Kind{tfprotov6.DiagnosticSeverityError, at, summary}
}

// Warning returns a kind of warnings.
func Warning(at, summary string) Kind {
	return Kind{tfprotov6.DiagnosticSeverityWarning, at, summary}
}

// Of returns the diagnostics of the kind.
func (k Kind) Of(diags []*tfprotov6.Diagnostic) []*tfprotov6.Diagnostic {
	return slices.DeleteFunc(slices.Clone(diags), func(d *tfprotov6.Diagnostic) bool {
		return d.Severity != k.Severity || !strings.HasPrefix(d.Summary, k.Summary) || k.At != "" && Path(d.Attribute) != k.At
	})
}

// IsIn reports whether one of the diagnostics is of the kind and contains all texts, such as the name of its object.
func (k Kind) IsIn(diags []*tfprotov6.Diagnostic, texts ...string) bool {
	return slices.ContainsFunc(k.Of(diags), func(d *tfprotov6.Diagnostic) bool {
		return !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(d.Summary+"\n"+d.Detail, text) })
	})
}
