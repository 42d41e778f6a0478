package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

// states keeps in memory what the CLI's http backend stores. The CLI writes to such a backend at the end and every now
// and then; it compares and writes a local file after each change.
type states struct {
	url string

	mu    sync.Mutex
	byURL map[string][]byte
}

// keepStates serves states on a free port until the context ends.
func keepStates(ctx context.Context) (*states, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &states{url: "http://" + listener.Addr().String(), byURL: map[string][]byte{}}
	server := &http.Server{Handler: s, ReadHeaderTimeout: time.Minute}
	context.AfterFunc(ctx, func() { _ = server.Close() })
	go func() { _ = server.Serve(listener) }() // it ends with the context
	return s, nil
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
		s.byURL[r.URL.Path] = state
		return
	}
	state, ok := s.byURL[r.URL.Path]
	if !ok {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	_, _ = w.Write(state) // the CLI reports what is missing
}
