// SPDX-License-Identifier: MPL-2.0

package main

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/adopt"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/check"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/cmd"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator/server"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/invoke"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/login"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
)

// introduction explains what the program is to somebody who starts it at a terminal.
const introduction = `This is a provider for Terraform and OpenTofu: terraform init installs it, and terraform starts it.
It also carries an emulator of its service, to try it without an account:
  terraform-provider-cloudserver emulator
`

// execute runs a command. An error before it has begun is a mistake in the arguments.
func execute(ctx context.Context, args []string, streams cmd.Streams) error {
	root := newTree(streams) //nolint:contextcheck // a command gets its context from ExecuteContext
	begun := false
	root.PersistentPreRun = func(*cobra.Command, []string) { begun = true }
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err != nil && !begun {
		return cmd.Misused("%s", err)
	}
	return err
}

// newTree returns the commands of the program. A command is a function of its package, which gets a context that a
// signal ends, its parsed flags, and the standard streams, and returns an error, which may have an exit status.
func newTree(streams cmd.Streams) *cobra.Command {
	root := &cobra.Command{
		Use: cmd.Program, Long: introduction + "\nTerraform starts it without arguments. By hand, it has these commands.",
		SilenceUsage: true, SilenceErrors: true, Version: version,
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(func(command *cobra.Command, err error) error {
		return fmt.Errorf("%w; %s --help lists the flags", err, command.CommandPath())
	})
	debug := root.Flags().Bool("debug", false, "serve the provider for a debugger and print TF_REATTACH_PROVIDERS")
	root.RunE = func(*cobra.Command, []string) error { return provider.Serve(factory(), address, *debug) }
	root.AddCommand(
		emulatorCommand(streams), adoptCommand(streams), checkCommand(streams),
		loginCommand(streams), invokeCommand(streams), versionCommand(streams),
	)
	root.SetIn(streams.In)
	root.SetOut(streams.Out)
	root.SetErr(streams.Err)
	return root
}

func emulatorCommand(streams cmd.Streams) *cobra.Command {
	command := &cobra.Command{
		Use: "emulator [ADDRESS]", Short: "Serve an emulator of the service until it is interrupted",
		Long: "Serves an emulator of the service on an address, by default " + server.DefaultAddress + ", until it is\n" +
			"interrupted. Port 0 is any free one. What it prints at its start points the provider at it.",
		Example: "  terraform-provider-cloudserver emulator --state world.json", Args: cobra.MaximumNArgs(1),
	}
	emulated := server.Register(command.Flags())
	command.RunE = cmd.Run(func(ctx context.Context, args []string) error {
		log.SetOutput(streams.Err)
		if len(args) > 0 {
			emulated.Address = args[0]
		}
		return emulated.Run(ctx, streams.Out, streams.Err)
	})
	return command
}

func adoptCommand(streams cmd.Streams) *cobra.Command {
	command := &cobra.Command{
		Use: "adopt DIRECTORY", Short: "Write a configuration, with import blocks, for what exists",
		Long: "Writes a configuration, with import blocks, for what the credentials in the environment see, into a\n" +
			"directory that is empty or does not exist. It changes nothing at the service.",
		Example: "  terraform-provider-cloudserver adopt --group 'shop*' estate", Args: oneDirectory,
	}
	adopter := adopt.Register(command.Flags())
	command.RunE = cmd.Run(func(ctx context.Context, args []string) error {
		server, err := newServer()
		if err != nil {
			return err
		}
		return adopter.Run(ctx, args[0], server, environment, version, streams)
	})
	return command
}

// oneDirectory refuses anything but one argument.
func oneDirectory(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return cmd.Misused("adopt needs one directory to write into, such as estate; %d are given", len(args))
	}
	return nil
}

