package main

import (
	"context"
	"fmt"
	"log"
	"os/signal"

	"github.com/spf13/cobra"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/adopt"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/check"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/command"
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

// newTree returns the commands of the program. A command is a function of its package, which gets a context that a
// signal ends, its parsed flags, and the standard streams, and returns an error, which may have an exit status.
func newTree(streams command.Streams) *cobra.Command {
	root := &cobra.Command{
		Use: command.Program, Long: introduction + "\nTerraform starts it without arguments. By hand, it has these commands.",
		SilenceUsage: true, SilenceErrors: true, DisableFlagsInUseLine: true,
		Args: func(root *cobra.Command, args []string) error {
			if len(args) > 0 {
				return command.UnknownCommand(root, "command", args[0])
			}
			return nil
		},
	}
	debug := root.Flags().Bool("debug", false, "serve the provider for a debugger and print TF_REATTACH_PROVIDERS")
	root.RunE = func(*cobra.Command, []string) error { return provider.Serve(factory(), address, *debug) }
	root.AddCommand(
		emulatorCommand(streams), adoptCommand(streams), importsCommand(streams), forgetCommand(streams),
		checkCommand(streams), loginCommand(streams), invokeCommand(streams), versionCommand(streams),
	)
	root.SetIn(streams.In)
	root.SetOut(streams.Out)
	root.SetErr(streams.Err)
	command.ShortMistakes(root)
	for _, cmd := range root.Commands() {
		cmd.Flags().SortFlags = false
		cmd.DisableFlagsInUseLine = true
	}
	root.SetFlagErrorFunc(command.FlagError)
	return root
}

// interruptible returns a command's function that gets a context which a signal ends. A second Ctrl-C ends the program at
// once, as it ends Terraform. The provider's process has no such context, because Terraform handles the signals and
// stops the work.
func interruptible(do func(ctx context.Context, args []string) error) func(*cobra.Command, []string) error {
	return cancellable(func(ctx context.Context, args []string) error {
		defer context.AfterFunc(ctx, endOnInterrupt)()
		return do(ctx, args)
	})
}

// cancellable is like interruptible, without a second Ctrl-C. Commands that run the user's CLI handle it themselves: they
// remove the plan, which contains secrets, whatever ends them.
func cancellable(do func(ctx context.Context, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		ctx, stop := signal.NotifyContext(cmd.Context(), endings()...)
		defer stop()
		return do(ctx, args)
	}
}

func emulatorCommand(streams command.Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use: "emulator [ADDRESS]", Short: "Serve an emulator of the service until it is interrupted",
		Long: "Serves an emulator of the service on an address, by default " + server.DefaultAddress + ", until it is interrupted. " +
			"Port 0 is any free one. What it prints at its start points the provider at it.",
		Example: "  terraform-provider-cloudserver emulator --state world.json", Args: command.MostArguments(1, "one address"),
	}
	emulated := server.Register(cmd.Flags())
	command.Repeatable(cmd.Flags(), "fault")
	cmd.RunE = interruptible(func(ctx context.Context, args []string) error {
		log.SetOutput(streams.Err)
		if len(args) > 0 {
			emulated.Address = args[0]
		}
		return emulated.Run(ctx, streams.Out, streams.Err)
	})
	return cmd
}

func adoptCommand(streams command.Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use: "adopt DIRECTORY", Short: "Write a configuration, with import blocks, for what exists",
		Long: "Writes a configuration, with import blocks, for what the credentials in the environment see, into a directory that is empty " +
			"or does not exist. It changes nothing at the service.",
		Example: "  terraform-provider-cloudserver adopt --group 'shop*' estate", Args: command.MostArguments(1, "one directory"),
	}
	adopter := adopt.Register(cmd.Flags())
	cmd.RunE = interruptible(func(ctx context.Context, args []string) error {
		return adopter.Run(ctx, args, factory(), version, streams)
	})
	return cmd
}

func importsCommand(streams command.Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use: "imports [-- ARGUMENTS OF PLAN]", Short: "Write import blocks for what a plan would create and what exists",
		Long: "Writes imports.tf for the configuration in this directory, after its state was lost or a run was killed. It runs terraform plan, or " +
			"tofu plan, as you would: in this directory, with this environment, and with the arguments after --. The provider tells it which of " +
			"the objects that the plan would create exist. It plans until nothing more is found, at most four times. Nothing is applied.\n\n" +
			"The exit status is 1 if something needs a decision, such as what does not exist and would be created.",
		Example: "  terraform-provider-cloudserver imports -- -var-file=prod.tfvars", Args: afterDashes,
	}
	var i adopt.Imports
	cmd.Flags().StringVar(&i.CLI, "cli", "", "the Terraform or OpenTofu to run, a `path` or a name; by default terraform, or else tofu")
	cmd.Flags().StringVar(&i.Plan, "plan", "", "run nothing, and read the JSON of a plan that was made elsewhere from this `file`; - is the standard input")
	cmd.RunE = cancellable(func(ctx context.Context, args []string) error {
		i.Arguments = args
		return i.Run(ctx, factory(), streams)
	})
	return cmd
}

