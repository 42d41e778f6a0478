package check

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// usable reports whether there is a service at the endpoint that accepts the credentials. If not, it sets the report's
// reason.
func (p *prober) usable(ctx context.Context) bool {
	p.report.reason = p.whyUnreachable(p.definitions(ctx))
	if p.report.reason == "" && !p.report.interrupted {
		p.report.reason = p.whyNotPermitted(p.accounts(ctx))
		if account := p.options.Account; p.report.reason == "" && len(p.accountNames) > 0 && p.accountNames.lacks(account) {
			p.report.reason = fmt.Sprintf("There is no account %q; these credentials see: %s Correct CLOUDSERVER_ACCOUNT.", account, p.accountNames.list(account))
		}
	}
	return p.report.reason == "" && !p.report.interrupted
}

const wrongAddress = "CLOUDSERVER_ENDPOINT is probably not the base address of the service's HTTP API."

// whyUnreachable explains why the endpoint is not that of the service, or returns "".
func (p *prober) whyUnreachable(err error) string {
	endpoint := p.client.Endpoint()
	_, noSession := errors.AsType[*cloudserver.SessionError](err)
	switch {
	case err == nil:
		return ""
	case noSession, p.last == nil: // with credentials, the definitions include more zones
		return p.whyNotPermitted(err)
	case isLoginPage(p.last):
		return fmt.Sprintf("The answer from %s is a log-in page, not the service's: a proxy asks for a log-in. "+
			"Set HTTPS_PROXY or NO_PROXY, or log in to the proxy first.", endpoint)
	case isPage(p.last):
		return fmt.Sprintf("The answer from %s is a page for a browser, not JSON: %s", endpoint, wrongAddress)
	case p.last.Status == http.StatusNotFound:
		return fmt.Sprintf("There is no GET /definitions at %s: %s", endpoint, wrongAddress)
	}
	return ""
}

// whyNotPermitted explains why the credentials are not accepted, or returns "".
func (p *prober) whyNotPermitted(err error) string {
	_, noSession := errors.AsType[*cloudserver.SessionError](err)
	switch {
	case err == nil:
		return ""
	case noSession:
		return fmt.Sprintf("No session could be opened: %v.", err)
	case cloudserver.IsUnauthorized(err):
		return "The service does not accept the credentials (401): " +
			"set or correct CLOUDSERVER_TOKEN, CLOUDSERVER_TOKEN_FILE, or CLOUDSERVER_USERNAME and CLOUDSERVER_PASSWORD."
	case errors.Is(err, errNoAccount):
		return "These credentials can see no account: use others or request access."
	case cloudserver.StatusCode(err) == http.StatusForbidden:
		return "The credentials lack permission to list accounts (403): use others or request access."
	case p.last == nil:
		return fmt.Sprintf("The service cannot be reached at %s: %v.", p.client.Endpoint(), err)
	}
	return ""
}

func isPage(o *cloudserver.Observation) bool {
	return strings.Contains(o.Header.Get("Content-Type"), "html") || strings.HasPrefix(strings.TrimSpace(string(o.Body)), "<")
}

func isLoginPage(o *cloudserver.Observation) bool {
	text := strings.ToLower(string(o.Body))
	asks := slices.ContainsFunc([]string{"password", "log in", "sign in"}, func(word string) bool { return strings.Contains(text, word) })
	return isPage(o) && (asks || o.Status == http.StatusProxyAuthRequired)
}
