package console

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"syscall"
	"time"

	"golang.org/x/net/netutil"
)

// Limits of the server.
const (
	shutdownGrace  = 3 * time.Second // for requests in progress at the end
	headerTime     = 10 * time.Second
	readTime       = 30 * time.Second
	idleTime       = 2 * time.Minute
	maxHeader      = 64 << 10
	maxConnections = 1000
)

// listen opens the address. It returns nil if ctx has ended.
func (c *Command) listen(ctx context.Context) (net.Listener, error) {
	if err := c.checkAddress(); err != nil {
		return nil, cannotStart(err)
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", c.Address)
	switch {
	case ctx.Err() != nil:
		if listener != nil {
			return nil, listener.Close()
		}
		return nil, nil
	case errors.Is(err, syscall.EADDRINUSE):
		host, _, _ := net.SplitHostPort(c.Address) // checkAddress has validated it
		return nil, cannotStart(fmt.Errorf("%s is in use: choose another port, or any free one with %s", c.Address, net.JoinHostPort(host, "0")))
	case err != nil:
		return nil, cannotStart(err)
	}
	return netutil.LimitListener(listener, maxConnections), nil
}

// checkAddress refuses an address that other machines can reach, unless the flag allows it.
func (c *Command) checkAddress() error {
	host, _, err := net.SplitHostPort(c.Address)
	if err != nil {
		return fmt.Errorf("%q is not a host and a port, such as 127.0.0.1:8787: %w", c.Address, err)
	}
	if c.remote.allowed() || isLoopback(host) {
		return nil
	}
	return fmt.Errorf("%q is not a loopback address: anybody who reaches the emulator controls it, "+
		"so allow this with --allow-remote", c.Address)
}

// server returns the server for the emulator, its page and its control paths.
func (d *desk) server(ctx context.Context, stderr io.Writer) *http.Server {
	mux := http.NewServeMux()
	control := d.local(d.withWorldAlone(d.control()))
	mux.Handle("GET /{$}", d.local(d.withWorldAlone(http.HandlerFunc(d.root))))
	mux.Handle("/_emulator", control)
	mux.Handle("/_emulator/", control)
	return &http.Server{
		Handler: d.guard(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			// A mux redirects paths that are not clean: the service's own paths must not pass through it.
			if _, pattern := mux.Handler(r); pattern != "" && isConsolePath(r.URL.Path) {
				mux.ServeHTTP(w, r)
				return
			}
			r.Body = &patientBody{r.Body, http.NewResponseController(w)}
			d.emulator.ServeHTTP(w, r)
		})),
		ReadHeaderTimeout: headerTime,
		ReadTimeout:       readTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    maxHeader,
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ErrorLog:          log.New(stderr, "emulator: ", 0),
	}
}

// patientBody removes the read deadline at the end of the body. Otherwise net/http would also end an answer that takes
// longer.
type patientBody struct {
	io.ReadCloser
	connection *http.ResponseController
}

// Read implements io.Reader.
func (b *patientBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		// A recorder has no connection.
		_ = b.connection.SetReadDeadline(time.Time{})
	}
	return n, err
}

// serve serves until ctx ends or the listener fails.
func serve(ctx context.Context, server *http.Server, listener net.Listener) error {
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownGrace)
	defer cancel()
	err := server.Shutdown(grace)
	if errors.Is(err, context.DeadlineExceeded) {
		err = server.Close()
	}
	<-ended // http.ErrServerClosed
	return err
}
