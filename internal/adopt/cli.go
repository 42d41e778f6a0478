package adopt

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/command"
)

// cli is the user's Terraform or OpenTofu. It runs as it stands: in the current directory, with the environment and the
// standard streams of this process.
type cli struct {
	path     string
	terminal command.Streams
	private  string   // a directory for plans, which contain secrets
	environ  []string // in addition to that of this process
}

// newCLI finds the CLI: the given one, or else terraform or tofu. The caller calls remove whatever happens.
func newCLI(given string, terminal command.Streams) (c *cli, remove func(), err error) {
	c = &cli{terminal: terminal}
	names := []string{"terraform", "tofu"}
	if given != "" {
		names = []string{given}
	}
	for _, name := range names {
		if c.path, err = exec.LookPath(name); err == nil {
			break
		}
	}
	switch {
	case err != nil && given == "":
		return nil, nil, errors.New("there is no terraform and no tofu on PATH: name the CLI with --cli")
	case err != nil:
		return nil, nil, fmt.Errorf("cannot run --cli %s: %w", given, err)
	}
	if c.private, err = os.MkdirTemp("", "cloudserver-plan-"); err != nil { // its mode is 0700
		return nil, nil, err
	}
	return c, func() { _ = os.RemoveAll(c.private) }, nil
}

// name returns the name of the CLI for instructions.
func (c *cli) name() string {
	if found, err := exec.LookPath(filepath.Base(c.path)); err == nil && found == c.path {
		return filepath.Base(c.path)
	}
	return shellQuoted(c.path)
}

// graceful is how long a CLI has to end by itself after this process was interrupted: the same signal may have reached
// it.
const graceful = 2 * time.Second

// run runs the CLI until it ends. If the context is cancelled, it is interrupted. A terminal sends Ctrl-C to both
// processes, and a second interrupt would end the CLI without releasing its lock, so at a terminal nothing is sent. The
// next Ctrl-C kills it, so that this process still removes what it has written.
func (c *cli) run(ctx context.Context, in io.Reader, out io.Writer, arguments ...string) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	process := exec.CommandContext(context.WithoutCancel(ctx), c.path, arguments...)
	process.Stdin, process.Stdout, process.Stderr = in, out, c.terminal.Err
	process.Env = append(os.Environ(), c.environ...)
	if err := process.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- process.Wait() }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	again := make(chan os.Signal, 1)
	signal.Notify(again, os.Interrupt)
	defer signal.Stop(again)
	late := time.After(graceful)
	if c.terminal.Ask != nil {
		late = nil
	}
	for {
		select {
		case err := <-ended:
			return errors.Join(ctx.Err(), err)
		case <-again:
			_ = process.Process.Kill()
		case <-late:
			if process.Process.Signal(os.Interrupt) != nil {
				_ = process.Process.Kill() // Windows has no such signal
			}
		}
	}
}

// output runs the CLI and returns what it prints.
func (c *cli) output(ctx context.Context, arguments ...string) ([]byte, error) {
	var out bytes.Buffer
	err := c.run(ctx, nil, &out, arguments...)
	return out.Bytes(), err
}

// workspace returns the name of the workspace, or "" if the CLI does not tell.
func (c *cli) workspace(ctx context.Context) string {
	name, err := c.output(ctx, "workspace", "show")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(name))
}

// plan makes a plan and returns it, with the error of the CLI if it failed. The plan is nil if the CLI has written none.
func (c *cli) plan(ctx context.Context, arguments []string) (*plan, error) {
	file := filepath.Join(c.private, "plan")
	if err := os.RemoveAll(file); err != nil {
		return nil, err
	}
	var in io.Reader
	if c.terminal.In != nil {
		in = c.terminal.In
	}
	failed := c.run(ctx, in, c.terminal.Out, append([]string{"plan", "-out=" + file}, arguments...)...)
	if exit, ok := errors.AsType[*exec.ExitError](failed); ok && exit.ExitCode() == changesPlanned {
		failed = nil
	}
	if ctx.Err() != nil {
		return nil, errors.New("interrupted")
	}
	if _, err := os.Stat(file); err != nil {
		return nil, cmp.Or(failed, err)
	}
	text, err := c.output(ctx, "show", "-json", file)
	if err != nil {
		return nil, fmt.Errorf("%s show -json: %w", c.name(), err)
	}
	p, err := parsePlan(text)
	return p, errors.Join(failed, err)
}

// changesPlanned is the exit status of a plan with -detailed-exitcode that succeeded and is not empty.
const changesPlanned = 2

// notForPlan are arguments of plan that make another plan than the one that an apply would make, or write it elsewhere.
var notForPlan = []string{"out", "destroy", "refresh-only"}

// checkArguments returns an error if the plan would be another one than that of an apply. The CLI adds those of its
// environment variables.
func checkArguments(arguments []string) error {
	for source, list := range map[string][]string{
		"after --": arguments, "in TF_CLI_ARGS_plan": strings.Fields(os.Getenv("TF_CLI_ARGS_plan")), "in TF_CLI_ARGS": strings.Fields(os.Getenv("TF_CLI_ARGS")),
	} {
		for _, argument := range list {
			name, _, _ := strings.Cut(strings.TrimLeft(argument, "-"), "=")
			if strings.HasPrefix(argument, "-") && slices.Contains(notForPlan, name) && (name != "out" || source == "after --") {
				return fmt.Errorf("%s %s: this command makes a normal plan, and keeps it where nobody else can read it. Leave the argument out", argument, source)
			}
		}
	}
	return nil
}

// shellQuoted quotes text as one word of a shell command, if it needs quotes.
func shellQuoted(text string) string {
	if text != "" && strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=./:,@%+") == "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
