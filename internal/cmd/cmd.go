// SPDX-License-Identifier: MPL-2.0

// Package cmd has what the commands of the program share.
//
//	cmd.go       streams, environment, a context that a signal ends, exit statuses
//	ask.go       questions at a terminal
//	provider.go  the provider, running in this process
package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// Program is the name of the program in messages.
const Program = "terraform-provider-cloudserver"

// Streams are the standard streams of a command. Results go to Out. Questions, progress and problems go to Err.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	// Ask asks the person at the terminal, and returns an error if there is none. A secret answer is not echoed.
	Ask func(ctx context.Context, question string, secret bool) (string, error)
}

// Environment returns the client's configuration and the names of the account and the group, from the CLOUDSERVER_*
// variables.
type Environment func() (config cloudserver.Config, account, group string, err error)

// Run returns the function of a command. Its context ends with the first signal; a second one ends the program at once.
func Run(do func(ctx context.Context, args []string) error) func(*cobra.Command, []string) error {
	return func(command *cobra.Command, args []string) error {
		ctx, stop := signal.NotifyContext(command.Context(), signals()...)
		defer stop()
		context.AfterFunc(ctx, stop)
		return do(ctx, args)
	}
}

// signals returns the signals that end a command. That of a closed terminal is left out if it was ignored when the
// program started, as with nohup.
func signals() []os.Signal {
	all := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		all = append(all, syscall.SIGHUP)
	}
	return all
}

// The exit statuses that mean the same in all commands. Other errors have 1.
const (
	ExitMisused     = 2
	ExitInterrupted = 130 // as a shell reports an interrupted program
)

// ExitError is an error with an exit status.
type ExitError struct {
	Status int
	Text   string // "" if the command has already reported what is wrong
}

// Error returns the text.
func (e *ExitError) Error() string { return e.Text }

// ExitCode returns the exit status.
func (e *ExitError) ExitCode() int { return e.Status }

// Misused returns the error of a mistake in the arguments.
func Misused(format string, arguments ...any) error {
	return &ExitError{ExitMisused, fmt.Sprintf(format, arguments...)}
}

// CheckHome returns an error for a path below ~, which the shell has not expanded. name names it in the message.
func CheckHome(name, path string) error {
	if path != "~" && !strings.HasPrefix(path, "~/") {
		return nil
	}
	return Misused("%s is %q. Only shells expand ~, at the beginning of a word without quotes: write \"$HOME%s\"",
		name, path, path[1:])
}

// ExitStatus returns the exit status of an error: that of its method ExitCode, or else 1.
func ExitStatus(err error) int {
	exit, ok := errors.AsType[interface {
		error
		ExitCode() int
	}](err)
	if !ok {
		return 1
	}
	return exit.ExitCode()
}

// Printable returns text of the service on one line, without what could control a terminal or end a comment.
func Printable(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || !unicode.IsPrint(r) }), " ")
}
