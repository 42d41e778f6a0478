// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
)

// TestSchemaFile: schema.txt has a line for each thing of the schemas that users rely on, so that a review sees what a
// change breaks.
func TestSchemaFile(t *testing.T) {
	t.Parallel()
	acctest.ExpectFile(t, "schema.txt", strings.Join(schemaLines(t), "\n")+"\n")
}

// schemaLines returns a sorted line for each attribute and block of all that the provider offers.
func schemaLines(t *testing.T) []string {
	t.Helper()
	server := providerserver.NewProtocol6(provider.New("test")())()
	schemas, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	identities, err := server.GetResourceIdentitySchemas(t.Context(), &tfprotov6.GetResourceIdentitySchemasRequest{})
	if err != nil {
		t.Fatal(err)
	}
	lines := blockLines("provider", schemas.Provider.Block)
	for kind, offered := range map[string]map[string]*tfprotov6.Schema{
		"resource": schemas.ResourceSchemas, "data": schemas.DataSourceSchemas,
		"ephemeral": schemas.EphemeralResourceSchemas, "list": schemas.ListResourceSchemas,
	} {
		for name, schema := range offered {
			lines = append(lines, fmt.Sprintf("%s %s: version %d", kind, name, schema.Version))
			lines = append(lines, blockLines(kind+" "+name, schema.Block)...)
		}
	}
	for name, action := range schemas.ActionSchemas {
		lines = append(lines, blockLines("action "+name, action.Schema.Block)...)
	}
	for name, identity := range identities.IdentitySchemas {
		for _, a := range identity.IdentityAttributes {
			lines = append(lines, fmt.Sprintf("identity %s.%s: %s", name, a.Name, strings.ReplaceAll(a.Type.String(), "tftypes.", "")))
		}
	}
	for name, function := range schemas.Functions {
		lines = append(lines, "function "+name+": "+strings.ReplaceAll(function.Return.Type.String(), "tftypes.", ""))
	}
	slices.Sort(lines)
	return lines
}

func blockLines(at string, block *tfprotov6.SchemaBlock) []string {
	lines := attributeLines(at, block.Attributes)
	for _, nested := range block.BlockTypes {
		inner := at + "." + nested.TypeName
		lines = append(lines, fmt.Sprintf("%s: block, %s, %d to %d", inner, nested.Nesting, nested.MinItems, nested.MaxItems))
		lines = append(lines, blockLines(inner, nested.Block)...)
	}
	return lines
}

func attributeLines(at string, attributes []*tfprotov6.SchemaAttribute) (lines []string) {
	for _, a := range attributes {
		line := at + "." + a.Name + ":"
		for _, property := range []struct {
			word    string
			applies bool
		}{
			{"required", a.Required},
			{"optional", a.Optional},
			{"computed", a.Computed},
			{"sensitive", a.Sensitive},
			{"write-only", a.WriteOnly},
			{"deprecated", a.Deprecated},
		} {
			if property.applies {
				line += " " + property.word
			}
		}
		if a.NestedType == nil {
			lines = append(lines, line+" "+strings.ReplaceAll(a.Type.String(), "tftypes.", ""))
			continue
		}
		lines = append(lines, line+" objects, "+a.NestedType.Nesting.String())
		lines = append(lines, attributeLines(at+"."+a.Name, a.NestedType.Attributes)...)
	}
	return lines
}
