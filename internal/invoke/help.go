package invoke

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// argument is an argument of an action, as the command line has it.
type argument struct {
	key, description string
	required         bool
}

// arguments returns the arguments of the action, those of nested blocks with their parents before them.
func (a *Action) arguments() []argument { return argumentsOf("", a.schema.Block) }

func argumentsOf(prefix string, block *tfprotov6.SchemaBlock) (all []argument) {
	for _, attribute := range block.Attributes {
		all = append(all, argument{prefix + attribute.Name, attribute.Description, attribute.Required})
	}
	for _, nested := range block.BlockTypes {
		at := prefix + nested.TypeName + "."
		switch nested.Nesting {
		case tfprotov6.SchemaNestedBlockNestingModeList, tfprotov6.SchemaNestedBlockNestingModeSet:
			all = append(all, argument{key: strings.TrimSuffix(at, "."), description: nested.Block.Description + " Blocks are numbered: " + at + "0.NAME=…"})
		case tfprotov6.SchemaNestedBlockNestingModeMap:
			all = append(all, argument{key: strings.TrimSuffix(at, "."), description: nested.Block.Description + " Blocks have keys: " + at + "KEY.NAME=…"})
		default:
			all = append(all, argumentsOf(at, nested.Block)...)
		}
	}
	return all
}

// Keys returns the names of the arguments, the required ones first.
func (a *Action) Keys() []string {
	var required, optional []string
	for _, argument := range a.arguments() {
		if argument.required {
			required = append(required, argument.key)
		} else {
			optional = append(optional, argument.key)
		}
	}
	return append(required, optional...)
}

// Summary returns the first sentence about the action, or its first clause.
func (a *Action) Summary() string {
	text, _, _ := strings.Cut(plain(a.schema.Block.Description), ". ")
	text, _, _ = strings.Cut(text, ": ")
	return strings.TrimSuffix(text, ".")
}

// Usage returns the line that shows the required arguments.
func (a *Action) Usage() string {
	text := a.Name
	for _, argument := range a.arguments() {
		if argument.required {
			text += " " + argument.key + "=…"
		}
	}
	return text
}

// Help returns what the action does and which arguments it has.
func (a *Action) Help() string {
	var b strings.Builder
	b.WriteString(plain(a.schema.Block.Description) + "\n\nArguments:\n")
	for _, argument := range a.arguments() {
		description := plain(argument.description)
		if argument.required {
			description += " Required."
		}
		fmt.Fprintf(&b, "  %-20s %s\n", argument.key, description)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// plain removes the marks of Markdown that descriptions have.
func plain(text string) string { return strings.NewReplacer("**", "", "`", "").Replace(text) }
