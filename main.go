// Terraform-provider-cloudserver is a Terraform and OpenTofu provider for virtual machines, an emulator of the service
// that it manages, and three tools beside it. Terraform starts it without arguments. By hand:
//
//	terraform-provider-cloudserver -emulator 127.0.0.1:8787
//	terraform-provider-cloudserver -login -token-file ~/.cloudserver-token
//	terraform-provider-cloudserver -check
//	terraform-provider-cloudserver -adopt estate
//
// The first serves the service's API until it is interrupted, the second opens a session for the provider's token_file,
// the third checks whether a service is the one that the provider needs, and the fourth writes a configuration for what
// exists.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/adopt"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/check"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator/console"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator/embedded"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/login"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
)

// address is the provider's name in the registry; a debugger's TF_REATTACH_PROVIDERS names it too.
const address = "registry.terraform.io/cloudserver/cloudserver"

// version is set by the linker in releases.
var version = "dev"

// ownEmulator serves endpoints such as emulator:world.json.
var ownEmulator = provider.Emulator{Open: embedded.Serve, Account: embedded.Account, Domain: embedded.Domain}

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout, os.Stderr); err != nil {
		if err.Error() != "" {
			fmt.Fprintln(os.Stderr, "terraform-provider-cloudserver:", err)
		}
		os.Exit(exitCode(err))
	}
}

// run does what the arguments request, until it is done or interrupted.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("terraform-provider-cloudserver", flag.ContinueOnError)
	flags.SetOutput(stderr)
	debug := flags.Bool("debug", false, "serve the provider for a debugger and print TF_REATTACH_PROVIDERS")
	showVersion := flags.Bool("version", false, "print the version and exit")
	modes := owners{flags: flags, mode: map[string]string{"debug": "", "version": ""}}
	server := console.Register(flags)
	modes.own("emulator")
	checker := check.Register(flags)
	modes.own("check")
	signIn := login.Register(flags)
	modes.own("login")
	adopter := adopt.Register(flags)
	modes.own("adopt")
	flags.Usage = func() { console.PrintUsage(stderr, flags) }
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return nil
	} else if err != nil {
		return usageError{err}
	}
	if err := adopter.TakeDirectory(flags); err != nil {
		return usageError{err}
	}
	if flags.NArg() > 0 {
		return usageError{fmt.Errorf("unexpected argument %q", flags.Arg(0))}
	}
	if err := server.Misused(flags); err != nil {
		return err
	}
	if err := modes.misused(); err != nil {
		return usageError{err}
	}

	if server.Address == "" {
		log.SetOutput(io.Discard) // Go's HTTP client logs bytes of odd answers and, with GODEBUG=http2debug, headers with the token
	}
	factory := provider.New(version, provider.WithEmulator(ownEmulator))
	switch {
	case *showVersion:
		_, err := fmt.Fprintln(stdout, version)
		return err
	case len(args) == 0 && byHand():
		_, err := io.WriteString(stdout, console.Introduction)
		return err
	case server.Address == "" && !checker.Enabled && !signIn.Wanted && !adopter.Wanted:
		return provider.Serve(factory, address, *debug)
	}
	// Only here, because Terraform handles the signals of the provider's process, and stops the work.
	ctx, stop := signal.NotifyContext(ctx, endings()...)
	defer stop()
	switch {
	case signIn.Wanted:
		return signIn.Run(ctx, version, os.Stdin, stdout, stderr)
	case adopter.Wanted:
		return adopter.Run(ctx, factory, version, adopt.Terminal{In: os.Stdin, Out: stdout, Err: stderr})
	case checker.Enabled:
		return checker.Run(ctx, func() (cloudserver.Config, string, string, error) { return provider.Environment(version, ownEmulator) }, stdout)
	}
	return server.Run(ctx, stdout, stderr)
}
