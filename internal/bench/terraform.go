package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// timing is what one command used.
type timing struct {
	wall     time.Duration
	cpu      time.Duration // of the CLI and its providers
	provider usage
	requests int
	state    int64 // size of the state file afterwards, in bytes
}

// run runs one step in a working directory and measures it.
func (b *bench) run(ctx context.Context, dir string, s step, env []string) (timing, error) {
	usageDir, err := os.MkdirTemp(b.dir, "usage-")
	if err != nil {
		return timing{}, err
	}
	args := append([]string{"-chdir=" + dir, s.args[0], "-no-color", "-input=false"}, s.args[1:]...)
	command := exec.CommandContext(ctx, b.cli, args...)
	command.Env = append(b.env(), append(env, "BENCH_USAGE="+usageDir)...)
	var output bytes.Buffer
	command.Stdout, command.Stderr = &output, &output
	began := time.Now()
	err = command.Run()
	took := timing{wall: time.Since(began)}
	if state := command.ProcessState; state != nil {
		took.cpu = state.UserTime() + state.SystemTime() // including providers: the CLI waits for them
	}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == s.exit {
		err = nil
	} else if err == nil && s.exit != 0 {
		err = errors.New("the plan is empty")
	}
	if err != nil {
		return timing{}, fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, tail(output.String()))
	}
	if file, err := os.Stat(filepath.Join(dir, "terraform.tfstate")); err == nil {
		took.state = file.Size()
	}
	took.provider, err = readUsage(usageDir)
	return took, err
}

// env returns the environment without a developer's own Terraform settings.
func (b *bench) env() []string {
	var env []string
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "TF_") && !strings.HasPrefix(variable, "CLOUDSERVER_") {
			env = append(env, variable)
		}
	}
	return append(env, "TF_CLI_CONFIG_FILE="+b.cliConfig, "CHECKPOINT_DISABLE=1", "TF_IN_AUTOMATION=1")
}

// version returns the first line of the CLI's version.
func (b *bench) version(ctx context.Context) (string, error) {
	command := exec.CommandContext(ctx, b.cli, "version")
	command.Env = b.env()
	output, err := command.Output()
	line, _, _ := strings.Cut(string(output), "\n")
	return line, err
}

// tail returns the end of a text, where the errors are.
func tail(text string) string {
	const enough = 4000
	return text[max(0, len(text)-enough):]
}
