// SPDX-License-Identifier: MPL-2.0

package tfkit

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/inventory"
)

// AttributePath returns the path of the attribute that a problem of the service is about. It returns false if there is
// none.
type AttributePath func(problem cloudserver.Problem) (at path.Path, ok bool)

// AttributesOf returns the attributes that have these names in the service's answers, which may nest them.
func AttributesOf(names map[string]string) AttributePath {
	return func(problem cloudserver.Problem) (path.Path, bool) {
		name, ok := names[problem.Attribute]
		if !ok {
			name, ok = names[problem.Field]
		}
		return path.Root(name), ok
	}
}

// AttributeError is an error at an attribute that is known without the service's answer.
type AttributeError struct {
	At     path.Path
	Detail string
}

// Error returns the whole message.
func (e *AttributeError) Error() string { return e.Detail }

// AddError adds the diagnostics of a failed operation: one for each problem that the service names, at the attribute to
// blame, or one for the whole error. summary names the operation and the object. advice is what to do next. attribute may
// be nil. An *AttributeError is reported at its own attribute.
func AddError(diags *diag.Diagnostics, summary string, err error, attribute AttributePath, advice string) {
	if known, ok := errors.AsType[*AttributeError](err); ok {
		diags.AddAttributeError(known.At, summary, strings.TrimSpace(known.Detail+" "+advice))
		return
	}
	answer, ok := errors.AsType[*cloudserver.Error](err)
	isBlamed := func(p cloudserver.Problem) bool {
		_, found := attribute(p)
		return found
	}
	if !ok || attribute == nil || !slices.ContainsFunc(answer.Problems, isBlamed) {
		diags.AddError(summary, Detail(err, advice))
		return
	}
	for _, problem := range answer.Problems {
		alone := *answer
		alone.Message, alone.Problems = problem.String(), []cloudserver.Problem{problem}
		detail := Detail(&alone, advice)
		if at, found := attribute(problem); found {
			diags.AddAttributeError(at, summary, detail)
		} else {
			diags.AddError(summary, detail)
		}
	}
}

// Detail returns the text of an error for a diagnostic: what the service answered, and then what to do.
func Detail(err error, advice string) string {
	text := Sentence(err.Error())
	for _, sentence := range []string{Advice(err), advice} {
		if sentence = strings.TrimSpace(sentence); sentence != "" {
			text += " " + sentence
		}
	}
	return text
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
	if strings.ContainsAny(text[len(text)-1:], ".!?`") {
		return text
	}
	return text + "."
}

// Advice returns what to do about a failure, whatever the operation was (API.md §1), or "".
func Advice(err error) string {
	if _, isHidden := errors.AsType[*inventory.HiddenError](err); isHidden {
		return "Use credentials that can see the account, and check endpoint and which provider the resource uses."
	}
	if _, isOther := errors.AsType[*inventory.OtherServiceError](err); isOther {
		return "Check endpoint, and which provider the resource uses. If the object is meant to be here, " +
			"remove the resource from the state with `terraform state rm`, and import it again."
	}
	switch {
	case cloudserver.IsUnauthorized(err):
		return "Set or correct token, token_file, or username and password, in the provider block or in CLOUDSERVER_*."
	case cloudserver.IsForbidden(err) && hasReason(err):
		return "Unless this answer names another reason, these credentials lack permission: use others or request access."
	case cloudserver.IsForbidden(err):
		return "These credentials lack permission: use others or request access."
	case isOfProxy(err):
		return "Check HTTPS_PROXY and NO_PROXY, and the credentials of the proxy."
	case cloudserver.IsUnreachable(err):
		return "Check endpoint in the provider block, or CLOUDSERVER_ENDPOINT in the environment."
	case cloudserver.StatusCode(err) == http.StatusTooManyRequests:
		return "Run the same command again later, or with a lower -parallelism."
	case mayPass(err):
		return "Run the same command again later."
	}
	return ""
}

// isOfProxy reports whether a proxy refuses to connect to the service.
func isOfProxy(err error) bool {
	_, ok := errors.AsType[*cloudserver.ProxyError](err)
	return ok
}

// hasReason reports whether the service gave its refusal a text.
func hasReason(err error) bool {
	refused, ok := errors.AsType[*cloudserver.Error](err)
	return ok && refused.Message != ""
}

// mayPass reports whether the service failed or did not answer, so that the same command may succeed later.
func mayPass(err error) bool {
	_, isLost := errors.AsType[*cloudserver.TransportError](err)
	isTimedOut := errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
	return isLost && !isTimedOut || cloudserver.StatusCode(err) >= http.StatusInternalServerError
}

// Summary returns the summary of a warning about a loss or a restart: what happens, and a list of what it happens to or
// why. The CLI folds warnings with the same summary, and in some places shows nothing else. So what names the machine
// that loses something.
func Summary(what, list string) string {
	if list == "" {
		return what
	}
	return what + ": " + list
}
