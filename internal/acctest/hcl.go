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
// only block that may be repeated is disc.
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
		inner := HCLConfig(t, block.Body, known)
		if block.Type == "disc" {
			discs, _ := config["disc"].([]map[string]any)
			config["disc"] = append(discs, inner)
			continue
		}
		config[block.Type] = inner
	}
	return config
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
