// Package embedded is the emulator in the process of a client: what an endpoint such as emulator:world.json?boot-time=0s stands
// for. There is no server. Each request works on the world of the file, as those of other processes do (package worldfile).
package embedded

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptrace"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator/console"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator/worldfile"
)

// Scheme begins the endpoints that this package serves.
const Scheme = "emulator:"

// Account is the name of an account that a world has unless its seed has others. It has a group "default".
const Account = emulator.DemoAccount

// Domain ends the hostnames of all machines.
const Domain = emulator.ClusterDomain

// defaultFile is the world of an endpoint without a file, in the CLI's data directory.
const defaultFile = "cloudserver-emulator.json"

// Service serves the requests of one client. It implements http.RoundTripper.
type Service struct {
	// File is where the world is, as an absolute path.
	File string

	isDefault bool
	command   *console.Command

	mu    sync.Mutex // guards world
	world *worldfile.World
}

// Open returns the service of an endpoint. It touches no file: the first request does.
func Open(endpoint string) (*Service, error) {
	rest, ok := strings.CutPrefix(endpoint, Scheme)
	if !ok {
		return nil, fmt.Errorf("does not begin with %s", Scheme)
	}
	name, query := rest, ""
	if n := strings.LastIndexByte(rest, '?'); n >= 0 {
		name, query = rest[:n], rest[n+1:]
	}
	if strings.HasPrefix(name, "//") {
		return nil, errors.New("write the file without slashes before it, such as emulator:world.json")
	}
	command, err := console.ParseOptions(query)
	if err != nil {
		return nil, err
	}
	s := &Service{isDefault: name == "", command: command}
	if s.isDefault {
		name = filepath.Join(cmp.Or(os.Getenv("TF_DATA_DIR"), ".terraform"), defaultFile)
	}
	s.File, err = filepath.Abs(name)
	return s, err
}

// Serve returns what answers the requests of a client with an endpoint, and the file of the world.
func Serve(endpoint string) (transport http.RoundTripper, file string, err error) {
	s, err := Open(endpoint)
	if err != nil {
		return nil, "", err
	}
	return s, s.File, nil
}

// open opens the world on first use.
func (s *Service) open() (*worldfile.World, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.world != nil {
		return s.world, nil
	}
	if s.isDefault { // with development overrides there is no init that would make the directory
		if err := os.MkdirAll(filepath.Dir(s.File), 0o777); err != nil {
			return nil, err
		}
	}
	world, err := s.command.Open(s.File)
	s.world = world
	return world, err
}

// RoundTrip lets the emulator answer a request. Credentials are not needed, and none is looked at.
func (s *Service) RoundTrip(r *http.Request) (*http.Response, error) {
	// What follows is like a connection: nothing is sent before the world is there.
	if trace := httptrace.ContextClientTrace(r.Context()); trace != nil && trace.GetConn != nil {
		trace.GetConn(r.URL.Host)
	}
	world, err := s.open()
	if err != nil {
		if r.Body != nil {
			err = errors.Join(err, r.Body.Close())
		}
		return nil, err
	}
	plain := r.Clone(r.Context())
	plain.Header.Del("Authorization")
	return world.Emulator.Transport().RoundTrip(plain)
}
