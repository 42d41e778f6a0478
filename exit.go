package main

import (
	"errors"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/term"
)

// usageError is a mistake in the arguments.
type usageError struct{ error }

// ExitCode returns 2, as is usual for mistakes in the arguments.
func (usageError) ExitCode() int { return 2 }

// exitCode returns the exit status that an error asks for, 1 by default.
func exitCode(err error) int {
	if coded, ok := errors.AsType[interface {
		error
		ExitCode() int
	}](err); ok {
		return coded.ExitCode()
	}
	return 1
}

// byHand reports whether a person started the program on a terminal, and not Terraform.
func byHand() bool {
	return term.IsTerminal(int(os.Stdin.Fd())) && os.Getenv("TF_PLUGIN_MAGIC_COOKIE") == ""
}

// endings are the signals that end a program which was started by hand, after it has cleaned up. That of a terminal that is
// closed is not among them where somebody has arranged that it is ignored, as nohup does.
func endings() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}
