package emulator

import (
	"bytes"
	_ "embed" // the schema
	"errors"
	"fmt"
	"strconv"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// Schema is the JSON Schema of a world.
//
//go:embed world.schema.json
var Schema []byte

// schema compiles Schema once.
var schema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema))
	if err != nil {
		return nil, err
	}
	const url = "world.schema.json"
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(url, document); err != nil {
		return nil, err
	}
	return compiler.Compile(url)
})

// checkSchema returns the first violation of the schema, with its path.
func checkSchema(data []byte) error {
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("is not JSON: %w", err)
	}
	compiled, err := schema()
	if err != nil {
		return err
	}
	err = compiled.Validate(instance)
	violation, ok := errors.AsType[*jsonschema.ValidationError](err)
	if !ok {
		return err
	}
	for len(violation.Causes) > 0 {
		violation = violation.Causes[0]
	}
	at := path{}
	for _, token := range violation.InstanceLocation {
		if n, err := strconv.Atoi(token); err == nil {
			at = append(at, n)
		} else {
			at = append(at, token)
		}
	}
	problem := violation.ErrorKind.LocalizedString(message.NewPrinter(language.English))
	if unknown, ok := violation.ErrorKind.(*kind.AdditionalProperties); ok {
		return wrong("is unknown", append(at, unknown.Properties[0])...)
	}
	return wrong(problem, at...)
}
