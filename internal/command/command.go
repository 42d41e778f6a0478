// Package command has what the commands of the program share: their streams, the exit status of a mistake in the
// arguments, and short messages about flags. What the commands are is in commands.go of the main package.
//
//	ask.go       questions at a terminal
//	command.go   streams and exit statuses
//	progress.go  what a long command is doing
//	flags.go     flags in both of their forms, repeated flags, and mistakes in them
package command

import (
	"context"
	"fmt"
	"io"
	"os"
)

// Program is the name of the program, as messages show it.
const Program = "terraform-provider-cloudserver"

// Streams are the standard streams of a command. Results go to Out, and progress, questions and errors to Err.
type Streams struct {
	In       *os.File
	Out, Err io.Writer
	// Ask returns a person's answer to a question; nil if there is no terminal.
	Ask func(ctx context.Context, question string) (string, error)
}

// UsageError is a mistake in the arguments. Its exit status is 2, as is usual.
type UsageError struct{ text string }

// Misused returns a UsageError.
func Misused(format string, arguments ...any) error {
	return &UsageError{fmt.Sprintf(format, arguments...)}
}

// Error returns the message.
func (e *UsageError) Error() string { return e.text }

// ExitCode returns the exit status.
func (e *UsageError) ExitCode() int { return 2 }

// Failed is the error of a command that has already reported what went wrong. The value is the exit status.
type Failed int

// Error returns "": nothing is left to say.
func (Failed) Error() string { return "" }

// ExitCode returns the exit status.
func (f Failed) ExitCode() int { return int(f) }
