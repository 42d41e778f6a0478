package cloudserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"unicode"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver/transport"
)

// decodeObject decodes a JSON object into the fields of a struct that have a json
// tag. A value that is null, absent or of another shape leaves its field empty: it
// never fails the object.
func decodeObject(data []byte, object any, what string) error {
	var values map[string]json.RawMessage
	if json.Unmarshal(data, &values) != nil {
		return fmt.Errorf("%s was expected, not %s", what, kindOf(data))
	}
	target := reflect.ValueOf(object).Elem()
	target.SetZero()
	for i := range target.NumField() {
		tag := target.Type().Field(i).Tag
		value := values[tag.Get("json")]
		switch {
		case value == nil, tag.Get("json") == "":
		case tag.Get("shape") == "any":
			target.Field(i).Set(reflect.ValueOf(looseAny(value)))
		default:
			decodeField(value, target.Field(i).Addr().Interface())
		}
	}
	return nil
}

// decodeField decodes a JSON value of the shape of a field, and ignores any other.
func decodeField(value json.RawMessage, field any) {
	switch field := field.(type) {
	case *string:
		*field = valueOf(looseText(value))
	case **string:
		*field = looseText(value)
	case *int64:
		*field = valueOf(looseInt(value))
	case **int64:
		*field = looseInt(value)
	case *bool:
		*field = valueOf(looseBool(value))
	case **bool:
		*field = looseBool(value)
	case *map[string]string:
		*field = looseTexts(value)
	default:
		decodeList(value, reflect.ValueOf(field).Elem())
	}
}

// decodeList decodes an array. Elements of another shape than the list's are left
// out; an array that is empty is not nil.
func decodeList(value json.RawMessage, list reflect.Value) {
	elements := elementsOf(value)
	if elements == nil { // not an array
		return
	}
	list.Set(reflect.MakeSlice(list.Type(), 0, len(elements)))
	for _, one := range elements {
		element := reflect.New(list.Type().Elem())
		if kindOf(one) == "null" || json.Unmarshal(one, element.Interface()) != nil {
			continue
		}
		if text, ok := element.Interface().(*string); ok {
			*text = printable(*text)
		}
		list.Set(reflect.Append(list, element.Elem()))
	}
}

// looseText returns a string, nil for anything else.
func looseText(data []byte) *string {
	var text *string
	if json.Unmarshal(data, &text) != nil || text == nil {
		return nil
	}
	*text = printable(*text)
	return text
}

// looseTexts returns the strings of an object, nil for anything else.
func looseTexts(object []byte) map[string]string {
	fields, err := members(object)
	if err != nil {
		return nil
	}
	texts := make(map[string]string, len(fields))
	for _, field := range fields {
		if text := looseText(field.value); text != nil {
			texts[printable(field.name)] = *text
		}
	}
	return texts
}

// looseAny returns a string or, where the shape is not specified, the value's
// JSON. It hides secrets: a state stores it.
func looseAny(data []byte) *string {
	if kindOf(data) == "null" {
		return nil
	}
	text := textOf(data)
	return withoutSecrets(&text)
}

// looseInt returns an integer, also one written as 2.0 or "2"; nil for anything else.
func looseInt(data []byte) *int64 {
	text := strings.Trim(string(data), `"`)
	if number, err := strconv.ParseInt(text, 10, 64); err == nil {
		return &number
	}
	if float, err := strconv.ParseFloat(text, 64); err == nil && float == math.Trunc(float) && math.Abs(float) < 1<<53 {
		number := int64(float)
		return &number
	}
	return nil
}

// looseBool returns true or false, nil for anything else.
func looseBool(data []byte) *bool {
	var value *bool
	if json.Unmarshal(data, &value) != nil {
		return nil
	}
	return value
}

// valueOf returns what a pointer points to, or the zero value.
func valueOf[T any](pointer *T) T {
	if pointer == nil {
		var zero T
		return zero
	}
	return *pointer
}

// withoutSecrets hides secrets in a value that the service chooses and a state
// stores. Values that a configuration chooses, such as names, stay as they are.
func withoutSecrets(value *string) *string {
	if value == nil {
		return nil
	}
	hidden := transport.Hide(*value)
	return &hidden
}

// textOf returns a string as it is, and any other value as compact JSON.
func textOf(data []byte) string {
	text := string(data)
	var compact bytes.Buffer
	if kindOf(data) == "a string" {
		_ = json.Unmarshal(data, &text) // part of a valid document
	} else if json.Compact(&compact, data) == nil {
		text = compact.String()
	}
	return replaceUnprintable(text, "\n\t")
}

// printable replaces, in a value of an answer, what cannot be printed. A name
// with an escape sequence must not reach a terminal by way of the state.
func printable(value string) string { return replaceUnprintable(value, "") }

func replaceUnprintable(value, except string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) || strings.ContainsRune(except, r) {
			return r
		}
		return unicode.ReplacementChar
	}, value)
}

// elementsOf returns the elements of a JSON array, and nil for anything else.
func elementsOf(array []byte) []json.RawMessage {
	var elements []json.RawMessage
	if json.Unmarshal(array, &elements) != nil {
		return nil
	}
	return elements
}

// member is one field of a JSON object.
type member struct {
	name  string
	value json.RawMessage
}

// members returns the fields of a JSON object in the order that it is written in.
func members(object []byte) ([]member, error) {
	decoder := json.NewDecoder(bytes.NewReader(object))
	if start, err := decoder.Token(); err != nil || start != json.Delim('{') {
		return nil, fmt.Errorf("a JSON object was expected, not %s", kindOf(object))
	}
	var fields []member
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		field := member{name: fmt.Sprint(name)}
		if err := decoder.Decode(&field.value); err != nil {
			return nil, err
		}
		fields = append(fields, field)
	}
	return fields, nil
}

// kindOf returns the name of the kind of a JSON value.
func kindOf(value []byte) string {
	value = bytes.TrimSpace(value)
	if len(value) == 0 {
		return "nothing"
	}
	switch value[0] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}
