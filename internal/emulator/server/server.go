// SPDX-License-Identifier: MPL-2.0

package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator/worldfile"
)

// Limits of the HTTP server.
const (
	shutdownGrace = 3 * time.Second // for requests in progress at the end
	headerTime    = 10 * time.Second
	idleTime      = 2 * time.Minute
)

// server is an emulator with what is needed to look at it and to control it.
type server struct {
	emulator *emulator.Emulator
	seed     []byte  // the world that a reset restores
	guests   *Guests // nil: guests do not answer
	remote   remote
}

// newServer returns an emulator with the world of the state or the seed, and the faults of the flags.
func (c *Command) newServer(ctx context.Context, stderr io.Writer) (*server, error) {
	o := c.options
	o.FirstID, o.CopyTime, o.Log, o.JournalSize = worldfile.FirstID(time.Now()), o.BootTime, stderr, journalSize
	if c.port > 0 {
		o.Guests, o.GuestBoot = true, guestBoot
	}
	s := &server{remote: c.remote}
	var err error
	if s.seed, err = worldfile.Seed(c.seed); err != nil {
		return nil, fmt.Errorf("--%w", err)
	}
	s.emulator = emulator.New(o)
	if err := s.emulator.Load(s.seed); err != nil { // also with a state, so that a bad seed is reported at the start
		return nil, fmt.Errorf("--seed %s: %w", c.seed, err)
	}
	if c.state != "" {
		if err := worldfile.CheckDirectory(c.state); err != nil {
			return nil, fmt.Errorf("--state: %w", err)
		}
		world := worldfile.New(c.state, o, func(e *emulator.Emulator) error { return e.Load(s.seed) })
		s.emulator = world.Emulator
		if err := s.emulator.Alone(ctx, func() {}); err != nil {
			return nil, fmt.Errorf("--state: %w", err)
		}
	}
	if c.port > 0 {
		if s.guests, err = ServeGuests(ctx, s.emulator, c.port, stderr); err != nil {
			return nil, fmt.Errorf("--guest-port: %w", err)
		}
	}
	return s, nil
}

// close stops the guests.
func (s *server) close() {
	if s.guests != nil {
		_ = s.guests.Close() // its port is free when the process ends, at the latest
	}
}

// http returns the HTTP server for the emulator, its page and its control paths.
func (s *server) http(ctx context.Context, stderr io.Writer) *http.Server {
	control := s.local(s.control())
	return &http.Server{
		Handler: s.guard(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if s.guests != nil {
				defer s.guests.update(ctx) // before net/http sends the answer
			}
			if r.URL.Path == "/" || r.URL.Path == "/_emulator" || strings.HasPrefix(r.URL.Path, "/_emulator/") {
				control.ServeHTTP(w, r)
				return
			}
			s.emulator.ServeHTTP(w, r)
		})),
		ReadHeaderTimeout: headerTime,
		IdleTimeout:       idleTime,
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ErrorLog:          log.New(stderr, "emulator: ", 0),
	}
}

// serve serves until ctx ends or the listener fails.
func serve(ctx context.Context, s *http.Server, listener net.Listener) error {
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownGrace)
	defer cancel()
	err := s.Shutdown(grace)
	if errors.Is(err, context.DeadlineExceeded) {
		err = s.Close()
	}
	<-ended // http.ErrServerClosed
	return err
}
