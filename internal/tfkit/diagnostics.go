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
	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
)

// maxDiagnostics is the maximum number of diagnostics for one error.
const maxDiagnostics = 20

// AttributePath returns the path of the attribute that a problem of the service is about. It returns false if there is
// none.
type AttributePath func(problem cloudserver.Problem) (at path.Path, ok bool)

// AttributesOf returns the attributes that have these names in the service's answers.
func AttributesOf(names map[string]string) AttributePath {
	return func(problem cloudserver.Problem) (path.Path, bool) {
		name, ok := names[problem.Attribute]
		return path.Root(name), ok
	}
}

// AddError adds the diagnostics of a failed operation: one for each problem that the service names, at the attribute to
// blame, or one for the whole error. summary names the operation and the object, and advice is what to do next.
func AddError(diags *diag.Diagnostics, summary string, err error, attribute AttributePath, advice string) {
	answer, ok := errors.AsType[*cloudserver.Error](err)
	if !ok || attribute == nil ||
		!slices.ContainsFunc(
			answer.Problems, func(p cloudserver.Problem) bool { _, found := attribute(p); return found },
		) {
		diags.AddError(summary, Detail(err, advice))
		return
	}
	var waited string
	if wait, ok := errors.AsType[*progress.Unfinished](err); ok {
		waited = Sentence(wait.Outcome())
	}
	step, _ := failureStep(err)
	for i, problem := range answer.Problems {
		if rest := len(answer.Problems) - i; i == maxDiagnostics-1 && rest > 1 {
			diags.AddError(summary, fmt.Sprintf("The service names these problems and %d more.", rest))
			return
		}
		alone := cloudserver.Error{
			Method: answer.Method, Path: answer.Path, StatusCode: answer.StatusCode, Message: problem.String(),
		}
		detail := alone.Error() + "." + paragraph(waited, problemAdvice(problem), step, advice)
		if at, found := attribute(problem); found {
			diags.AddAttributeError(at, summary, detail)
		} else {
			diags.AddError(summary, detail)
		}
	}
}

// elsewhere stands for an explanation that this run has shown.
const elsewhere = "Another of these errors says what to do."

// Detail returns the text of an error for a diagnostic: what the service answered, and what to do next.
//
// A cause that all calls share is explained in full once in a run, and in one line after that.
func Detail(err error, advice string) string {
	if failed, ok := errors.AsType[sharedError](err); ok {
		if cause, again := failed.SharedCause(); again {
			return Sentence(cause) + " " + elsewhere
		}
	}
	step, _ := failureStep(err)
	answered, ok := errors.AsType[*cloudserver.Error](err)
	if ok && step != "" && !answered.FirstWith(step) {
		step = elsewhere
	}
	return Sentence(err.Error()) + paragraph(step, advice)
}

// sharedError is an error whose cause may be shared by all calls: refused credentials, or a service that cannot be
// reached.
type sharedError interface {
	error
	SharedCause() (cause string, again bool)
}

// Sentence adds a capital and a full stop. The case of a text that does not begin with a word, such as an address, is
// kept.
func Sentence(text string) string {
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

// paragraph joins the sentences that are not empty, as a paragraph that follows another one.
func paragraph(sentences ...string) string {
	for i, text := range sentences {
		sentences[i] = strings.TrimSpace(text)
	}
	return strings.TrimRight("\n\n"+strings.Join(slices.DeleteFunc(sentences, func(text string) bool { return text == "" }), " "), "\n")
}

// failureStep returns what to do about a failure, independently of the operation (API.md §1), and whether that includes
// to run the same command again.
func failureStep(err error) (step string, again bool) {
	answered, _ := errors.AsType[*cloudserver.Error](err)
	lost, _ := errors.AsType[*cloudserver.TransportError](err)
	switch status := cloudserver.StatusCode(err); {
	case cloudserver.IsUnauthorized(err):
		const ends = " A session of login ends after an hour, " +
			"and one that was opened without a validity five minutes after its last use; " +
			"an API key, or a username and password, lasts for any run."
		if refused, ok := errors.AsType[*cloudserver.CredentialsError](err); ok && refused.From != "" {
			step := "Set or correct the credentials: " + refused.From + "."
			if !refused.Lasts {
				step += ends
			}
			return step, false
		}
		return "Set or correct the credentials: token, token_file, or username and password, in the provider block, " +
			"or CLOUDSERVER_TOKEN, CLOUDSERVER_TOKEN_FILE, or CLOUDSERVER_USERNAME and CLOUDSERVER_PASSWORD, in the environment." + ends, false
	case cloudserver.IsForbidden(err) && !answered.Page:
		return requestAdvice(answered), false
	case isFull(answered):
		return requestAdvice(answered), true
	case status == http.StatusTooManyRequests, status == http.StatusServiceUnavailable:
		const step = "The service is busy. Run the same command again later"
		if status == http.StatusServiceUnavailable && answered.Method == http.MethodPost { // it is not repeated
			return step + ".", true
		}
		return step + ", or raise max_retries in the provider block to wait longer.", true
	case status >= http.StatusInternalServerError:
		return strings.TrimSpace("The service, or a proxy in front of it, has failed. " +
			"Run the same command again later, and ask the service's operator if it continues. " + requestAdvice(answered)), true
	case answered != nil && answered.Page:
		return "The answer is a page for a browser, so it comes from a proxy or from another server than the service. " +
			"Check that endpoint in the provider block, or CLOUDSERVER_ENDPOINT in the environment, " +
			"is the base URL of the service's HTTP API.", false
	case answered == nil && lost != nil && lost.AtProxy:
		return "Correct the variable that names the proxy, or add the host of the service to NO_PROXY in the environment: " +
			"it is then reached without the proxy.", false
	case answered == nil && lost != nil && lost.AddressInDoubt():
		return "Check that endpoint in the provider block, or CLOUDSERVER_ENDPOINT in the environment, " +
			"is the address of the service, and that it can be reached from here.", false
	}
	return "", false
}

// Again returns the advice to run the same command again, after its cause was removed if the request would fail again.
// It returns "" if Detail and AddError give that advice by themselves.
func Again(err error) string {
	_, again := failureStep(err)
	switch status := cloudserver.StatusCode(err); {
	case again:
		return ""
	case cloudserver.IsUnreachable(err):
	case status < http.StatusBadRequest, status >= http.StatusInternalServerError, status == http.StatusRequestTimeout,
		status == http.StatusTooManyRequests:
		return "Run the same command again."
	}
	return "Remove the cause, and run the same command again."
}

// Extend adds a paragraph to the last error.
func Extend(diags *diag.Diagnostics, text string) {
	for i, refusal := range slices.Backward(*diags) {
		if refusal.Severity() != diag.SeverityError {
			continue
		}
		detail := refusal.Detail() + "\n\n" + text
		(*diags)[i] = diag.NewErrorDiagnostic(refusal.Summary(), detail)
		if at, ok := refusal.(diag.DiagnosticWithPath); ok {
			(*diags)[i] = diag.NewAttributeErrorDiagnostic(at.Path(), refusal.Summary(), detail)
		}
		return
	}
}
