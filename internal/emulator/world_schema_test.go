package emulator_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

var updateSchema = flag.Bool("update", false, "write world.schema.json")

// TestWorldSchemaFile: world.schema.json matches the types of a world and their tags.
func TestWorldSchemaFile(t *testing.T) {
	t.Parallel()
	const name = "world.schema.json"
	world := schemaOf(reflect.TypeFor[emulator.World](), "")
	world.Dialect, world.Title = "https://json-schema.org/draft/2020-12/schema", "World of the emulator"
	world.Description = "What `emulator --seed FILE` reads, and what `--dump`, `--state` and `GET /_emulator/world` write."
	want, err := json.MarshalIndent(world, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	want = append(want, '\n')
	if *updateSchema {
		if err := os.WriteFile(name, want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(emulator.Schema, want) {
		t.Errorf("%s does not match the types: run make generate", name)
	}
}

// jsonSchema is a JSON Schema, its keywords in the order of the file.
type jsonSchema struct {
	Dialect     string      `json:"$schema,omitempty"`
	Title       string      `json:"title,omitempty"`
	Description string      `json:"description,omitempty"`
	Type        string      `json:"type,omitempty"`
	Additional  any         `json:"additionalProperties,omitempty"` // false, or a schema
	Properties  properties  `json:"properties,omitempty"`
	Required    []string    `json:"required,omitempty"`
	Items       *jsonSchema `json:"items,omitempty"`
	MaxItems    json.Number `json:"maxItems,omitempty"`
	Format      string      `json:"format,omitempty"`
	MinLength   json.Number `json:"minLength,omitempty"`
	Pattern     string      `json:"pattern,omitempty"`
	Enumeration []string    `json:"enum,omitempty"`
	Minimum     json.Number `json:"minimum,omitempty"`
	Maximum     json.Number `json:"maximum,omitempty"`
}

// properties are the properties of an object, in the order of its fields.
type properties []property

type property struct {
	name   string
	schema jsonSchema
}

// MarshalJSON writes the properties as an object.
func (p properties) MarshalJSON() ([]byte, error) {
	var members [][]byte
	for _, member := range p {
		value, err := json.Marshal(member.schema)
		if err != nil {
			return nil, err
		}
		members = append(members, append([]byte(`"`+member.name+`":`), value...))
	}
	return append(append([]byte{'{'}, bytes.Join(members, []byte{','})...), '}'), nil
}

// schemaOf returns the schema of a type. The keywords in tag apply to the value, or to the elements of a list.
func schemaOf(of reflect.Type, tag reflect.StructTag) jsonSchema {
	switch {
	case of == reflect.TypeFor[time.Time]():
		return jsonSchema{Type: "string", Format: "date-time"}
	case of.Kind() == reflect.Pointer:
		return schemaOf(of.Elem(), tag)
	case of.Kind() == reflect.Struct:
		object := jsonSchema{Type: "object", Additional: false}
		object.add(of)
		return object
	case of.Kind() == reflect.Slice:
		items := schemaOf(of.Elem(), tag)
		return jsonSchema{Type: "array", Items: &items, MaxItems: json.Number(tag.Get("maxItems"))}
	case of == reflect.TypeFor[map[string]any]():
		return jsonSchema{Type: "object"}
	case of.Kind() == reflect.Map:
		return jsonSchema{Type: "object", Additional: schemaOf(of.Elem(), tag)}
	case of.Kind() == reflect.Bool:
		return jsonSchema{Type: "boolean"}
	case of.Kind() == reflect.String:
		text := jsonSchema{Type: "string", MinLength: json.Number(tag.Get("minLength")), Pattern: tag.Get("pattern")}
		if values := tag.Get("enum"); values != "" {
			text.Enumeration = strings.Split(values, ",")
		}
		return text
	}
	return jsonSchema{Type: "integer", Minimum: json.Number(tag.Get("minimum")), Maximum: json.Number(tag.Get("maximum"))}
}

// add adds the fields of a struct, including those of embedded structs. A field that is always written is required.
func (s *jsonSchema) add(of reflect.Type) {
	for field := range of.Fields() {
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case field.Anonymous:
			s.add(field.Type)
			continue
		case name == "" || name == "-":
			continue
		}
		value := schemaOf(field.Type, field.Tag)
		value.Description = field.Tag.Get("description")
		s.Properties = append(s.Properties, property{name, value})
		if options == "" && field.Tag.Get("required") != "false" {
			s.Required = append(s.Required, name)
		}
	}
}
