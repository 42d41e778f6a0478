// SPDX-License-Identifier: MPL-2.0

package main

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// configs has the configuration of each subject. Each has var.n resources; var.first is the name of the first one, so
// that a single change can be made.
//
//go:embed configs/*.tf
var configs embed.FS

// step is one command of the CLI.
type step struct {
	name string
	args []string
	exit int // expected exit status; with -detailed-exitcode, 2 is a plan that is not empty
}

// steps take n resources through their life, in this order.
var steps = []step{
	{name: "first plan", args: []string{"plan", "-detailed-exitcode"}, exit: 2},
	{name: "apply", args: []string{"apply", "-auto-approve"}},
	{name: "empty plan", args: []string{"plan", "-detailed-exitcode"}},
	{name: "rename one", args: []string{"apply", "-auto-approve", "-var=first=renamed"}},
	{name: "destroy", args: []string{"destroy", "-auto-approve", "-var=first=renamed"}},
}

// bench measures subjects with one CLI.
type bench struct {
	cli      string
	dir      string
	rounds   int
	password bool
	subjects []subject
	states   *states
}

// figures are what one step took.
type figures struct {
	wall     time.Duration
	cpu      time.Duration // of the CLI and the provider together
	requests int           // to the service
	state    int           // size of the state afterwards, in bytes
}

// result has what was measured for one count of machines.
type result struct {
	n       int
	backend bool                 // the state is in a backend instead of a file
	rounds  map[string][]figures // by subject and step, see key
}

func key(s subject, st step) string { return s.name + " " + st.name }

// measure runs all subjects through all steps, step by step in turns: what slows the machine down for a while slows all.
// Each round begins with another subject.
func (b *bench) measure(ctx context.Context, n int, backend bool) (result, error) {
	r := result{n: n, backend: backend, rounds: map[string][]figures{}}
	for round := range b.rounds {
		lives, err := b.begin(ctx, n, backend, round)
		if err != nil {
			return r, err
		}
		for _, st := range steps {
			for turn := range lives {
				life := lives[(round+turn)%len(lives)]
				took, err := life.run(ctx, st)
				if err != nil {
					return r, fmt.Errorf("%s, %d machines, %s: %w", life.subject.name, n, st.name, err)
				}
				r.rounds[key(life.subject, st)] = append(r.rounds[key(life.subject, st)], took)
				fmt.Fprintf(os.Stderr, "%d machines, %s, round %d: %-10s %-6s %7.2f s, CPU %7.2f s, %5d requests, state %d bytes\n",
					n, where(backend), round+1, st.name, life.subject.name, took.wall.Seconds(), took.cpu.Seconds(), took.requests, took.state)
			}
		}
		for _, life := range lives {
			life.server.Close()
		}
	}
	return r, nil
}

func where(backend bool) string {
	if backend {
		return "backend"
	}
	return "file"
}

// life is the working directory of one subject in one round, with a service of its own.
type life struct {
	*bench
	subject subject
	dir     string
	backend bool
	service *service
	server  *httptest.Server
	env     []string
}

// begin prepares a working directory for each subject.
func (b *bench) begin(ctx context.Context, n int, backend bool, round int) ([]*life, error) {
	var lives []*life
	for _, s := range b.subjects {
		l := &life{bench: b, subject: s, backend: backend, service: newService()}
		l.dir = filepath.Join(b.dir, fmt.Sprintf("%s-%d-%s-%d", s.name, n, where(backend), round))
		l.server = httptest.NewServer(l.service)
		l.env = append(environment(), l.service.env(l.server.URL)...)
		l.env = append(l.env, "TF_CLI_CONFIG_FILE="+s.cliConfig, fmt.Sprintf("TF_VAR_n=%d", n), "TF_HTTP_ADDRESS="+b.states.url(l.dir))
		if b.password {
			l.env = append(l.env, "TF_VAR_root_password=only-for-the-emulator")
		}
		if err := l.prepare(ctx); err != nil {
			return nil, err
		}
		lives = append(lives, l)
	}
	return lives, nil
}

// prepare writes the configuration. A backend is set up before that: init cannot install a provider that is only here.
func (l *life) prepare(ctx context.Context) error {
	if err := os.MkdirAll(l.dir, 0o700); err != nil {
		return err
	}
	if l.backend {
		if err := os.WriteFile(filepath.Join(l.dir, "backend.tf"), []byte("terraform {\n  backend \"http\" {}\n}\n"), 0o600); err != nil {
			return err
		}
		if _, err := l.run(ctx, step{name: "init", args: []string{"init"}}); err != nil {
			return err
		}
	}
	config, err := configs.ReadFile("configs/" + l.subject.config)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(l.dir, "main.tf"), config, 0o600)
}

// run runs one step and measures it.
func (l *life) run(ctx context.Context, st step) (figures, error) {
	command := exec.CommandContext(ctx, l.cli, append([]string{st.args[0], "-no-color", "-input=false"}, st.args[1:]...)...)
	command.Dir, command.Env = l.dir, l.env
	var output bytes.Buffer
	command.Stdout, command.Stderr = &output, &output
	before, began := l.service.requests.Load(), time.Now()
	err := command.Run()
	took := figures{wall: time.Since(began), requests: int(l.service.requests.Load() - before)}
	if command.ProcessState == nil {
		return took, err
	}
	took.cpu = command.ProcessState.UserTime() + command.ProcessState.SystemTime() // the CLI waits for the provider
	took.state = l.stateSize()
	if status := command.ProcessState.ExitCode(); status != st.exit {
		return took, fmt.Errorf("exit status %d, want %d\n%s", status, st.exit, tail(output.String()))
	}
	return took, nil
}

// stateSize returns the size of the state in bytes, or 0 if there is none.
func (l *life) stateSize() int {
	if l.backend {
		return l.states.size(l.dir)
	}
	file, err := os.Stat(filepath.Join(l.dir, "terraform.tfstate"))
	if err != nil {
		return 0
	}
	return int(file.Size())
}

// environment returns the environment without a developer's own Terraform settings.
func environment() []string {
	var env []string
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "TF_") && !strings.HasPrefix(variable, "CLOUDSERVER_") {
			env = append(env, variable)
		}
	}
	return append(env, "CHECKPOINT_DISABLE=1", "TF_IN_AUTOMATION=1")
}

// version returns the first line of the CLI's version.
func (b *bench) version(ctx context.Context) (string, error) {
	command := exec.CommandContext(ctx, b.cli, "version")
	command.Env = environment()
	output, err := command.Output()
	line, _, _ := strings.Cut(string(output), "\n")
	return line, err
}

// tail returns the end of a text, where the errors are.
func tail(text string) string {
	const enough = 4000
	return text[max(0, len(text)-enough):]
}
