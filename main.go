// Terraform-provider-cloudserver is a Terraform and OpenTofu provider for virtual machines, an emulator of the service
// that it manages, and tools beside it. Terraform starts it without arguments. By hand it has commands:
//
//	terraform-provider-cloudserver emulator     serves the service's API until it is interrupted
//	terraform-provider-cloudserver adopt        writes a configuration for what exists
//	terraform-provider-cloudserver imports      writes import blocks for what a plan would create and what exists
//	terraform-provider-cloudserver forget       writes removed blocks for what is no longer in the configuration
//	terraform-provider-cloudserver check        checks whether a service is the one that the provider needs
//	terraform-provider-cloudserver login        opens a session for the provider's token_file
//	terraform-provider-cloudserver invoke       runs an action of the provider without Terraform
//	terraform-provider-cloudserver version      prints the version
package main

import (
	"context"
	"io"
	"log"
	"os"

	framework "github.com/hashicorp/terraform-plugin-framework/provider"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/command"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator/worldfile"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
)

// address is the provider's name in the registry; a debugger's TF_REATTACH_PROVIDERS names it too.
const address = "registry.terraform.io/cloudserver/cloudserver"

// version is set by the linker in releases.
var version = "dev"

// ownEmulator serves endpoints such as emulator:world.json.
var ownEmulator = provider.Emulator{Open: worldfile.Serve, Account: worldfile.Account, Domain: worldfile.Domain}

func factory() func() framework.Provider {
	return provider.New(version, provider.WithEmulator(ownEmulator))
}

func main() {
	streams := command.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Ask: command.AskAt(os.Stdin, os.Stderr)}
	if err := run(context.Background(), os.Args[1:], streams); err != nil {
		printError(streams.Err, err)
		os.Exit(exitCode(err))
	}
}

// run does what the arguments request, until it is done or interrupted. Without arguments it serves Terraform, and does
// not even build the tree of the commands.
func run(ctx context.Context, args []string, streams command.Streams) error {
	log.SetOutput(io.Discard) // Go's HTTP client logs bytes of odd answers and, with GODEBUG=http2debug, headers with the token
	if len(args) == 0 && byHand() {
		_, err := io.WriteString(streams.Out, introduction+"All commands: terraform-provider-cloudserver --help\n")
		return err
	}
	if len(args) == 0 {
		return provider.Serve(factory(), address, false)
	}
	root, args := newTree(streams), command.LongForms(args) //nolint:contextcheck // a command gets ctx from ExecuteContext
	if err := command.CheckRepeated(root, args); err != nil {
		return err
	}
	root.SetArgs(args)
	return root.ExecuteContext(ctx)
}
