// SPDX-License-Identifier: MPL-2.0

package acctest

import (
	"encoding/json"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// ParseHCL returns the blocks of a configuration, in order.
func ParseHCL(t testing.TB, name, source string) hclsyntax.Blocks {
	t.Helper()
	file, diags := hclsyntax.ParseConfig([]byte(source), name, hcl.InitialPos)
	body, ok := file.Body.(*hclsyntax.Body)
	if diags.HasErrors() || !ok {
		t.Fatalf("parse %s: %v", name, diags)
	}
	return body.Blocks
}

// HCLConfig returns a body as a configuration for a [Driver]. known has the values that its expressions refer to. The
// only block that may be repeated, or dynamic, is disc.
func HCLConfig(t testing.TB, body *hclsyntax.Body, known *hcl.EvalContext) map[string]any {
	t.Helper()
	config := map[string]any{}
	for name, attribute := range body.Attributes {
		value, diags := attribute.Expr.Value(known)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		config[name] = plainValue(t, value)
	}
	for _, block := range body.Blocks {
		if block.Type == "lifecycle" { // the CLI's, not the provider's
			continue
		}
		switch block.Type {
		case "disc":
			addDiscs(config, HCLConfig(t, block.Body, known))
		case "dynamic":
			addDiscs(config, dynamicBlocks(t, block, known)...)
		default:
			config[block.Type] = HCLConfig(t, block.Body, known)
		}
	}
	return config
}

func addDiscs(config map[string]any, added ...map[string]any) {
	discs, _ := config["disc"].([]map[string]any)
	config["disc"] = append(discs, added...)
}

// dynamicBlocks returns what a dynamic block makes of each element of its for_each.
func dynamicBlocks(t testing.TB, block *hclsyntax.Block, known *hcl.EvalContext) (made []map[string]any) {
	t.Helper()
	elements, diags := block.Body.Attributes["for_each"].Expr.Value(known)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	for it := elements.ElementIterator(); it.Next(); {
		key, value := it.Element()
		inner := known.NewChild()
		inner.Variables = map[string]cty.Value{block.Labels[0]: cty.ObjectVal(map[string]cty.Value{"key": key, "value": value})}
		made = append(made, HCLConfig(t, block.Body.Blocks[0].Body, inner))
	}
	return made
}

func plainValue(t testing.TB, value cty.Value) any {
	t.Helper()
	if !value.IsWhollyKnown() {
		return Unknown
	}
	text, err := ctyjson.Marshal(value, value.Type())
	if err != nil {
		t.Fatal(err)
	}
	var decoded any
	if err := json.Unmarshal(text, &decoded); err != nil {
		t.Fatal(err)
	}
	return decoded
}
