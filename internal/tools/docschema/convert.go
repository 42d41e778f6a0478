// SPDX-License-Identifier: MPL-2.0

package main

import (
	"encoding/json"
	"fmt"
	"strings"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"
)

// converter converts the protocol's schemas to those of the CLI's JSON output. It keeps the first error.
type converter struct{ err error }

// convertAll converts each value of a map.
func convertAll[From, To any](from map[string]From, convert func(From) To) map[string]To {
	to := make(map[string]To, len(from))
	for name, value := range from {
		to[name] = convert(value)
	}
	return to
}

func (c *converter) schema(s *tfprotov6.Schema) *tfjson.Schema {
	return &tfjson.Schema{Version: uint64(max(s.Version, 0)), Block: c.block(s.Block)}
}

func (c *converter) action(a *tfprotov6.ActionSchema) *tfjson.ActionSchema {
	return &tfjson.ActionSchema{Block: c.block(a.Schema.Block)}
}

func (c *converter) block(b *tfprotov6.SchemaBlock) *tfjson.SchemaBlock {
	blocks := map[string]*tfjson.SchemaBlockType{}
	for _, nested := range b.BlockTypes {
		blocks[nested.TypeName] = &tfjson.SchemaBlockType{
			NestingMode: tfjson.SchemaNestingMode(strings.ToLower(nested.Nesting.String())),
			Block:       c.block(nested.Block),
			MinItems:    uint64(max(nested.MinItems, 0)),
			MaxItems:    uint64(max(nested.MaxItems, 0)),
		}
	}
	return &tfjson.SchemaBlock{
		Attributes:      c.attributes(b.Attributes),
		NestedBlocks:    blocks,
		Description:     b.Description,
		DescriptionKind: kind(b.DescriptionKind),
		Deprecated:      b.Deprecated,
	}
}

func (c *converter) attributes(attributes []*tfprotov6.SchemaAttribute) map[string]*tfjson.SchemaAttribute {
	result := make(map[string]*tfjson.SchemaAttribute, len(attributes))
	for _, a := range attributes {
		attribute := &tfjson.SchemaAttribute{
			Description:     a.Description,
			DescriptionKind: kind(a.DescriptionKind),
			Deprecated:      a.Deprecated,
			Required:        a.Required,
			Optional:        a.Optional,
			Computed:        a.Computed,
			Sensitive:       a.Sensitive,
			WriteOnly:       a.WriteOnly,
		}
		if a.NestedType == nil {
			attribute.AttributeType = c.typeOf(a.Type)
		} else {
			attribute.AttributeNestedType = &tfjson.SchemaNestedAttributeType{
				Attributes:  c.attributes(a.NestedType.Attributes),
				NestingMode: tfjson.SchemaNestingMode(strings.ToLower(a.NestedType.Nesting.String())),
			}
		}
		result[a.Name] = attribute
	}
	return result
}

func (c *converter) identity(s *tfprotov6.ResourceIdentitySchema) *tfjson.IdentitySchema {
	attributes := map[string]*tfjson.IdentityAttribute{}
	for _, a := range s.IdentityAttributes {
		attributes[a.Name] = &tfjson.IdentityAttribute{
			IdentityType:      c.typeOf(a.Type),
			Description:       a.Description,
			RequiredForImport: a.RequiredForImport,
			OptionalForImport: a.OptionalForImport,
		}
	}
	return &tfjson.IdentitySchema{Version: uint64(max(s.Version, 0)), Attributes: attributes}
}

func (c *converter) function(f *tfprotov6.Function) *tfjson.FunctionSignature {
	signature := &tfjson.FunctionSignature{
		Description:        f.Description,
		Summary:            f.Summary,
		DeprecationMessage: f.DeprecationMessage,
		ReturnType:         c.typeOf(f.Return.Type),
	}
	for _, p := range f.Parameters {
		signature.Parameters = append(signature.Parameters, &tfjson.FunctionParameter{
			Name: p.Name, Description: p.Description, IsNullable: p.AllowNullValue, Type: c.typeOf(p.Type),
		})
	}
	return signature
}

// typeOf converts a type through JSON, which both libraries read and write.
func (c *converter) typeOf(t tftypes.Type) cty.Type {
	var result cty.Type
	text, err := json.Marshal(t)
	if err == nil {
		err = json.Unmarshal(text, &result)
	}
	if err != nil && c.err == nil {
		c.err = fmt.Errorf("converting type %s: %w", t, err)
	}
	return result
}

func kind(k tfprotov6.StringKind) tfjson.SchemaDescriptionKind {
	if k == tfprotov6.StringKindMarkdown {
		return tfjson.SchemaDescriptionKindMarkdown
	}
	return tfjson.SchemaDescriptionKindPlain
}
