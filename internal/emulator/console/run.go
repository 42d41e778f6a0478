// Package console is the command emulator: the emulator, a page that shows it, and control paths for
// tests and scripts. The rules of the service are in package emulator; this package shows the world, injects faults and
// plays events.
package console

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator/worldfile"
)

// Error is an error with the exit status of the program.
type Error struct {
	error
	code int
}

// ExitCode returns 2 if the emulator could not start, and 1 if it failed later.
func (e *Error) ExitCode() int { return e.code }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.error }

func cannotStart(err error) error { return &Error{fmt.Errorf("emulator: %w", err), 2} }

func failed(err error) error {
	if err == nil {
		return nil
	}
	return &Error{fmt.Errorf("emulator: %w", err), 1}
}

// Run serves the emulator until ctx ends. It prints instructions to stdout, and requests and failures to stderr.
func (c *Command) Run(ctx context.Context, stdout, stderr io.Writer) error {
	if err := c.check(); err != nil {
		return cannotStart(err)
	}
	if c.Healthcheck {
		return failed(healthy(ctx, c.Address))
	}
	listener, err := c.listen(ctx)
	if listener == nil || err != nil {
		return err
	}
	d, err := c.newDesk(ctx, stderr)
	if err != nil {
		return errors.Join(cannotStart(err), listener.Close())
	}
	defer d.close()
	if d.guests, err = c.serveGuests(ctx, d.emulator, stderr); err != nil {
		return errors.Join(cannotStart(err), listener.Close())
	}
	if d.guests != nil && d.shared != nil {
		go d.follow(ctx)
	}
	endpoint := "http://" + listener.Addr().String()
	remove, err := writeReady(c.ReadyFile, endpoint)
	if err != nil {
		return errors.Join(cannotStart(err), listener.Close())
	}
	defer remove()
	if !c.Quiet {
		if _, err := io.WriteString(stdout, d.banner(endpoint)); err != nil {
			return errors.Join(failed(err), listener.Close())
		}
	}
	err = serve(ctx, d.server(ctx, stderr), listener)
	if c.Dump != "" {
		err = errors.Join(err, d.dump(context.WithoutCancel(ctx), c.Dump))
	}
	return failed(err)
}

// healthy returns an error unless an emulator serves at an address.
func healthy(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/definitions", http.NoBody)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }() // only the status matters
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s", address, answer.Status)
	}
	return nil
}

// writeReady writes the endpoint to a file, and returns a function that removes it. If name is "" nothing is written.
func writeReady(name, endpoint string) (remove func(), err error) {
	if name == "" {
		return func() {}, nil
	}
	if err := worldfile.Write(name, []byte(endpoint+"\n")); err != nil {
		return nil, err
	}
	// The file may have been removed already.
	return func() { _ = os.Remove(name) }, nil
}
