// SPDX-License-Identifier: MPL-2.0

package server

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// guard refuses requests that a web page in the user's browser may have caused by DNS rebinding or across sites.
func (s *server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		switch {
		case !s.remote.hostAllowed(r.Host):
			http.Error(w, "this host name is not allowed: use a loopback address, or start with --allow-remote=HOST",
				http.StatusForbidden)
		case !sameOrigin(r):
			http.Error(w, "requests of other web sites are refused", http.StatusForbidden)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// local refuses requests from other machines, unless --allow-remote names the requested host. If all hosts are
// allowed, a web page whose own name resolves to this address gets in.
func (s *server) local(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.remote.hosts == nil && (!isLoopback(r.RemoteAddr) || !isLoopback(r.Host)) {
			http.Error(w, "this path answers on loopback addresses only, or to the hosts that --allow-remote=HOST,… names",
				http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// hostAllowed reports whether a Host header names this machine, or a host that the flag allows.
func (r *remote) hostAllowed(host string) bool {
	return r.all || isLoopback(host) || slices.Contains(r.hosts, strings.ToLower(hostname(host)))
}

// sameOrigin reports whether a request does not come from a web page, or comes from a page of this server.
func sameOrigin(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" {
		return false
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true
	}
	parsed, err := url.Parse(origin)
	return err == nil && parsed.Scheme == "http" && parsed.Host == r.Host
}

// isLoopback reports whether a host, with or without port, is localhost or a loopback address.
func isLoopback(hostport string) bool {
	host := hostname(hostport)
	if strings.EqualFold(host, "localhost") {
		return true
	}
	address, err := netip.ParseAddr(host)
	return err == nil && address.IsLoopback()
}

// hostname returns the host without its port and brackets.
func hostname(hostport string) string {
	if host, _, err := net.SplitHostPort(hostport); err == nil {
		return host
	}
	return strings.TrimSuffix(strings.TrimPrefix(hostport, "["), "]")
}

// remote is the value of --allow-remote: no host, some hosts, or all.
type remote struct {
	all   bool
	hosts []string
}

// set parses the value of the flag, which is "true" if the flag has no value.
func (r *remote) set(value string) error {
	*r = remote{all: value == "true"}
	if value != "true" && value != "false" && value != "" {
		r.hosts = strings.Split(strings.ToLower(value), ",")
	}
	return nil
}

// allowed reports whether the flag permits addresses that are not loopback addresses.
func (r *remote) allowed() bool { return r.all || len(r.hosts) > 0 }
