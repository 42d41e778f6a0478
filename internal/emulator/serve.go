package emulator

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// ServeOptions adjust Serve.
type ServeOptions struct {
	Options
	// AllowRemote permits addresses other than loopback ones. The emulator's
	// credentials are public: whoever reaches it may do everything in it.
	AllowRemote bool
}

// shutdownGrace is how long requests under way may take after the end.
const shutdownGrace = 3 * time.Second

// Serve runs the emulator on addr ("127.0.0.1:8787"; port 0 lets the system
// choose) until ctx ends, and then stops it cleanly and returns nil. It
// prints the seeded world and the environment to export to stdout, and what
// goes wrong with a connection to stderr. It keeps no journal.
func Serve(ctx context.Context, addr string, o ServeOptions, stdout, stderr io.Writer) error {
	if err := checkAddress(addr, o.AllowRemote); err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("emulator: %w", err)
	}
	if listener == nil { // ended before it began
		return nil
	}
	o.NoJournal = true
	e := New(o.Options)
	server := &http.Server{
		Handler:           e,
		ReadHeaderTimeout: 10 * time.Second,
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ErrorLog:          newErrorLog(stderr),
	}
	if _, err := io.WriteString(stdout, e.banner("http://"+listener.Addr().String())); err != nil {
		return errors.Join(fmt.Errorf("emulator: %w", err), listener.Close())
	}
	return run(ctx, server, listener)
}

// run serves until ctx ends or the listener breaks.
func run(ctx context.Context, server *http.Server, listener net.Listener) error {
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return fmt.Errorf("emulator: %w", err)
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownGrace)
	defer cancel()
	err := server.Shutdown(grace)
	if errors.Is(err, context.DeadlineExceeded) {
		err = server.Close()
	}
	<-failed // it has ended: http.ErrServerClosed
	if err != nil {
		return fmt.Errorf("emulator: %w", err)
	}
	return nil
}

// checkAddress refuses addresses that others can reach.
func checkAddress(addr string, allowRemote bool) error {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("emulator: %w", err)
	}
	ip := net.ParseIP(host)
	if allowRemote || host == "localhost" || (ip != nil && ip.IsLoopback()) {
		return nil
	}
	return fmt.Errorf("emulator: %q is not a loopback address: its credentials are public, "+
		"so that has to be allowed with -emulator-allow-remote", addr)
}