func checkCommand(streams cmd.Streams) *cobra.Command {
	return &cobra.Command{
		Use: "check", Short: "Check that a service is the one that the provider needs",
		Long: "Checks, call by call, that the service which CLOUDSERVER_* in the environment names is the one that the\n" +
			"provider needs. It only reads.\n\n" +
			"The exit status is 0 if the service has what the provider needs, 1 if something is missing, and 2 if the\n" +
			"service cannot be reached, does not permit the calls, or does not have the account or group.",
		Args: cobra.NoArgs,
		RunE: cmd.Run(func(ctx context.Context, _ []string) error {
			return check.Run(ctx, environment, streams.Out)
		}),
	}
}

func loginCommand(streams cmd.Streams) *cobra.Command {
	command := &cobra.Command{
		Use: "login", Short: "Open a session and write it into a token file",
		Long: "Opens a session and writes it to the file that the provider's token_file names. It asks for what\n" +
			"CLOUDSERVER_USERNAME and CLOUDSERVER_PASSWORD do not contain, and for the code of a second factor.",
		Example: "  terraform-provider-cloudserver login --token-file ~/.cloudserver-token", Args: cobra.NoArgs,
	}
	signIn := login.Register(command.Flags())
	command.RunE = cmd.Run(func(ctx context.Context, _ []string) error { return signIn.Run(ctx, version, streams) })
	return command
}

// invokeCommand has a command below it for each action, with a help that is made from the provider's schema.
func invokeCommand(streams cmd.Streams) *cobra.Command {
	command := &cobra.Command{
		Use: "invoke ACTION NAME=VALUE…", Short: "Run an action of the provider without Terraform",
		Long: "Runs an action of the provider as Terraform 1.14 does, with the credentials of the environment. It asks\n" +
			"before data is lost. An argument in a block has the block's name before it, as in timeouts.invoke=30m.\n" +
			"A machine is given by its ID, by group/name, or by account/group/name.",
		Example: "  terraform-provider-cloudserver invoke vm_undelete virtual_machine_id=1234", Args: knownAction,
		SuggestionsMinimumDistance: 2,
		RunE: func(command *cobra.Command, _ []string) error {
			return cmd.Misused("invoke needs an action: %s --help lists them", command.CommandPath())
		},
	}
	yes := command.PersistentFlags().Bool("yes", false, "do not ask before data is lost")
	actions, err := newActions()
	if err != nil {
		command.RunE = func(*cobra.Command, []string) error { return err }
	}
	for _, action := range actions {
		var env map[string]string
		one := &cobra.Command{
			Use: action.Usage(), Aliases: []string{"cloudserver_" + action.Name}, Short: action.Summary(), Long: action.Help(),
			RunE: cmd.Run(func(ctx context.Context, args []string) error {
				return action.Run(ctx, args, invoke.Options{Yes: *yes, Env: env}, streams)
			}),
		}
		if action.TakesSecrets() {
			one.Flags().StringToStringVar(&env, "env", nil,
				"a `secret` from the environment: root_password=VARIABLE or firstboot_script=VARIABLE")
		}
		command.AddCommand(one)
	}
	return command
}

// knownAction returns an error for an action that does not exist, with the ones that were probably meant.
func knownAction(command *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	advice := command.CommandPath() + " --help lists them"
	if meant := command.SuggestionsFor(strings.TrimPrefix(args[0], "cloudserver_")); len(meant) > 0 {
		advice = "Did you mean " + strings.Join(meant, " or ") + "?"
	}
	return fmt.Errorf("there is no action %q. %s", args[0], advice)
}

// newActions returns the actions of a provider that is not configured yet.
func newActions() ([]*invoke.Action, error) {
	server, err := newServer(provider.WithInvokeAdvice())
	if err != nil {
		return nil, err
	}
	return invoke.Actions(context.Background(), server)
}

func versionCommand(streams cmd.Streams) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version and the commit", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(streams.Out, version)
			return err
		},
	}
}

// newServer returns the provider for commands that use it as Terraform does.
func newServer(options ...provider.Option) (provider.Server, error) {
	return provider.NewServer(factory(options...)())
}

// environment returns the client's configuration, with the account and the group, from the CLOUDSERVER_* variables.
func environment() (config cloudserver.Config, account, group string, err error) {
	return provider.Environment(version, ownEmulator)
}
