package cloudserver

import (
	"fmt"
	"net/http"
	"strings"
)

const maxRedirects = 5

// redirectError is a redirect that is not followed.
type redirectError struct{ to, why string }

// Error says where the redirect would have led (host only), and why it is not
// followed. The caller prepares it to be shown.
func (e *redirectError) Error() string {
	return fmt.Sprintf("the service redirects to %s, which is refused: %s", e.to, e.why)
}

// checkRedirect keeps requests, and the token that they carry, at the host
// that was configured, and keeps a POST from silently becoming a GET.
func checkRedirect(next *http.Request, via []*http.Request) error {
	first := via[0]
	refuse := func(why string) error {
		return &redirectError{to: next.URL.Scheme + "://" + next.URL.Host, why: why}
	}
	switch {
	case !strings.EqualFold(next.URL.Host, first.URL.Host):
		return refuse("it is another host; check the endpoint")
	case first.URL.Scheme == "https" && next.URL.Scheme != "https":
		return refuse("it is not encrypted")
	case next.Method != first.Method:
		return refuse(fmt.Sprintf("it would turn %s into %s; check the endpoint", first.Method, next.Method))
	case len(via) > maxRedirects:
		return refuse("there are too many redirects")
	}
	return nil
}
