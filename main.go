// Terraform-provider-cloudserver is a Terraform and OpenTofu provider for virtual machines and, in the same binary, an
// emulator of the service that it manages.
//
// Terraform starts it without arguments. By hand:
//
//	terraform-provider-cloudserver -emulator 127.0.0.1:8787
//
// serves the service's API from memory until it is interrupted, and prints how to point the provider at it.
//
//	terraform-provider-cloudserver -login -token-file ~/.cloudserver-token
//
// opens a session, with the code of a second factor if need be, and writes it to a file for the provider's token_file.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/login"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
)

// address is the provider's name in the registry; a debugger's TF_REATTACH_PROVIDERS names it too.
const address = "registry.terraform.io/cloudserver/cloudserver"

// version is set by the linker in releases.
var version = "dev"

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "terraform-provider-cloudserver:", err)
		os.Exit(1)
	}
}

// run does what the arguments say, until it is done or interrupted.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("terraform-provider-cloudserver", flag.ContinueOnError)
	flags.SetOutput(stderr)
	debug := flags.Bool("debug", false, "serve the provider for a debugger and print TF_REATTACH_PROVIDERS")
	showVersion := flags.Bool("version", false, "print the version and exit")
	listen := flags.String("emulator", "", "serve the emulator on this `address`, such as 127.0.0.1:8787; port 0 is any free one")
	signIn := login.Register(flags)
	var options emulator.ServeOptions
	flags.DurationVar(&options.BootTime, "boot-time", 3*time.Second, "emulator: how long a machine takes to boot or to be reimaged")
	flags.DurationVar(&options.Latency, "latency", 0, "emulator: added to every answer")
	flags.StringVar(&options.Vendor, "vendor", "example", "emulator: the vendor in media types")
	flags.BoolVar(&options.AllowRemote, "emulator-allow-remote", false, "emulator: accept an address that is not loopback")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return nil
	} else if err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}

	switch {
	case *showVersion:
		_, err := fmt.Fprintln(stdout, version)
		return err
	case signIn.Wanted:
		ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
		defer stop()
		return signIn.Run(ctx, version, os.Stdin, stdout, stderr)
	case *listen != "":
		// Only here: an interrupt reaches the provider's process as well, and there it is Terraform that stops the work.
		ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
		defer stop()
		options.Log = stderr
		return emulator.Serve(ctx, *listen, options, stdout, stderr)
	default:
		return provider.Serve(provider.New(version), address, *debug)
	}
}
