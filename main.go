// SPDX-License-Identifier: MPL-2.0

// Terraform-provider-cloudserver is a Terraform and OpenTofu provider for virtual machines, an emulator of the service
// that it manages, and tools beside it. Terraform starts it without arguments. By hand it has commands:
//
//	terraform-provider-cloudserver emulator     serves the service's API until it is interrupted
//	terraform-provider-cloudserver adopt        writes a configuration for what exists
//	terraform-provider-cloudserver check        checks whether a service is the one that the provider needs
//	terraform-provider-cloudserver login        opens a session for the provider's token_file
//	terraform-provider-cloudserver invoke       runs an action of the provider without Terraform
//	terraform-provider-cloudserver version      prints the version and the commit
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"

	framework "github.com/hashicorp/terraform-plugin-framework/provider"
	"golang.org/x/term"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cmd"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator/worldfile"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
)

// address is the provider's name in the registry; a debugger's TF_REATTACH_PROVIDERS names it too.
const address = "registry.terraform.io/cloudserver/cloudserver"

// ownEmulator serves endpoints such as emulator:world.json.
var ownEmulator = provider.Emulator{Open: worldfile.Serve, Account: worldfile.Account}

func factory(options ...provider.Option) func() framework.Provider {
	return provider.New(version, append(options, provider.WithEmulator(ownEmulator))...)
}

func main() {
	streams := cmd.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Ask: cmd.AskAt(os.Stdin, os.Stderr)}
	err := run(context.Background(), os.Args[1:], streams)
	if err == nil {
		return
	}
	if text := err.Error(); text != "" {
		_, _ = fmt.Fprintf(os.Stderr, "%s: %s\n", cmd.Program, text)
	}
	os.Exit(cmd.ExitStatus(err))
}

// run does what the arguments request, until it is done or interrupted. Without arguments it serves Terraform, and does
// not even build the tree of the commands.
func run(ctx context.Context, args []string, streams cmd.Streams) error {
	log.SetOutput(io.Discard) // Go's HTTP client logs odd answers and, with GODEBUG=http2debug, headers with the token
	if len(args) == 0 && byHand() {
		_, err := io.WriteString(streams.Out, introduction+"All commands: terraform-provider-cloudserver --help\n")
		return err
	}
	if len(args) == 0 {
		return provider.Serve(factory(), address, false)
	}
	return execute(ctx, args, streams)
}

// byHand reports whether a person started the program on a terminal, as opposed to Terraform.
func byHand() bool {
	return term.IsTerminal(int(os.Stdin.Fd())) && os.Getenv("TF_PLUGIN_MAGIC_COOKIE") == ""
}
