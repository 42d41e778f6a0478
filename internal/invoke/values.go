package invoke

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/command"
)

// node is what the command line has for an argument: texts, or values of its parts.
type node struct {
	texts []string
	parts map[string]*node
}

func (n *node) part(name string) *node {
	if n == nil {
		return nil
	}
	return n.parts[name]
}

// parse returns the configuration of the action. A value is written name=value; the name of a part has its parents
// before it, as in timeouts.invoke=30m. A list is repeated, or written as JSON.
func (a *Action) parse(values []string) (tftypes.Value, error) {
	root := &node{parts: map[string]*node{}}
	for _, value := range values {
		name, text, ok := strings.Cut(value, "=")
		if !ok {
			return tftypes.Value{}, a.misused("%q is not a value such as %s=…", value, a.Keys()[0])
		}
		if !a.has(name) {
			return tftypes.Value{}, a.misused("%s has no argument %q.%s It has %s", a.Name, name,
				command.DidYouMean(command.Closest(name, a.Keys())), strings.Join(a.Keys(), ", "))
		}
		at := root
		for step := range strings.SplitSeq(name, ".") {
			if at.parts == nil {
				at.parts = map[string]*node{}
			}
			if at.parts[step] == nil {
				at.parts[step] = &node{}
			}
			at = at.parts[step]
		}
		at.texts = append(at.texts, text)
	}
	config, err := build(a.schema.Block, root)
	if err != nil {
		return config, a.misused("%s", err)
	}
	var missing []string
	for _, argument := range a.arguments() {
		if argument.required && !strings.Contains(argument.key, ".") && root.part(argument.key) == nil {
			missing = append(missing, argument.key+"=…")
		}
	}
	if len(missing) > 0 {
		return tftypes.Value{}, a.misused("%s needs %s", a.Name, strings.Join(missing, " and "))
	}
	return config, nil
}

func (a *Action) misused(format string, arguments ...any) error {
	return command.Misused("%s.\nterraform-provider-cloudserver invoke %s --help explains its arguments.", fmt.Sprintf(format, arguments...), a.Name)
}

// has reports whether the action has an argument. Below a map, a list or an object, any part may be named; whether it
// exists is found out when its value is built.
func (a *Action) has(name string) bool {
	keys := a.Keys()
	if slices.Contains(keys, name) {
		return true
	}
	for parent := name; strings.Contains(parent, "."); {
		parent = parent[:strings.LastIndex(parent, ".")]
		if slices.Contains(keys, parent) {
			return true
		}
	}
	return false
}

// build returns the value of a block, as the CLI builds it: absent arguments are null, and absent repeated blocks are
// empty.
func build(block *tfprotov6.SchemaBlock, n *node) (tftypes.Value, error) {
	values := map[string]tftypes.Value{}
	var err error
	for _, attribute := range block.Attributes {
		if values[attribute.Name], err = convert(attribute.Name, attribute.ValueType(), n.part(attribute.Name)); err != nil {
			return tftypes.Value{}, err
		}
	}
	for _, nested := range block.BlockTypes {
		if values[nested.TypeName], err = buildNested(nested, n.part(nested.TypeName)); err != nil {
			return tftypes.Value{}, err
		}
	}
	return tftypes.NewValue(typeOf(block), values), nil
}

func buildNested(nested *tfprotov6.SchemaNestedBlock, n *node) (tftypes.Value, error) {
	switch nested.Nesting {
	case tfprotov6.SchemaNestedBlockNestingModeSingle:
		if n == nil {
			return tftypes.NewValue(nested.ValueType(), nil), nil
		}
		return build(nested.Block, n)
	case tfprotov6.SchemaNestedBlockNestingModeGroup:
		return build(nested.Block, n)
	case tfprotov6.SchemaNestedBlockNestingModeMap:
		values := map[string]tftypes.Value{}
		for key, part := range partsOf(n) {
			var err error
			if values[key], err = build(nested.Block, part); err != nil {
				return tftypes.Value{}, err
			}
		}
		return tftypes.NewValue(nested.ValueType(), values), nil
	default: // a list or a set
		parts, err := elements(nested.TypeName, n)
		values := make([]tftypes.Value, len(parts))
		for i, part := range parts {
			if values[i], err = build(nested.Block, part); err != nil {
				break
			}
		}
		if err != nil {
			return tftypes.Value{}, err
		}
		return tftypes.NewValue(nested.ValueType(), values), nil
	}
}

