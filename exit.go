package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/term"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/command"
)

// exitCode returns the exit status of an error, by default 1.
func exitCode(err error) int {
	if coded, ok := errors.AsType[interface {
		error
		ExitCode() int
	}](err); ok {
		return coded.ExitCode()
	}
	return 1
}

// printError prints an error without secrets, unless the command has reported it already.
func printError(out io.Writer, err error) {
	if text := err.Error(); text != "" {
		_, _ = fmt.Fprintln(out, command.Program+":", cloudserver.Hide(command.InVariables(text)))
	}
}

// byHand reports whether a person started the program on a terminal, as opposed to Terraform.
func byHand() bool {
	return term.IsTerminal(int(os.Stdin.Fd())) && os.Getenv("TF_PLUGIN_MAGIC_COOKIE") == ""
}

// impatient is the exit status of a program that a second Ctrl-C has ended, as a shell reports it.
const impatient = 130

// endOnInterrupt ends the program at the next Ctrl-C.
func endOnInterrupt() {
	again := make(chan os.Signal, 1)
	signal.Notify(again, os.Interrupt)
	<-again
	os.Exit(impatient)
}

// endings are the signals that end a program started by hand, after it has cleaned up. The signal of a closed terminal
// is not among them if it was ignored when the program started, as with nohup.
func endings() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}
