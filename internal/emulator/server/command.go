// SPDX-License-Identifier: MPL-2.0

// Package server is the command emulator: the service over HTTP, a page that shows it, control paths for tests and
// scripts, and guests that answer probes.
package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"
	"text/template"
	"time"

	"github.com/spf13/pflag"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator/worldfile"
)

// DefaultAddress is the address on which the emulator is served if no other one is given.
const DefaultAddress = "127.0.0.1:8787"

// guestBoot is how long after the power comes a guest answers.
const guestBoot = time.Second

// journalSize is the number of requests that GET /_emulator/requests can show.
const journalSize = 10_000

// Command is the emulator as configured by the flags.
type Command struct {
	Address string // to listen on
	seed    string // file
	state   string // file
	options emulator.Options
	port    uint16 // of guests; 0: none
	remote  remote
}

// Register defines the emulator's flags and returns the command that they configure.
func Register(flags *pflag.FlagSet) *Command {
	c := &Command{Address: DefaultAddress}
	worldfile.AddFlags(flags, &c.options, &c.seed)
	flags.StringVar(&c.state, "state", "",
		"keep the world in this `file`, on which other emulators and providers may work at the same time")
	flags.Uint16Var(&c.port, "guest-port", 0,
		"let machines that are on answer over TCP and HTTP on this `port` of addresses in "+emulator.GuestIPv4)
	flags.BoolFunc("allow-remote",
		"accept addresses and hosts that are not loopback: all, or with =HOST,… only these hosts", c.remote.set)
	return c
}

// StartError is returned if the emulator cannot start.
type StartError struct{ error }

// ExitCode returns the exit status of the program.
func (*StartError) ExitCode() int { return 2 }

// Run serves the emulator until ctx ends. It prints instructions to stdout, and requests and failures to stderr.
func (c *Command) Run(ctx context.Context, stdout, stderr io.Writer) error {
	listener, err := c.listen(ctx)
	if err != nil {
		return &StartError{fmt.Errorf("emulator: %w", err)}
	}
	s, err := c.newServer(ctx, stderr)
	if err != nil {
		return &StartError{fmt.Errorf("emulator: %w", errors.Join(err, listener.Close()))}
	}
	defer s.close()
	if err := s.announce(stdout, "http://"+listener.Addr().String()); err != nil {
		return fmt.Errorf("emulator: %w", err)
	}
	if err := serve(ctx, s.http(ctx, stderr), listener); err != nil {
		return fmt.Errorf("emulator: %w", err)
	}
	return nil
}

// listen opens the address, which other machines can reach only if the flag allows it.
func (c *Command) listen(ctx context.Context) (net.Listener, error) {
	host, _, err := net.SplitHostPort(c.Address)
	if err != nil {
		return nil, fmt.Errorf("%q is not a host and a port, such as 127.0.0.1:8787: %w", c.Address, err)
	}
	if !c.remote.allowed() && !isLoopback(host) {
		return nil, fmt.Errorf("%q is not a loopback address: anybody who reaches the emulator controls it, "+
			"so allow this with --allow-remote", c.Address)
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", c.Address)
	if errors.Is(err, syscall.EADDRINUSE) {
		free := net.JoinHostPort(host, "0")
		return nil, fmt.Errorf("%s is in use: choose another port, or any free one with %s", c.Address, free)
	}
	return listener, err
}

// banner describes what the world contains and how to use it.
var banner = template.Must(template.New("banner").Parse(`The emulator is listening on {{.Endpoint}}
Open that address in a browser to watch it. Press Ctrl-C to stop it.

{{range .World.accounts}}  account {{.name}}, groups:
{{- range $n, $group := .groups}}{{if $n}},{{end}} {{$group.name}}{{end}}
{{end}}
{{- range .World.users}}  user {{.name}}, password {{.password}}
{{- if .second_factor}}, and any code of six to eight digits, each once{{end}}
{{end}}
{{- range .World.api_keys}}  API key {{.key}}
{{end}}
{{- if .Guests}}  new machines answer over TCP and HTTP on port {{.Guests.Port}} of {{.GuestRange}}
{{end}}
To use it, paste this into another terminal:

export CLOUDSERVER_ENDPOINT={{.Endpoint}}
{{with .World.api_keys}}export CLOUDSERVER_TOKEN={{(index . 0).key}}
{{end}}
{{- with .World.accounts}}{{with index . 0}}export CLOUDSERVER_ACCOUNT={{.name}}
{{with .groups}}export CLOUDSERVER_GROUP={{(index . 0).name}}
{{end}}{{end}}{{end}}`))

// announce prints the banner.
func (s *server) announce(stdout io.Writer, endpoint string) error {
	world, err := s.shownWorld()
	if err != nil {
		return err
	}
	var text bytes.Buffer
	err = banner.Execute(&text, map[string]any{
		"Endpoint": endpoint, "World": world, "Guests": s.guests, "GuestRange": emulator.GuestIPv4,
	})
	if err != nil {
		return err
	}
	_, err = stdout.Write(text.Bytes())
	return err
}
