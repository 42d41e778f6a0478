// Package console is the command emulator: the emulator, a page that shows it, and control paths for
// tests and scripts. The rules of the service are in package emulator; this package shows the world, injects faults and
// plays events.
package console

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"
	"unicode"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
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
	if err := c.checkFiles(); err != nil { // not only at the end
		return cannotStart(err)
	}
	listener, err := c.listen(ctx)
	if listener == nil || err != nil {
		return err
	}
	d, err := c.newDesk(ctx, stderr)
	if err != nil {
		return errors.Join(cannotStart(err), listener.Close())
	}
	defer d.stopGuests()
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
	content := []byte(endpoint + "\n")
	if err := worldfile.Write(name, content); err != nil {
		return nil, err
	}
	return func() {
		if present, err := worldfile.Read(name); err == nil && bytes.Equal(present, content) { // it may be another emulator's by now
			_ = os.Remove(name)
		}
	}, nil
}

// checkFiles returns an error if a file that would be written exists and is not one of the emulator's.
func (c *Command) checkFiles() error {
	if c.ReadyFile != "" {
		if err := worldfile.CheckReplaceable(c.ReadyFile, "the endpoint of an emulator", isEndpoint); err != nil {
			return fmt.Errorf("--ready-file: %w", err)
		}
	}
	return checkDump(c.Dump)
}

// checkDump returns an error if the world must not be written to a file. If name is "" none is written.
func checkDump(name string) error {
	if name == "" {
		return nil
	}
	if err := worldfile.CheckReplaceable(name, "a world of the emulator", emulator.IsWorld); err != nil {
		return fmt.Errorf("--dump: %w", err)
	}
	return nil
}

// isEndpoint reports whether a file has an endpoint and nothing else.
func isEndpoint(content []byte) bool {
	text := strings.TrimSuffix(string(content), "\n")
	return strings.HasPrefix(text, "http://") && !strings.ContainsFunc(text, unicode.IsSpace)
}
