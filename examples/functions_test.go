// SPDX-License-Identifier: MPL-2.0

package examples_test

import (
	"errors"
	"os"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/tryfunc"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// functions are those of Terraform's that the pages use.
func (c *configuration) functions() map[string]function.Function {
	return map[string]function.Function{
		"contains": stdlib.ContainsFunc, "flatten": stdlib.FlattenFunc, "join": stdlib.JoinFunc,
		"jsonencode": stdlib.JSONEncodeFunc, "keys": stdlib.KeysFunc, "length": stdlib.LengthFunc,
		"toset": stdlib.MakeToFunc(cty.Set(cty.DynamicPseudoType)), "try": tryfunc.TryFunc, "yamlencode": stdlib.JSONEncodeFunc,
		"file": c.text(c.file), "filesha256": c.text(func(string) string { return strings.Repeat("0", 64) }),
		"templatefile": function.New(&function.Spec{
			Params: []function.Parameter{{Name: "path", Type: cty.String}, {Name: "values", Type: cty.DynamicPseudoType}},
			Type:   function.StaticReturnType(cty.String),
			Impl: func(arguments []cty.Value, _ cty.Type) (cty.Value, error) {
				template, diags := hclsyntax.ParseTemplate([]byte(c.file(arguments[0].AsString())), "template", hcl.InitialPos)
				if diags.HasErrors() {
					return cty.NilVal, diags
				}
				value, diags := template.Value(&hcl.EvalContext{Variables: arguments[1].AsValueMap(), Functions: c.functions()})
				if diags.HasErrors() {
					return cty.NilVal, diags
				}
				return value, nil
			},
		}),
		"startswith": function.New(&function.Spec{
			Params: []function.Parameter{{Name: "text", Type: cty.String}, {Name: "prefix", Type: cty.String}},
			Type:   function.StaticReturnType(cty.Bool),
			Impl: func(arguments []cty.Value, _ cty.Type) (cty.Value, error) {
				return cty.BoolVal(strings.HasPrefix(arguments[0].AsString(), arguments[1].AsString())), nil
			},
		}),
		"provider::cloudserver::megabytes": function.New(&function.Spec{
			Params: []function.Parameter{{Name: "size", Type: cty.String}},
			Type:   function.StaticReturnType(cty.Number),
			Impl: func(arguments []cty.Value, _ cty.Type) (cty.Value, error) {
				size, err := c.providers[""].Call(c.Context(), "megabytes", arguments[0].AsString())
				if err != nil {
					return cty.NilVal, errors.New(err.Text)
				}
				return cty.NumberIntVal(size.(int64)), nil
			},
		}),
	}
}

// text is a function from text to text.
func (c *configuration) text(of func(string) string) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "text", Type: cty.String}},
		Type:   function.StaticReturnType(cty.String),
		Impl: func(arguments []cty.Value, _ cty.Type) (cty.Value, error) {
			return cty.StringVal(of(arguments[0].AsString())), nil
		},
	})
}

// file returns the content of a file of the example, or of the user's public key.
func (c *configuration) file(path string) string {
	if strings.HasPrefix(path, "~") {
		return publicKey
	}
	content, err := os.ReadFile(path)
	if err != nil {
		c.Error(err)
	}
	return string(content)
}
