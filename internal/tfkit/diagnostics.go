package tfkit

import (
	"errors"
	"fmt"
	"net/http"
	"slices"

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
		detail := fmt.Sprintf("%s %s answered %s: %s.%s", answer.Method, answer.Path, status(answer.StatusCode), problem, paragraph(nextStep(err, advice)))
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

// nextStep is the advice that the kind of failure calls for, or else the one
// that the operation gives.
func nextStep(err error, advice string) string {
	switch cloudserver.StatusCode(err) {
	case http.StatusUnauthorized:
		return "The service accepts no session of this provider: check token, or username and password, in the provider block or in CLOUDSERVER_TOKEN, CLOUDSERVER_USERNAME and CLOUDSERVER_PASSWORD. " +
			"A session ends five minutes after its last use: take a new one, or give the provider an API key or credentials, which it renews by itself."
	case http.StatusForbidden:
		return "The session may see this but not change it: use credentials that have the right to."
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return "The service is busy and stayed so through all retries. Run the same command again later; a larger max_retries in the provider block waits longer."
	}
	return advice
}

func status(code int) string {
	if text := http.StatusText(code); text != "" {
		return fmt.Sprintf("%d %s", code, text)
	}
	return fmt.Sprint(code)
}

func sentence(text string) string {
	if text == "" {
		return text
	}
	switch text[len(text)-1] {
	case '.', '!', '?':
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
