// Package schemafile records what users of the provider rely on, and finds the changes that would break it.
package schemafile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// File is the provider's interface: objects such as "resource cloudserver_vm", and their properties by path, such as
// "disc[].label".
type File map[string]map[string]Property

// Property is an attribute, a block, a part of an identity, or the signature of a function.
type Property struct {
	Type       string `json:"type"`
	Required   bool   `json:"required,omitempty"`
	Optional   bool   `json:"optional,omitempty"`
	Computed   bool   `json:"computed,omitempty"`
	Sensitive  bool   `json:"sensitive,omitempty"`
	WriteOnly  bool   `json:"write_only,omitempty"`
	Deprecated bool   `json:"deprecated,omitempty"`
	Default    any    `json:"default,omitempty"` // what a plan shows if the attribute is not configured
	Change     string `json:"change,omitempty"`  // what a plan does with another value: update, replace or error
}

// Parse reads a file.
func Parse(text []byte) (File, error) {
	var f File
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, fmt.Errorf("read the schema file: %w", err)
	}
	return f, nil
}

// Text returns the file as it is stored: one property per line, so that reviews show what changed.
func (f File) Text() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("{")
	for i, object := range sorted(f) {
		fmt.Fprintf(&b, "%s\n  %q: {", comma(i), object)
		for j, path := range sorted(f[object]) {
			line, err := json.Marshal(f[object][path])
			if err != nil {
				return nil, fmt.Errorf("write %s of %s: %w", path, object, err)
			}
			fmt.Fprintf(&b, "%s\n    %q: %s", comma(j), path, line)
		}
		b.WriteString("\n  }")
	}
	b.WriteString("\n}\n")
	return b.Bytes(), nil
}

func comma(i int) string {
	if i == 0 {
		return ""
	}
	return ","
}

// Of returns the properties that schemas contain. The caller adds what plans do with a value.
func Of(schemas *tfprotov6.GetProviderSchemaResponse, identities *tfprotov6.GetResourceIdentitySchemasResponse) File {
	f := File{}
	f.add("provider", schemas.Provider)
	for kind, all := range map[string]map[string]*tfprotov6.Schema{
		"resource": schemas.ResourceSchemas, "data source": schemas.DataSourceSchemas,
		"ephemeral resource": schemas.EphemeralResourceSchemas, "list resource": schemas.ListResourceSchemas,
	} {
		for name, schema := range all {
			f.add(kind+" "+name, schema)
		}
	}
	for name, action := range schemas.ActionSchemas {
		f.add("action "+name, action.Schema)
	}
	for name, identity := range identities.IdentitySchemas {
		object := "identity " + name
		f[object] = map[string]Property{"": version(identity.Version)}
		for _, a := range identity.IdentityAttributes {
			f[object][a.Name] = Property{
				Type: typeName(a.Type), Required: a.RequiredForImport, Optional: a.OptionalForImport,
			}
		}
	}
	for name, function := range schemas.Functions {
		f["function "+name] = map[string]Property{"": {Type: signature(function)}}
	}
	return f
}

func version(n int64) Property { return Property{Type: fmt.Sprintf("version %d", n)} }

func (f File) add(object string, schema *tfprotov6.Schema) {
	f[object] = map[string]Property{"": version(schema.Version)}
	f.block(object, "", schema.Block)
}

func (f File) block(object, prefix string, block *tfprotov6.SchemaBlock) {
	for _, a := range block.Attributes {
		f.attribute(object, prefix, a)
	}
	for _, nested := range block.BlockTypes {
		at := prefix + nested.TypeName
		many := strings.ToLower(nested.Nesting.String())
		f[object][at] = Property{
			Type:     fmt.Sprintf("block %s, %d to %d", many, nested.MinItems, nested.MaxItems),
			Optional: nested.MinItems == 0, Required: nested.MinItems > 0, Deprecated: nested.Block.Deprecated,
		}
		f.block(object, at+inside(many), nested.Block)
	}
}

func (f File) attribute(object, prefix string, a *tfprotov6.SchemaAttribute) {
	at := prefix + a.Name
	p := Property{
		Required: a.Required, Optional: a.Optional, Computed: a.Computed, Sensitive: a.Sensitive,
		WriteOnly: a.WriteOnly, Deprecated: a.Deprecated,
	}
	if a.NestedType == nil {
		p.Type = typeName(a.Type)
	} else {
		many := strings.ToLower(a.NestedType.Nesting.String())
		p.Type = "objects " + many
		for _, nested := range a.NestedType.Attributes {
			f.attribute(object, at+inside(many), nested)
		}
	}
	f[object][at] = p
}

func inside(nesting string) string {
	if nesting == "single" || nesting == "group" {
		return "."
	}
	return "[]."
}

// typeName returns the name of a type as in the CLI's JSON.
func typeName(t interface{ String() string }) string {
	return strings.ReplaceAll(t.String(), "tftypes.", "")
}

func signature(f *tfprotov6.Function) string {
	var parameters []string
	for _, p := range f.Parameters {
		parameters = append(parameters, typeName(p.Type))
	}
	if v := f.VariadicParameter; v != nil {
		parameters = append(parameters, typeName(v.Type)+"...")
	}
	return "(" + strings.Join(parameters, ", ") + ") " + typeName(f.Return.Type)
}

func sorted[V any](m map[string]V) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
