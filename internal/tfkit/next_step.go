package tfkit

import (
	"errors"
	"net/http"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// nextStep is what the kind of failure calls for, followed by what the
// operation says.
func nextStep(err error, advice string) string {
	return join(failureStep(err), advice)
}

// failureStep says what to do about a failure whatever was tried (api.md §1).
func failureStep(err error) string {
	switch status := cloudserver.StatusCode(err); {
	case cloudserver.IsUnauthorized(err):
		return "Check the credentials: token, or username and password, in the provider block, or CLOUDSERVER_TOKEN, or CLOUDSERVER_USERNAME and CLOUDSERVER_PASSWORD, in the environment. " +
			"A session ends five minutes after its last use; an API key, or a username and password, lasts for any run."
	case status == http.StatusForbidden:
		return "These credentials do not have the right to do that: use others, or have the right granted."
	case status == http.StatusTooManyRequests, status == http.StatusServiceUnavailable:
		return "The service is busy, and stayed so through all retries. Run the same command again later; a larger max_retries in the provider block waits longer."
	case status >= http.StatusInternalServerError:
		return "The service, or a proxy in front of it, has failed. Run the same command again later, and ask the service's operator if it stays so."
	case status == 0 && isUnreachable(err):
		return "Check that endpoint in the provider block, or CLOUDSERVER_ENDPOINT in the environment, is the address of the service, and that it can be reached from here."
	}
	return ""
}

func isUnreachable(err error) bool {
	lost, ok := errors.AsType[*cloudserver.TransportError](err)
	return ok && lost.Unreachable()
}

// problemStep says what to do about one problem that the service names.
func problemStep(problem cloudserver.Problem) string {
	switch {
	case problem.Attribute == "ips": // service.md §4.1, rules for ips
		return "Addresses can be chosen in a group on a private VLAN only, and there among those that no other machine holds. Choose others, or leave them out to have them allocated."
	case strings.Contains(problem.Message, "not included in the list"):
		return "The data source cloudserver_definitions lists what the service offers."
	}
	return ""
}

func join(sentences ...string) string {
	return strings.TrimSpace(strings.Join(sentences, " "))
}
