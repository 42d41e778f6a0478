package command

import (
	"errors"
	"slices"
	"strings"

	"github.com/agext/levenshtein"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// maxDistance is the edit distance up to which a flag or a command is suggested.
const maxDistance = 2

// LongForms returns the arguments with two dashes before each flag. Pages and messages write --state, and users of
// Terraform, whose flags have one dash, may write -state. What follows -- stays as it is.
func LongForms(args []string) []string {
	long := slices.Clone(args)
	for i, arg := range long {
		if arg == "--" {
			break
		}
		if isShortForm(arg) {
			long[i] = "-" + arg
		}
	}
	return long
}

func isShortForm(arg string) bool {
	return len(arg) > 2 && arg[0] == '-' && arg[1] >= 'a' && arg[1] <= 'z'
}

// CheckRepeated returns an error if a flag is given twice that can have only one value. With pflag the last one would
// win, and the first be ignored without a word.
func CheckRepeated(root *cobra.Command, args []string) error {
	cmd, rest, err := root.Find(args)
	if err != nil {
		return nil //nolint:nilerr // the execution reports it
	}
	cmd.InitDefaultHelpFlag()
	cmd.InheritedFlags() // adds those of the parent to Flags
	var repeated *UsageError
	given := map[string]bool{}
	err = cmd.Flags().ParseAll(rest, func(f *pflag.Flag, _ string) error {
		_, isList := f.Value.(pflag.SliceValue)
		if given[f.Name] && !isList && !slices.Contains(f.Annotations[repeatable], f.Name) {
			return Misused("--%s is given twice, and has one value.%s", f.Name, helpOf(cmd))
		}
		given[f.Name] = true
		return nil
	})
	if errors.As(err, &repeated) {
		return repeated
	}
	return nil
}

const repeatable = "repeatable"

// Repeatable marks a flag that may be given several times although its value is not a list.
func Repeatable(flags *pflag.FlagSet, name string) {
	flags.Lookup(name).Annotations = map[string][]string{repeatable: {name}}
}

// FlagError returns the message about a mistake in the flags of a command: with the flag or the command that was
// probably meant, and without all the others.
func FlagError(cmd *cobra.Command, err error) error {
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		return Misused("--%s %q: %v.%s", invalid.GetFlag().Name, invalid.GetValue(), invalid.Unwrap(), helpOf(cmd))
	}
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok {
		return Misused("%s.%s", strings.TrimSuffix(err.Error(), "."), helpOf(cmd))
	}
	name := unknown.GetSpecifiedName()
	meant := ""
	if sub := Closest(name, commands(cmd.Root())); cmd == cmd.Root() && sub != "" {
		meant = sub // as -check was written once, and in other programs
	} else if flag := Closest(name, flagNames(cmd)); flag != "" {
		meant = "--" + flag
	}
	return Misused("There is no flag --%s.%s%s", name, DidYouMean(meant), helpOf(cmd))
}

// UnknownCommand returns the message about an argument that is not one of the commands below another one. what is a
// noun for those.
func UnknownCommand(parent *cobra.Command, what, arg string) error {
	return Misused("There is no %s %q.%s%s", what, arg, DidYouMean(Closest(arg, commands(parent))), helpOf(parent))
}

// ShortMistakes adds the commands help and completion to the program. Unlike those of cobra, they answer a name that
// does not exist as all commands do.
func ShortMistakes(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "help":
			cmd.Run, cmd.RunE = nil, func(_ *cobra.Command, args []string) error {
				about, rest, err := root.Find(args)
				if err != nil || len(rest) > 0 {
					return UnknownCommand(about, "command", rest[0])
				}
				about.InitDefaultHelpFlag()
				return about.Help()
			}
		case "completion":
			cmd.Args = func(cmd *cobra.Command, args []string) error {
				if len(args) > 0 {
					return UnknownCommand(cmd, "shell", args[0])
				}
				return nil
			}
			cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
	}
}

// NoArguments refuses arguments of a command that takes none.
func NoArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return Misused("%s takes no argument, and there is %q.%s", cmd.Name(), args[0], helpOf(cmd))
	}
	return nil
}

// MostArguments refuses arguments beyond a number. what describes those that are accepted.
func MostArguments(most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > most {
			return Misused("%s takes %s, and there is also %q.%s", cmd.Name(), what, args[most], helpOf(cmd))
		}
		return nil
	}
}

func helpOf(cmd *cobra.Command) string { return "\n" + cmd.CommandPath() + " --help explains its use." }

// DidYouMean returns the sentence that suggests a name, or "".
func DidYouMean(meant string) string {
	if meant == "" {
		return ""
	}
	return " Did you mean " + meant + "?"
}

func commands(root *cobra.Command) (names []string) {
	for _, cmd := range root.Commands() {
		if cmd.IsAvailableCommand() {
			names = append(names, cmd.Name())
		}
	}
	return names
}

func flagNames(cmd *cobra.Command) (names []string) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return names
}

// Closest returns the name that was probably meant, or "".
func Closest(written string, names []string) string {
	best, distance := "", min(maxDistance, len(written)/2)+1
	for _, name := range names {
		d := levenshtein.Distance(written, name, nil)
		if len(written) > maxDistance && strings.HasPrefix(name, written) {
			d = min(d, 1)
		}
		if d < distance {
			best, distance = name, d
		}
	}
	return best
}

// Assignments returns the names with an equals sign after each, to complete the arguments of an action.
func Assignments(names []string) []string {
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = name + "="
	}
	return all
}
