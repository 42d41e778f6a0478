package cloudserver

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"net"
	"net/http"
	"net/url"
	"time"
)

const (
	// redialAfter is the wait before a refused connection is tried again, once: a
	// service that is being restarted refuses for a moment. A wrong address is
	// reported without delay.
	redialAfter = 500 * time.Millisecond

	maxHeader = 256 << 10 // bytes of the headers of an answer
)

// newTransport is sized for a run with a parallelism of 50: every worker keeps
// its connection.
func newTransport(roots *x509.CertPool, secrets *secrets) *http.Transport {
	return &http.Transport{
		Proxy:                  func(request *http.Request) (*url.URL, error) { return proxy(request, secrets) },
		DialContext:            dial,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: roots},
		TLSHandshakeTimeout:    10 * time.Second,
		ForceAttemptHTTP2:      true, // a TLSClientConfig turns it off otherwise
		MaxIdleConns:           128,
		MaxIdleConnsPerHost:    64,
		IdleConnTimeout:        90 * time.Second,
		ExpectContinueTimeout:  time.Second,
		MaxResponseHeaderBytes: maxHeader,
	}
}

// proxy returns the environment's proxy for a request. Plain HTTP never goes
// through one, since the proxy would see the credentials.
func proxy(request *http.Request, secrets *secrets) (*url.URL, error) {
	if request.URL.Scheme != "https" {
		return nil, nil
	}
	proxy, err := http.ProxyFromEnvironment(request)
	if err != nil { // its text would repeat the variable, which may contain a password
		return nil, errors.New("HTTPS_PROXY in the environment is not a valid URL")
	}
	if proxy != nil && proxy.User != nil {
		password, _ := proxy.User.Password()
		secrets.add(password, base64.StdEncoding.EncodeToString([]byte(proxy.User.Username()+":"+password))) // as it is sent
	}
	return proxy, nil
}

func dial(ctx context.Context, network, address string) (net.Conn, error) {
	dialer := &net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}
	connection, err := dialer.DialContext(ctx, network, address)
	if err == nil || !isRefused(err) || Pause(ctx, redialAfter) != nil {
		return connection, err
	}
	return dialer.DialContext(ctx, network, address)
}