func partsOf(n *node) map[string]*node {
	if n == nil {
		return nil
	}
	return n.parts
}

// elements returns the parts of a list, which are numbered from 0.
func elements(name string, n *node) ([]*node, error) {
	parts := partsOf(n)
	list := make([]*node, len(parts))
	for key, part := range parts {
		i, err := strconv.Atoi(key)
		if err != nil || i < 0 || i >= len(list) {
			return nil, fmt.Errorf("%s.%s: the elements of %[1]s are numbered from 0 without a gap", name, key)
		}
		list[i] = part
	}
	return list, nil
}

// convert returns a value of a type.
func convert(name string, kind tftypes.Type, n *node) (tftypes.Value, error) {
	switch {
	case n == nil:
		return tftypes.NewValue(kind, nil), nil
	case len(n.texts) > 0 && len(n.parts) > 0:
		return tftypes.Value{}, fmt.Errorf("%s has a value and values of its parts", name)
	case isList(kind):
		return convertList(name, kind, n)
	case len(n.texts) > 1:
		return tftypes.Value{}, fmt.Errorf("%s is given twice, and has one value", name)
	case len(n.texts) == 1:
		return convertText(name, kind, n.texts[0])
	}
	return convertParts(name, kind, n)
}

// convertText returns a value that is written as one text: a string, a number, a boolean, or JSON.
func convertText(name string, kind tftypes.Type, text string) (tftypes.Value, error) {
	switch {
	case kind.Is(tftypes.String):
		return tftypes.NewValue(kind, text), nil
	case kind.Is(tftypes.Bool):
		if text != "true" && text != "false" {
			return tftypes.Value{}, fmt.Errorf("%s is %q, and must be true or false", name, text)
		}
		return tftypes.NewValue(kind, text == "true"), nil
	case kind.Is(tftypes.Number):
		number, _, err := big.ParseFloat(text, 10, 512, big.ToNearestEven)
		if err != nil {
			return tftypes.Value{}, fmt.Errorf("%s is %q, and must be a number", name, text)
		}
		return tftypes.NewValue(kind, number), nil
	}
	value, err := (&tfprotov6.DynamicValue{JSON: []byte(text)}).Unmarshal(kind)
	if err != nil {
		return value, fmt.Errorf("%s is neither JSON of its type, nor written in parts such as %[1]s.NAME=…: %w", name, err)
	}
	return value, nil
}

// convertParts returns an object or a map of which the parts are written one by one.
func convertParts(name string, kind tftypes.Type, n *node) (tftypes.Value, error) {
	values := map[string]tftypes.Value{}
	var err error
	switch kind := kind.(type) {
	case tftypes.Map:
		for key, part := range n.parts {
			if values[key], err = convert(name+"."+key, kind.ElementType, part); err != nil {
				return tftypes.Value{}, err
			}
		}
	case tftypes.Object:
		for key, attribute := range kind.AttributeTypes {
			if values[key], err = convert(name+"."+key, attribute, n.part(key)); err != nil {
				return tftypes.Value{}, err
			}
		}
		for key := range n.parts {
			if _, ok := kind.AttributeTypes[key]; !ok {
				return tftypes.Value{}, fmt.Errorf("%s has no %q", name, key)
			}
		}
	default:
		return tftypes.Value{}, fmt.Errorf("%s has no parts", name)
	}
	return tftypes.NewValue(kind, values), nil
}

func isList(kind tftypes.Type) bool { return kind.Is(tftypes.List{}) || kind.Is(tftypes.Set{}) }

// convertList returns a list or a set: a text for each element, one JSON array, or numbered parts.
func convertList(name string, kind tftypes.Type, n *node) (tftypes.Value, error) {
	if len(n.texts) == 1 && strings.HasPrefix(n.texts[0], "[") {
		return convertText(name, kind, n.texts[0])
	}
	var element tftypes.Type
	switch kind := kind.(type) {
	case tftypes.List:
		element = kind.ElementType
	case tftypes.Set:
		element = kind.ElementType
	}
	parts, err := elements(name, n)
	if err != nil {
		return tftypes.Value{}, err
	}
	for _, text := range n.texts {
		parts = append(parts, &node{texts: []string{text}})
	}
	values := make([]tftypes.Value, len(parts))
	for i, part := range parts {
		if values[i], err = convert(fmt.Sprintf("%s.%d", name, i), element, part); err != nil {
			return tftypes.Value{}, err
		}
	}
	return tftypes.NewValue(kind, values), nil
}
