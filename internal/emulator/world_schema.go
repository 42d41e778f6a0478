package emulator

import (
	_ "embed" // the schema
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"sync"
	"unicode/utf8"
)

// Schema is the JSON Schema of a world.
//
//go:embed world.schema.json
var Schema []byte

// rule is the part of JSON Schema that worlds need. A library for all of it would take most of the time in which the
// process starts.
type rule struct {
	Type        string           `json:"type"`
	Properties  map[string]*rule `json:"properties"`
	Additional  json.RawMessage  `json:"additionalProperties"` // false, or a rule
	Required    []string         `json:"required"`
	Items       *rule            `json:"items"`
	MaxItems    *int             `json:"maxItems"`
	Minimum     *float64         `json:"minimum"`
	Maximum     *float64         `json:"maximum"`
	MinLength   int              `json:"minLength"`
	Pattern     string           `json:"pattern"`
	Enumeration []string         `json:"enum"`

	pattern func() (*regexp.Regexp, error) // compiles Pattern once; nil: no pattern
}

// UnmarshalJSON reads a rule.
func (r *rule) UnmarshalJSON(data []byte) error {
	type plain rule
	err := json.Unmarshal(data, (*plain)(r))
	if written := r.Pattern; written != "" {
		r.pattern = sync.OnceValues(func() (*regexp.Regexp, error) { return regexp.Compile(written) })
	}
	return err
}

// schema decodes Schema once.
var schema = sync.OnceValues(func() (*rule, error) {
	var r rule
	return &r, json.Unmarshal(Schema, &r)
})

// checkSchema returns the first violation of the schema, with its path.
func checkSchema(data []byte) error {
	r, err := schema()
	if err != nil {
		return err
	}
	var world any
	if err := json.Unmarshal(data, &world); err != nil {
		return fmt.Errorf("is not JSON: %w", err)
	}
	return r.check(world, nil)
}

// CheckMachine returns an error if a world with this machine could not be loaded, apart from names and labels that are
// taken.
func CheckMachine(m Machine) error {
	r, err := schema()
	if err != nil {
		return err
	}
	data, err := json.Marshal(WorldMachine{Machine: m})
	if err != nil {
		return err
	}
	var value any
	if err := json.Unmarshal(data, &value); err != nil {
		return err
	}
	for _, list := range []string{"accounts", "groups", "virtual_machines"} {
		r = r.Properties[list].Items
	}
	return r.check(value, nil)
}

func (r *rule) check(value any, at path) error {
	if r.Type == "" && r.Enumeration == nil { // any value
		return nil
	}
	switch value := value.(type) {
	case map[string]any:
		if r.Type == "object" {
			return r.checkObject(value, at)
		}
	case []any:
		if r.Type == "array" {
			return r.checkArray(value, at)
		}
	case string:
		if r.Type == "string" || r.Enumeration != nil {
			return r.checkText(value, at)
		}
	case float64:
		if r.Type == "integer" && value == float64(int64(value)) {
			return r.checkNumber(value, at)
		}
	case bool:
		if r.Type == "boolean" {
			return nil
		}
	}
	return wrong("has the wrong type, want "+r.Type, at)
}

func (r *rule) checkObject(object map[string]any, at path) error {
	for _, name := range r.Required {
		if _, ok := object[name]; !ok {
			return wrong("missing property '"+name+"'", at)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		member, in := r.Properties[name], append(at, name)
		if member == nil && r.Additional == nil {
			continue
		}
		if member == nil && json.Unmarshal(r.Additional, &member) != nil {
			return wrong("is unknown", in)
		}
		if err := member.check(object[name], in); err != nil {
			return err
		}
	}
	return nil
}

func (r *rule) checkArray(array []any, at path) error {
	if r.MaxItems != nil && len(array) > *r.MaxItems {
		return wrong(fmt.Sprintf("has %d elements, want at most %d", len(array), *r.MaxItems), at)
	}
	for i, element := range array {
		if err := r.Items.check(element, append(at, i)); err != nil {
			return err
		}
	}
	return nil
}

func (r *rule) checkText(text string, at path) error {
	switch {
	case utf8.RuneCountInString(text) < r.MinLength:
		return wrong(fmt.Sprintf("has fewer than %d characters", r.MinLength), at)
	case r.Enumeration != nil && !slices.Contains(r.Enumeration, text):
		return wrong(fmt.Sprintf("must be one of %q", r.Enumeration), at)
	}
	if r.pattern == nil {
		return nil
	}
	if pattern, err := r.pattern(); err != nil || !pattern.MatchString(text) {
		return wrong("does not match "+r.Pattern, at)
	}
	return nil
}

func (r *rule) checkNumber(number float64, at path) error {
	if r.Minimum != nil && number < *r.Minimum || r.Maximum != nil && number > *r.Maximum {
		return wrong(fmt.Sprintf("%.0f is out of range", number), at)
	}
	return nil
}
