// SPDX-License-Identifier: MPL-2.0

package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// latency is how long the service takes to answer a request.
const latency = 50 * time.Millisecond

// service is an emulator that counts the requests. Its machines are on at once.
type service struct {
	emulator http.Handler
	requests atomic.Int64
}

func newService() *service {
	return &service{emulator: emulator.New(emulator.Options{Latency: latency})}
}

// ServeHTTP implements http.Handler.
func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.requests.Add(1)
	s.emulator.ServeHTTP(w, r)
}

// env returns what a provider needs to reach the service.
func (s *service) env(url string) []string {
	return []string{"CLOUDSERVER_ENDPOINT=" + url, "CLOUDSERVER_TOKEN=" + emulator.DemoAPIKey, "CLOUDSERVER_ACCOUNT=" + emulator.DemoAccount}
}

// states keeps in memory what the CLI's http backend stores. The CLI writes to such a backend at the end and every now
// and then; it compares and writes a local file after each change.
type states struct {
	server *httptest.Server

	mu     sync.Mutex
	byPath map[string][]byte
}

func serveStates() *states {
	s := &states{byPath: map[string][]byte{}}
	s.server = httptest.NewServer(s)
	return s
}

func (s *states) close() { s.server.Close() }

// url returns the address of the state of a working directory.
func (s *states) url(dir string) string { return s.server.URL + dir }

// size returns the size of the state of a working directory, in bytes.
func (s *states) size(dir string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.byPath[dir])
}

// ServeHTTP implements http.Handler: POST stores a state, GET returns it.
func (s *states) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.Method == http.MethodPost {
		state, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		s.byPath[r.URL.Path] = state
		return
	}
	state, ok := s.byPath[r.URL.Path]
	if !ok {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	_, _ = w.Write(state) // the CLI reports what is missing
}
