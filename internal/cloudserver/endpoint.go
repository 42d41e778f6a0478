package cloudserver

import (
	"fmt"
	"net"
	"net/url"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver/transport"
)

// parseEndpoint checks a base URL; field is the attribute to blame. Its errors
// show the text only where it cannot contain credentials.
func parseEndpoint(field, text string, allowHTTP bool) (*url.URL, error) {
	text = strings.TrimSpace(text)
	base, err := url.Parse(text)
	switch {
	case text == "":
		return nil, &ConfigError{field, "is required: the base URL of the service"}
	case strings.Contains(text, "@") || strings.Contains(text, "%40"):
		return nil, &ConfigError{field, "must not contain a user or password; use token, or username and password"}
	case strings.ContainsAny(text, "?#"):
		return nil, &ConfigError{field, "must be a base URL such as https://api.example.com, without a query (?) or a fragment (#)"}
	case err != nil, base.Scheme != "https" && base.Scheme != "http", base.Hostname() == "":
		return nil, &ConfigError{field, fmt.Sprintf("must be a URL such as https://api.example.com, not %q%s", transport.Shorten(text, transport.LongestName), corrected(text))}
	case base.Scheme == "http" && !allowHTTP && !isLoopback(base.Hostname()):
		return nil, &ConfigError{field, fmt.Sprintf("is %q, and plain http:// sends credentials unprotected; use https://, or set allow_http = true", transport.Shorten(text, transport.LongestName))}
	}
	return base, nil
}

// corrected returns a hint at the URL that was probably meant, "" if there is
// none.
func corrected(text string) string {
	rest := text
	for _, scheme := range []string{"https:", "http:"} {
		rest = strings.TrimPrefix(rest, scheme)
	}
	rest = strings.TrimLeft(rest, "/")
	base, err := url.Parse("https://" + rest)
	if err != nil || rest == "" || !isLoopback(base.Hostname()) && !strings.Contains(base.Hostname(), ".") {
		return ""
	}
	if isLoopback(base.Hostname()) {
		base.Scheme = "http"
	}
	return fmt.Sprintf("; did you mean %q?", transport.Shorten(base.String(), transport.LongestName))
}

// isLoopback reports whether traffic to a host stays on this machine. Names below
// localhost do not count: a resolver or a proxy may send them elsewhere.
func isLoopback(host string) bool {
	return net.ParseIP(host).IsLoopback() || strings.EqualFold(host, "localhost")
}
