package transport

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"

	"golang.org/x/net/http/httpproxy"
)

// proxyOf returns the environment's proxy for an address, or nil. Plain HTTP uses none, because the proxy would see the
// credentials. An environment that names a proxy which cannot be used is an error: the library would ignore it.
func proxyOf(address *url.URL) (*url.URL, error) {
	if address.Scheme != "https" {
		return nil, nil
	}
	variable, text := proxyVariable()
	environment := httpproxy.FromEnvironment()
	environment.HTTPSProxy = "http://proxy" // whether NO_PROXY names the host does not depend on the proxy
	if proxy, err := environment.ProxyFunc()(address); text == "" || proxy == nil || err != nil {
		return nil, err
	}
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	proxy, err := url.Parse(text)
	if err != nil || proxy.Hostname() == "" || !slices.Contains([]string{"http", "https", "socks5", "socks5h"}, proxy.Scheme) {
		return nil, &answerError{variable + " in the environment is not the URL of a proxy, such as http://proxy.example.com:3128"} // it may have a password
	}
	return proxy, nil
}

// proxyVariable returns the variable of the environment that names the proxy, and its value, or "" if none does.
func proxyVariable() (name, value string) {
	for _, name := range []string{"HTTPS_PROXY", "https_proxy"} {
		if text := os.Getenv(name); text != "" {
			return name, text
		}
	}
	return "HTTPS_PROXY", ""
}

// CheckProxy returns what is wrong with the proxy that the environment names for an address, or nil.
func CheckProxy(address *url.URL) error {
	_, err := proxyOf(address)
	return err
}

// proxy returns the environment's proxy for a request. Its password is hidden from now on.
func proxy(request *http.Request) (*url.URL, error) {
	proxy, err := proxyOf(request.URL)
	if proxy != nil && proxy.User != nil {
		password, _ := proxy.User.Password()
		AddSecrets(password, base64.StdEncoding.EncodeToString([]byte(proxy.User.Username()+":"+password))) // also in the form in which it is sent
	}
	return proxy, err
}

// proxyError is the answer of a proxy that does not connect to the service.
type proxyError struct{ status int }

func (e *proxyError) Error() string {
	return fmt.Sprintf("the proxy answered %d %s", e.status, http.StatusText(e.status))
}

// lasting reports whether the proxy refuses the service, as opposed to a failure that may pass.
func (e *proxyError) lasting() bool {
	return e.status < http.StatusInternalServerError && e.status != http.StatusTooManyRequests && e.status != http.StatusRequestTimeout
}

// checkProxyAnswer is called with a proxy's answer to CONNECT. The library would return the text of the status alone.
func checkProxyAnswer(_ context.Context, _ *url.URL, _ *http.Request, answer *http.Response) error {
	if answer.StatusCode == http.StatusOK {
		return nil
	}
	return &proxyError{answer.StatusCode}
}

// proxyRefuses reports whether a proxy has refused to connect to the service.
func proxyRefuses(err error) bool {
	refused, ok := errors.AsType[*proxyError](err)
	return ok && refused.lasting()
}

// failedAtProxy reports whether a connection failed before a proxy had made one to the service.
func failedAtProxy(err error) bool {
	operation, ok := errors.AsType[*net.OpError](err)
	_, answered := errors.AsType[*proxyError](err)
	return answered || ok && operation.Op == connectingToProxy
}

// connectingToProxy is the library's name for the operation.
const connectingToProxy = "proxyconnect"

// proxyTitle names in messages the proxy between the client and an address, or returns "" if there is none.
func proxyTitle(address *url.URL) string {
	proxy, err := proxyOf(address)
	if proxy == nil || err != nil {
		return ""
	}
	variable, _ := proxyVariable()
	return fmt.Sprintf("the proxy %s://%s (%s in the environment)", proxy.Scheme, proxy.Host, variable)
}
