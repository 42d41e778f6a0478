// SPDX-License-Identifier: MPL-2.0

// Command bench measures what Terraform takes with this provider over many machines, beside a floor: as many
// terraform_data, which are what the CLI takes by itself. With -beside it measures a second build of the provider in
// the same run, in turns. `make bench` writes the table into BENCHMARKS.md.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
)

// options are the flags.
type options struct {
	cli      string
	root     string // of the repository
	beside   string // another build of the provider, or ""
	out      string // the page that gets the table, or ""
	rounds   int
	password bool
	sizes    []int
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	o, err := parse()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // what is left is in the temporary folder
	subjects, err := build(ctx, o, dir)
	if err != nil {
		return err
	}
	b := &bench{cli: o.cli, dir: dir, rounds: o.rounds, password: o.password, subjects: subjects, states: serveStates()}
	defer b.states.close()
	var measured []result
	for _, n := range o.sizes {
		for _, backend := range []bool{false, true} {
			r, err := b.measure(ctx, n, backend)
			if err != nil {
				return err
			}
			measured = append(measured, r)
		}
	}
	version, err := b.version(ctx)
	if err != nil {
		return err
	}
	table := report(version, subjects, measured)
	fmt.Print(table)
	if o.out == "" {
		return nil
	}
	return writePage(o.out, table)
}

func parse() (options, error) {
	var o options
	flag.StringVar(&o.cli, "cli", "terraform", "`path` of Terraform or OpenTofu")
	flag.StringVar(&o.root, "root", ".", "root `folder` of the repository")
	flag.StringVar(&o.beside, "beside", "", "`path` of another build of the provider, which is measured in turns with this one")
	flag.StringVar(&o.out, "out", "", "`page` that gets the table, below its last heading")
	flag.IntVar(&o.rounds, "rounds", 5, "rounds, of which the table has the medians")
	flag.BoolVar(&o.password, "password", false, "give each machine a root_password, which is a write-only attribute")
	sizes := flag.String("n", "1,20,1000", "counts of machines")
	flag.Parse()
	for text := range strings.SplitSeq(*sizes, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return o, fmt.Errorf("-n: %q must be a positive number", text)
		}
		o.sizes = append(o.sizes, n)
	}
	if o.rounds < 1 {
		return o, fmt.Errorf("-rounds: %d must be a positive number", o.rounds)
	}
	var err error
	o.cli, err = exec.LookPath(o.cli)
	return o, err
}

// subject is what is measured: a configuration, and the CLI configuration that names the build of the provider for it.
type subject struct {
	name      string // in the table
	config    string // of configs/
	cliConfig string // path
}

// build compiles the provider, and returns the subjects in the order of the table.
func build(ctx context.Context, o options, dir string) ([]subject, error) {
	program := filepath.Join(dir, "built", "terraform-provider-cloudserver")
	command := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", program, ".")
	command.Dir, command.Stderr = o.root, os.Stderr
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if err := command.Run(); err != nil {
		return nil, fmt.Errorf("build the provider: %w", err)
	}
	ours, err := install(program, filepath.Join(dir, "ours"))
	if err != nil {
		return nil, err
	}
	subjects := []subject{
		{name: "floor", config: "floor.tf", cliConfig: ours},
		{name: "ours", config: "ours.tf", cliConfig: ours},
	}
	if o.beside != "" {
		other, err := install(o.beside, filepath.Join(dir, "beside"))
		if err != nil {
			return nil, err
		}
		subjects = append(subjects, subject{name: "beside", config: "ours.tf", cliConfig: other})
	}
	return subjects, nil
}

// install copies a build of the provider into a folder, and returns a configuration with which the CLI uses it without
// `init`. It copies because a file that the linker has mapped into memory starts two milliseconds slower.
func install(program, dir string) (cliConfig string, err error) {
	content, err := os.ReadFile(program)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(dir, "terraform-provider-cloudserver"), content, 0o700); err != nil {
		return "", err
	}
	cliConfig = filepath.Join(dir, "cli.tfrc")
	overrides := fmt.Sprintf("provider_installation {\n  dev_overrides {\n    \"cloudserver/cloudserver\" = %q\n  }\n}\n", dir)
	return cliConfig, os.WriteFile(cliConfig, []byte("disable_checkpoint = true\n"+overrides), 0o600)
}