func forgetCommand(streams command.Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use: "forget [-- ARGUMENTS OF PLAN]", Short: "Write removed blocks for what is no longer in the configuration",
		Long: "Writes removed.tf, with which an apply forgets the resources that the state has and the configuration in this directory does not, " +
			"and destroys none of them. To split a state, move blocks to another directory, run imports and an apply there, and then this command " +
			"here. It runs terraform, or tofu, as you would: in this directory, with this environment, and with the arguments after --.",
		Example: "  terraform-provider-cloudserver forget", Args: afterDashes,
	}
	var f adopt.Forget
	cmd.Flags().StringVar(&f.CLI, "cli", "", "the Terraform or OpenTofu to run, a `path` or a name; by default terraform, or else tofu")
	cmd.RunE = cancellable(func(ctx context.Context, args []string) error {
		f.Arguments = args
		return f.Run(ctx, streams)
	})
	return cmd
}

// afterDashes refuses arguments before --. Those after it are for the CLI.
func afterDashes(cmd *cobra.Command, args []string) error {
	if len(args) > 0 && cmd.ArgsLenAtDash() != 0 {
		return command.NoArguments(cmd, args)
	}
	return nil
}

func checkCommand(streams command.Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use: "check", Short: "Check that a service is the one that the provider needs",
		Long: "Checks, call by call, that the service which CLOUDSERVER_* in the environment names is the one that the provider needs. " +
			"It only reads, unless --machine names a machine to create, take through its whole life, and purge.\n\n" +
			"The exit status is 0 if the service has what the provider needs, 1 if something is missing, and 2 if the service " +
			"cannot be reached, does not permit the calls, or does not have the account or group.",
		Example: "  terraform-provider-cloudserver check --json", Args: command.NoArguments,
	}
	checker := check.Register(cmd.Flags())
	cmd.RunE = interruptible(func(ctx context.Context, _ []string) error {
		return checker.Run(ctx, func() (cloudserver.Config, string, string, error) { return provider.Environment(version, ownEmulator) }, streams)
	})
	return cmd
}

func loginCommand(streams command.Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use: "login", Short: "Open a session and write it into a token file",
		Long: "Opens a session and writes it to the file that the provider's token_file names. It asks for what CLOUDSERVER_USERNAME and " +
			"CLOUDSERVER_PASSWORD do not contain, and for the code of a second factor.",
		Example: "  terraform-provider-cloudserver login --token-file ~/.cloudserver-token", Args: command.NoArguments,
	}
	signIn := login.Register(cmd.Flags())
	signIn.UnknownVariables = provider.UnknownVariables()
	cmd.RunE = interruptible(func(ctx context.Context, _ []string) error { return signIn.Run(ctx, version, streams) })
	return cmd
}

// invokeCommand has a command below it for each action, with a help that is made from the provider's schema.
func invokeCommand(streams command.Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use: "invoke ACTION NAME=VALUE…", Short: "Run an action of the provider without Terraform",
		Long: "Runs an action of the provider as Terraform 1.14 does, with the credentials of the environment. Before it takes data from a " +
			"machine, it shows what is lost, and asks. A nested value has the name of its block before it, as in timeouts.invoke=30m. " +
			"A list is repeated, or written as JSON.",
		Example: "  terraform-provider-cloudserver invoke vm_undelete virtual_machine_id=1234",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return command.UnknownCommand(cmd, "action", args[0])
			}
			return command.Misused("invoke needs an action.\n%s --help lists them.", cmd.CommandPath())
		},
		RunE: func(*cobra.Command, []string) error { return nil },
	}
	options := invoke.Register(cmd.PersistentFlags())
	actions, err := invoke.Actions(context.Background(), factory())
	if err != nil {
		cmd.RunE = func(*cobra.Command, []string) error { return err }
	}
	for _, action := range actions {
		cmd.AddCommand(&cobra.Command{
			Use: action.Usage(), Aliases: []string{action.Type}, Short: action.Summary(), Long: action.Help(), DisableFlagsInUseLine: true,
			ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
				return command.Assignments(action.Keys()), cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
			},
			RunE: interruptible(func(ctx context.Context, args []string) error {
				return action.Run(ctx, options, args, factory(), streams)
			}),
		})
	}
	return cmd
}

func versionCommand(streams command.Streams) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: command.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(streams.Out, version)
			return err
		},
	}
}
