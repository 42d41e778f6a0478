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

// AttributePath finds the attribute that a problem of the service is about.
// ok is false when there is none.
type AttributePath func(problem cloudserver.Problem) (at path.Path, ok bool)

// blames says whether an attribute is to blame for any of the problems.
func (a AttributePath) blames(problems []cloudserver.Problem) bool {
	return slices.ContainsFunc(problems, func(p cloudserver.Problem) bool { _, found := a(p); return found })
}

// AddError reports that what was tried has failed: one diagnostic for each
// problem that the service names, at the attribute to blame, or one for the
// whole. Summary says what was tried on which object; advice what to do next.
func AddError(diags *diag.Diagnostics, summary string, err error, attribute AttributePath, advice string) {
	answer, ok := errors.AsType[*cloudserver.Error](err)
	if !ok || attribute == nil || !attribute.blames(answer.Problems) {
		diags.AddError(summary, Detail(err, advice))
		return
	}
	for _, problem := range answer.Problems {
		detail := fmt.Sprintf("%s %s answered %s: %s.%s", answer.Method, answer.Path, status(answer.StatusCode), problem, paragraph(join(problemStep(problem), nextStep(err, advice))))
		if at, found := attribute(problem); found {
			diags.AddAttributeError(at, summary, detail)
		} else {
			diags.AddError(summary, detail)
		}
	}
}

// Detail words an error for a diagnostic: what the service answered, and what
// to do next.
func Detail(err error, advice string) string {
	return sentence(err.Error()) + paragraph(nextStep(err, advice))
}

func status(code int) string {
	if text := http.StatusText(code); text != "" {
		return fmt.Sprintf("%d %s", code, text)
	}
	return fmt.Sprint(code)
}

// sentence gives text a capital and a full stop. What is no word to begin with,
// such as an address, stays as it is.
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
