package adopt

import (
	"cmp"
	"slices"

	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"
)

// order is the order in which people write arguments. Arguments that are not listed follow in the schema's order.
var order = []string{
	"name", "address", "virtual_machine_id", "disc_id", "account", "group", "group_id", "cores", "memory", "hardware_profile", "zone_name",
	"label", "size", "storage_grade", "start_at", "interval_seconds",
}

func rank(name string) int {
	if i := slices.Index(order, name); i >= 0 {
		return i
	}
	return len(order)
}

// written is the form of a chosen argument: its value, or an expression that has it, optionally with a comment.
type written struct {
	expression hclwrite.Tokens // nil: the value
	comment    string
}

// arguments returns the tokens of a configuration: attributes first, then blocks. Null values are left out. instead has
// the arguments that are not written as plain values.
func arguments(schema *tfprotov6.SchemaBlock, config cty.Value, instead map[string]written) (tokens hclwrite.Tokens) {
	for _, name := range attributesIn(schema, config) {
		value := instead[name].expression
		if value == nil {
			value = hclwrite.TokensForValue(config.GetAttr(name))
		}
		tokens = append(tokens, expression(name+" = ", value, comment(instead[name].comment))...)
	}
	for _, nested := range schema.BlockTypes {
		for _, block := range blocksIn(config.GetAttr(nested.TypeName)) {
			tokens = append(tokens, expression("\n", blockTokens(nested, block))...)
		}
	}
	return tokens
}

// attributesIn returns the names of the attributes that are set, in order.
func attributesIn(schema *tfprotov6.SchemaBlock, config cty.Value) (names []string) {
	for _, attribute := range schema.Attributes {
		if !config.GetAttr(attribute.Name).IsNull() {
			names = append(names, attribute.Name)
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(rank(a), rank(b)) })
	return names
}

// blocksIn returns the blocks of one type, from a value that is a single block or a collection.
func blocksIn(value cty.Value) []cty.Value {
	switch {
	case value.IsNull():
		return nil
	case value.Type().IsObjectType():
		return []cty.Value{value}
	}
	return value.AsValueSlice()
}

// blockTokens returns a block, on one line if it has a single argument.
func blockTokens(nested *tfprotov6.SchemaNestedBlock, config cty.Value) hclwrite.Tokens {
	if names := attributesIn(nested.Block, config); len(names) == 1 && len(nested.Block.BlockTypes) == 0 {
		return expression(nested.TypeName+" { "+names[0]+" = ", hclwrite.TokensForValue(config.GetAttr(names[0])), " }\n")
	}
	return expression(nested.TypeName+" {\n", arguments(nested.Block, config, nil), "}\n")
}
