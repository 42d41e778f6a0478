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
		case tag.Get("json") == "" || value == nil || kindOf(value) == "null":
		case tag.Get("shape") == "any":
			text := textOf(value)
			target.Field(i).Set(reflect.ValueOf(withoutSecrets(&text)))
		default:
			decodeField(value, target.Field(i))
		}
	}
	return nil
}

// decodeField decodes a JSON value of the shape of a field. It reports false, and
// leaves the field as it is, for one of any other.
func decodeField(value []byte, field reflect.Value) (ok bool) {
	kind := field.Type()
	if kind.Kind() == reflect.Pointer {
		kind = kind.Elem()
	}
	found := reflect.New(kind)
	switch into := found.Interface().(type) {
	case *string:
		ok = looseText(value, into)
	case *int64:
		ok = looseInt(value, into)
	case *map[string]string:
		ok = looseTexts(value, into)
	default:
		ok = kind.Kind() == reflect.Slice && looseList(value, found.Elem()) || json.Unmarshal(value, into) == nil
	}
	switch {
	case ok && field.Kind() == reflect.Pointer:
		field.Set(found)
	case ok:
		field.Set(found.Elem())
	}
	return ok
}

// looseList decodes an array. Elements of another shape than the list's are left
// out; an array that is empty is not nil.
func looseList(value []byte, list reflect.Value) bool {
	elements := elementsOf(value)
	list.Set(reflect.MakeSlice(list.Type(), 0, len(elements)))
	for _, one := range elements {
		element := reflect.New(list.Type().Elem()).Elem()
		if kindOf(one) != "null" && decodeField(one, element) {
			list.Set(reflect.Append(list, element))
		}
	}
	return elements != nil
}

// looseText decodes a string.
func looseText(data []byte, text *string) bool {
	ok := kindOf(data) == "a string" && json.Unmarshal(data, text) == nil
	*text = printable(*text)
	return ok
}

// looseTexts decodes the strings of an object.
func looseTexts(object []byte, texts *map[string]string) bool {
	fields, err := members(object)
	*texts = make(map[string]string, len(fields))
	for _, field := range fields {
		var text string
		if looseText(field.value, &text) {
			(*texts)[printable(field.name)] = text
		}
	}
	return err == nil
}

// looseInt decodes an integer, also one written as 2.0 or "2".
func looseInt(data []byte, number *int64) bool {
	text := strings.Trim(string(data), `"`)
	var err error
	if *number, err = strconv.ParseInt(text, 10, 64); err == nil {
		return true
	}
	float, err := strconv.ParseFloat(text, 64)
	*number = int64(float)
	return err == nil && float == math.Trunc(float) && math.Abs(float) < 1<<53
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
