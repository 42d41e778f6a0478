// Package server is the command emulator: the service over HTTP, a page that shows it, control paths for tests and
// scripts, and guests that answer probes.
package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"strings"
	"syscall"
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
	port    uint // of guests; 0: none
	remote  remote
}

// Register defines the emulator's flags and returns the command that they configure.
func Register(flags *pflag.FlagSet) *Command {
	c := &Command{Address: DefaultAddress}
	o := &c.options
	flags.StringVar(&c.seed, "seed", "", "start with the world in this `file`")
	flags.StringVar(&c.state, "state", "",
		"keep the world in this `file`, on which other emulators and providers may work at the same time")
	flags.DurationVar(&o.BootTime, "boot-time", worldfile.BootTime,
		"how long a boot, a reimage, and a backup or a move of a disc take")
	flags.DurationVar(&o.Latency, "latency", 0, "added to every answer")
	flags.Func("fault", "inject a `fault`, such as 'POST */vm_create 503 times=2'; repeatable", c.addFault)
	flags.IntVar(&o.RateLimit, "rate-limit", 0, "answer 429 beyond this `number` of requests per second")
	flags.UintVar(&c.port, "guest-port", 0,
		"let machines that are on answer over TCP and HTTP on this `port` of addresses in "+emulator.GuestIPv4)
	flags.BoolFunc("allow-remote",
		"accept addresses and hosts that are not loopback: all, or with =HOST,… only these hosts", c.remote.set)
	return c
}

// addFault parses one --fault.
func (c *Command) addFault(written string) error {
	fault, err := emulator.ParseFault(written)
	c.options.Faults = append(c.options.Faults, fault)
	return err
}

// Error is an error with the exit status of the program.
type Error struct {
	error
	code int
}

// ExitCode returns 2 if the emulator could not start, and 1 if it failed later.
func (e *Error) ExitCode() int { return e.code }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.error }

// Run serves the emulator until ctx ends. It prints instructions to stdout, and requests and failures to stderr.
func (c *Command) Run(ctx context.Context, stdout, stderr io.Writer) error {
	listener, err := c.listen(ctx)
	if ctx.Err() != nil {
		if listener != nil {
			_ = listener.Close() // nobody has used it
		}
		return nil
	}
	if err != nil {
		return &Error{fmt.Errorf("emulator: %w", err), 2}
	}
	s, err := c.newServer(ctx, stderr)
	if err != nil {
		return &Error{fmt.Errorf("emulator: %w", errors.Join(err, listener.Close())), 2}
	}
	defer s.close()
	err = s.announce(stdout, "http://"+listener.Addr().String())
	if err == nil {
		err = serve(ctx, s.http(ctx, stderr), listener)
	}
	if err != nil {
		return &Error{fmt.Errorf("emulator: %w", err), 1}
	}
	return nil
}

// listen checks the flags and opens the address, which other machines can reach only if the flag allows it.
func (c *Command) listen(ctx context.Context) (net.Listener, error) {
	if min(c.options.BootTime, c.options.Latency, time.Duration(c.options.RateLimit)) < 0 {
		return nil, errors.New("--boot-time, --latency and --rate-limit must not be negative")
	}
	if c.port > math.MaxUint16 {
		return nil, fmt.Errorf("--guest-port %d is not a port", c.port)
	}
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

// announce prints what the world contains and how to use it.
func (s *server) announce(stdout io.Writer, endpoint string) error {
	var world struct {
		Users []struct {
			Name, Password string
			SecondFactor   bool `json:"second_factor"`
		}
		APIKeys  []struct{ Key string } `json:"api_keys"`
		Accounts []struct {
			Name   string
			Groups []struct{ Name string }
		}
	}
	if err := json.Unmarshal(s.emulator.Dump(), &world); err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "The emulator is listening on %s\n", endpoint)
	fmt.Fprint(&b, "Open that address in a browser to watch it. Press Ctrl-C to stop it.\n\n")
	for _, account := range world.Accounts {
		var groups []string
		for _, group := range account.Groups {
			groups = append(groups, group.Name)
		}
		fmt.Fprintf(&b, "  account %s, groups: %s\n", account.Name, strings.Join(groups, ", "))
	}
	for _, user := range world.Users {
		note := ""
		if user.SecondFactor {
			note = ", and any code of six to eight digits, each once"
		}
		fmt.Fprintf(&b, "  user %s, password %s%s\n", user.Name, user.Password, note)
	}
	for _, key := range world.APIKeys {
		fmt.Fprintf(&b, "  API key %s\n", key.Key)
	}
	if s.guests != nil {
		fmt.Fprintf(&b, "  new machines answer over TCP and HTTP on port %d of %s\n", s.guests.Port(), emulator.GuestIPv4)
	}
	fmt.Fprintf(&b, "\nTo use it, paste this into another terminal:\n\nexport CLOUDSERVER_ENDPOINT=%s\n", endpoint)
	if len(world.APIKeys) > 0 {
		fmt.Fprintf(&b, "export CLOUDSERVER_TOKEN=%s\n", world.APIKeys[0].Key)
	}
	if len(world.Accounts) > 0 {
		fmt.Fprintf(&b, "export CLOUDSERVER_ACCOUNT=%s\n", world.Accounts[0].Name)
		if groups := world.Accounts[0].Groups; len(groups) > 0 {
			fmt.Fprintf(&b, "export CLOUDSERVER_GROUP=%s\n", groups[0].Name)
		}
	}
	_, err := io.WriteString(stdout, b.String())
	return err
}
