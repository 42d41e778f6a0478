package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// timing is what one command took.
type timing struct {
	wall     time.Duration
	cpu      time.Duration // of the CLI and its providers
	provider usage
	requests int
}

// run runs one step in a working directory and measures it.
func (b *bench) run(ctx context.Context, dir string, s step, env []string) (timing, error) {
	usageDir, err := os.MkdirTemp(b.dir, "usage-")
	if err != nil {
		return timing{}, err
	}
	args := append([]string{"-chdir=" + dir, s.args[0], "-no-color"}, s.args[1:]...)
	if s.args[0] != "validate" {
		args = append(args, "-input=false")
	}
	command := exec.CommandContext(ctx, b.cli, args...)
	command.Env = append(b.env(), append(env, "BENCH_USAGE="+usageDir)...)
	var output bytes.Buffer
	command.Stdout, command.Stderr = &output, &output
	began := time.Now()
	err = command.Run()
	took := timing{wall: time.Since(began)}
	if state := command.ProcessState; state != nil {
		took.cpu = state.UserTime() + state.SystemTime() // providers, too: the CLI waits for them
	}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == s.exit {
		err = nil
	} else if err == nil && s.exit != 0 {
		err = errors.New("nothing to do")
	}
	if err != nil {
		return timing{}, fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, tail(output.String()))
	}
	took.provider, err = readUsage(usageDir)
	return took, err
}

// env is the environment without a developer's own settings of Terraform.
func (b *bench) env() []string {
	var env []string
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "TF_") && !strings.HasPrefix(variable, "CLOUDSERVER_") {
			env = append(env, variable)
		}
	}
	return append(env, "TF_CLI_CONFIG_FILE="+b.cliConfig, "CHECKPOINT_DISABLE=1", "TF_IN_AUTOMATION=1")
}

// version is the CLI's first line about itself.
func (b *bench) version(ctx context.Context) (string, error) {
	command := exec.CommandContext(ctx, b.cli, "version")
	command.Env = b.env()
	output, err := command.Output()
	line, _, _ := strings.Cut(string(output), "\n")
	return line, err
}

// tail is the end of a text, where the errors are.
func tail(text string) string {
	const enough = 4000
	return text[max(0, len(text)-enough):]
}
