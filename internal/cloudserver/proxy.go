// SPDX-License-Identifier: MPL-2.0

package cloudserver

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
)

// ProxyError is the refusal of a proxy to connect to the service.
type ProxyError struct {
	Proxy      string // its URL, without credentials
	StatusCode int
}

// Error names the proxy and its answer.
func (e *ProxyError) Error() string {
	return fmt.Sprintf("the proxy %s answered %d %s", e.Proxy, e.StatusCode, http.StatusText(e.StatusCode))
}

// Lasting reports whether another attempt would fail as well: the proxy does not fail, it refuses.
func (e *ProxyError) Lasting() bool { return e.StatusCode < http.StatusInternalServerError }

// checkProxy returns an error with the proxy's answer to CONNECT. Without it, an error would have the status text alone.
func checkProxy(_ context.Context, proxy *url.URL, _ *http.Request, response *http.Response) error {
	if response.StatusCode == http.StatusOK {
		return nil
	}
	shown := url.URL{Scheme: proxy.Scheme, Host: proxy.Host}
	return &ProxyError{Proxy: shown.String(), StatusCode: response.StatusCode}
}
