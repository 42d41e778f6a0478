// SPDX-License-Identifier: MPL-2.0

package invoke

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cmd"
)

// argument is an argument of an action, as the command line has it. That of a block is called BLOCK.NAME.
type argument struct {
	name, description string
	required          bool
	typ               cty.Type
}

// arguments returns the arguments of the action, the required ones first.
func (a *Action) arguments() []argument {
	all := argumentsOf("", a.schema.Block)
	for _, nested := range a.schema.Block.BlockTypes {
		all = append(all, argumentsOf(nested.TypeName+".", nested.Block)...)
	}
	var required, optional []argument
	for _, one := range all {
		if one.required {
			required = append(required, one)
		} else {
			optional = append(optional, one)
		}
	}
	return append(required, optional...)
}

// placeholder stands for the value in a message. The one boolean that is required is a consent.
func (a argument) placeholder() string {
	if a.typ == cty.Bool {
		return "true"
	}
	return "…"
}

func argumentsOf(prefix string, block *tfprotov6.SchemaBlock) (all []argument) {
	for _, attribute := range block.Attributes {
		all = append(all, argument{
			prefix + attribute.Name, attribute.Description, attribute.Required, typeOf(attribute.Type),
		})
	}
	return all
}

// typeOf returns the type of an argument: a text, a number or a boolean.
func typeOf(typ tftypes.Type) cty.Type {
	switch {
	case typ.Is(tftypes.Number):
		return cty.Number
	case typ.Is(tftypes.Bool):
		return cty.Bool
	default:
		return cty.String
	}
}

// value converts a text of the command line. Without one the argument is null.
func (a argument) value(text string, given bool) (cty.Value, error) {
	if !given {
		return cty.NullVal(a.typ), nil
	}
	return convert.Convert(cty.StringVal(text), a.typ)
}

// assigned returns the texts of the command line by argument.
func (a *Action) assigned(assignments []string) (map[string]string, error) {
	var names []string
	for _, argument := range a.arguments() {
		names = append(names, argument.name)
	}
	given := map[string]string{}
	for _, assignment := range assignments {
		name, text, ok := strings.Cut(assignment, "=")
		switch _, twice := given[name]; {
		case !ok:
			return nil, cmd.Misused("%q is not an argument such as %s=…", assignment, names[0])
		case a.isSecret(name):
			return nil, cmd.Misused("%s is a secret: set a variable of the environment to it, and give --env %s=VARIABLE", name, name)
		case !slices.Contains(names, name):
			return nil, cmd.Misused("%s has no argument %q; it has %s", a.Name, name, strings.Join(names, ", "))
		case twice:
			return nil, cmd.Misused("%s is given twice", name)
		}
		given[name] = text
	}
	return given, nil
}

// parse returns the arguments of the command line as values of the schema. Those of a block are an object.
func (a *Action) parse(assignments []string) (map[string]cty.Value, error) {
	given, err := a.assigned(assignments)
	if err != nil {
		return nil, err
	}
	values, blocks := map[string]cty.Value{}, map[string]map[string]cty.Value{}
	for _, argument := range a.arguments() {
		text, ok := given[argument.name]
		if !ok && argument.required {
			return nil, cmd.Misused("%s needs %s=%s", a.Name, argument.name, argument.placeholder())
		}
		value, err := argument.value(text, ok)
		if err != nil {
			return nil, cmd.Misused("%s is %q, and %s", argument.name, text, err)
		}
		block, name, nested := strings.Cut(argument.name, ".")
		if !nested {
			values[argument.name] = value
			continue
		}
		if blocks[block] == nil {
			blocks[block] = map[string]cty.Value{}
		}
		blocks[block][name] = value
	}
	for name, block := range blocks {
		values[name] = cty.ObjectVal(block)
	}
	return values, nil
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
			text += " " + argument.name + "=…"
		}
	}
	return text
}

// Help returns what the action does and which arguments it has.
func (a *Action) Help() string {
	text := plain(a.schema.Block.Description) + "\n\nArguments:"
	for _, argument := range a.arguments() {
		text += fmt.Sprintf("\n  %-20s %s", argument.name, plain(argument.description))
		if argument.required {
			text += " Required."
		}
	}
	return text
}

// plain removes the marks of Markdown that descriptions have.
func plain(text string) string { return strings.NewReplacer("**", "", "`", "").Replace(text) }
