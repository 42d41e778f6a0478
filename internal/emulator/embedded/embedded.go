// Package embedded runs the emulator in the process of a client, for endpoints such as
// emulator:world.json?boot-time=0s. There is no server. Each request works on the world of the file, on which other
// processes may work as well (package worldfile).
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

// Scheme is the prefix of endpoints that this package serves.
const Scheme = "emulator:"

// Account is the name of an account in every world, unless the seed defines others. It has a group "default".
const Account = emulator.DemoAccount

// Domain is the suffix of all machines' hostnames.
const Domain = emulator.ClusterDomain

// defaultFile is the file of the world for an endpoint without one, in the CLI's data directory.
const defaultFile = "cloudserver-emulator.json"

// Service serves the requests of one client. It implements http.RoundTripper.
type Service struct {
	// File is the absolute path of the world.
	File string

	isDefault bool
	command   *console.Command

	mu    sync.Mutex // guards world
	world *worldfile.World
}

// Open returns the service for an endpoint. Nothing is written before the first request.
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
	if s.File, err = filepath.Abs(name); err != nil {
		return nil, err
	}
	return s, s.looksLikeAWorld(name)
}

// looksLikeAWorld returns an error if the file, which the user calls name, cannot be written, or holds something else
// than a world, as far as the first look tells.
func (s *Service) looksLikeAWorld(name string) error {
	if s.isDefault { // its directory is made
		return nil
	}
	directory := filepath.Dir(s.File)
	if strings.HasPrefix(name, "~/") {
		return fmt.Errorf("~ is not expanded: write the whole path, such as emulator:%s", filepath.Join("/home/me", strings.TrimPrefix(name, "~/")))
	}
	if parent, err := os.Stat(directory); err != nil || !parent.IsDir() {
		return fmt.Errorf("there is no directory %s: create it, or name a file in another one", directory)
	}
	found, err := os.Stat(s.File)
	if err != nil { // it is made, or the first request tells why not
		return nil
	}
	if !found.Mode().IsRegular() { // to open a pipe may never end
		return fmt.Errorf("%s is not a regular file: name one, such as emulator:world.json", s.File)
	}
	file, err := os.Open(s.File)
	if err != nil { // the first request tells why
		return nil
	}
	defer func() { _ = file.Close() }() // it was only read
	start := make([]byte, 64)
	n, _ := file.Read(start) // what cannot be read is left to the first request
	if text := strings.TrimSpace(string(start[:n])); text != "" && text[0] != '{' {
		return fmt.Errorf("%s is not a world of the emulator, which is JSON: name another file", s.File)
	}
	return nil
}

// Serve returns the transport for a client with an endpoint, and the file of the world.
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
	if s.isDefault { // with development overrides, no init creates the directory
		if err := os.MkdirAll(filepath.Dir(s.File), 0o777); err != nil {
			return nil, err
		}
	}
	world, err := s.command.Open(s.File)
	s.world = world
	return world, err
}

// RoundTrip has the emulator answer a request. Credentials are neither needed nor checked.
func (s *Service) RoundTrip(r *http.Request) (*http.Response, error) {
	// The calls of the trace match those of a connection: to the client, nothing has been sent before the world is
	// available.
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
