package tfkit

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// maxDiagnostics is how many diagnostics one error becomes at most.
const maxDiagnostics = 20

// AttributePath returns the attribute that a problem of the service is about. It
// returns false if there is none.
type AttributePath func(problem cloudserver.Problem) (at path.Path, ok bool)

// blames reports whether an attribute is to blame for any of the problems.
func (a AttributePath) blames(problems []cloudserver.Problem) bool {
	return slices.ContainsFunc(problems, func(p cloudserver.Problem) bool { _, found := a(p); return found })
}

// AddError reports that an operation has failed: one diagnostic for each problem
// that the service names, at the attribute to blame, or one for the whole.
// Summary names the operation and the object; advice is what to do next.
func AddError(diags *diag.Diagnostics, summary string, err error, attribute AttributePath, advice string) {
	answer, ok := errors.AsType[*cloudserver.Error](err)
	switch {
	case ok && attribute != nil && attribute.blames(answer.Problems):
		addProblems(diags, summary, err, answer, attribute, advice)
	default:
		diags.AddError(summary, Detail(err, advice))
	}
}

func addProblems(diags *diag.Diagnostics, summary string, err error, answer *cloudserver.Error, attribute AttributePath, advice string) {
	for i, problem := range answer.Problems {
		if rest := len(answer.Problems) - i; i == maxDiagnostics-1 && rest > 1 {
			diags.AddError(summary, fmt.Sprintf("The service names these problems and %d more.", rest))
			return
		}
		detail := fmt.Sprintf("%s %s answered %s: %s.%s", answer.Method, answer.Path, status(answer.StatusCode), problem, paragraph(join(problemStep(problem), nextStep(err, advice))))
		if at, found := attribute(problem); found {
			diags.AddAttributeError(at, summary, detail)
		} else {
			diags.AddError(summary, detail)
		}
	}
}

// Detail returns the text of an error for a diagnostic: what the service
// answered, and what to do next.
func Detail(err error, advice string) string {
	return sentence(err.Error()) + paragraph(nextStep(err, advice))
}

func status(code int) string {
	if text := http.StatusText(code); text != "" {
		return fmt.Sprintf("%d %s", code, text)
	}
	return fmt.Sprint(code)
}

// sentence adds a capital and a full stop. A text that does not begin with a word,
// such as an address, keeps its case.
func sentence(text string) string {
	if text == "" {
		return text
	}
	if word, _, _ := strings.Cut(text, " "); strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") == "" {
		text = strings.ToUpper(text[:1]) + text[1:]
	}
	if strings.ContainsAny(text[len(text)-1:], ".!?") {
		return text
	}
	return text + "."
}

func paragraph(text string) string {
	if text == "" {
		return ""
	}
	return "\n\n" + text
}
