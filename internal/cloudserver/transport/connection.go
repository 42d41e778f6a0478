package transport

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"
)

const maxHeader = 256 << 10 // size limit of an answer's headers, in bytes

// newConnections returns a transport for a parallelism of up to 50: every worker keeps its connection.
func newConnections(roots *x509.CertPool) *http.Transport {
	return &http.Transport{
		Proxy:                  proxy,
		OnProxyConnectResponse: checkProxyAnswer,
		DialContext:            (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: roots},
		TLSHandshakeTimeout:    10 * time.Second,
		ForceAttemptHTTP2:      true, // a TLSClientConfig would turn it off
		MaxIdleConns:           128,
		MaxIdleConnsPerHost:    64,
		IdleConnTimeout:        90 * time.Second,
		ExpectContinueTimeout:  time.Second,
		MaxResponseHeaderBytes: maxHeader,
	}
}

const maxRedirects = 5

// checkRedirect keeps requests, with their token, on the configured host, and prevents that a POST becomes a GET.
func checkRedirect(next *http.Request, via []*http.Request) error {
	first := via[0]
	refuse := func(why string) error {
		return &answerError{fmt.Sprintf("the service redirects to %s://%s, which is refused: %s", next.URL.Scheme, next.URL.Host, why)}
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
