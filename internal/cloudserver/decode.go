package cloudserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"reflect"
	"strconv"
	"strings"
	"unicode"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver/transport"
)

// parse returns the value of a JSON document, with numbers as json.Number. It returns false for any other text.
func parse(document []byte) (value any, ok bool) {
	decoder := json.NewDecoder(bytes.NewReader(document))
	decoder.UseNumber()
	if decoder.Decode(&value) != nil {
		return nil, false
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) { // there is something after the value
		return nil, false
	}
	return value, true
}

// fill decodes a JSON value into a variable that has its zero value. It reports whether the value has the variable's
// shape. A part that is null, absent or of another shape leaves its variable unchanged and is not a failure of the
// whole.
//
// Field tags: json is the field's name, and or an alternative name. shape:"any" decodes a value that is not a string as
// its JSON text. secrets:"hidden" is for values that the service chooses and that are stored in a state, because a
// service may put the token there. Values that the configuration chooses, such as names, are kept.
func fill(into reflect.Value, value any) (ok bool) {
	switch into.Kind() {
	case reflect.Pointer:
		found := reflect.New(into.Type().Elem())
		if ok = fill(found.Elem(), value); ok {
			into.Set(found)
		}
	case reflect.Struct:
		var object map[string]any
		object, ok = value.(map[string]any)
		for i := range into.NumField() {
			fillField(into.Field(i), into.Type().Field(i), object)
		}
	case reflect.Slice:
		var elements []any
		if elements, ok = value.([]any); ok {
			into.Set(reflect.MakeSlice(into.Type(), 0, len(elements))) // empty, but not nil
		}
		for _, element := range elements {
			if one := reflect.New(into.Type().Elem()).Elem(); fill(one, element) {
				into.Set(reflect.Append(into, one))
			}
		}
	case reflect.Map:
		var texts map[string]any
		if texts, ok = value.(map[string]any); ok {
			into.Set(reflect.MakeMap(into.Type()))
		}
		for name, text := range texts {
			if one := reflect.New(into.Type().Elem()).Elem(); fill(one, text) {
				into.SetMapIndex(reflect.ValueOf(printable(name)), one)
			}
		}
	case reflect.String:
		var text string
		text, ok = value.(string)
		into.SetString(printable(text))
	case reflect.Int64:
		var number int64
		number, ok = integer(value)
		into.SetInt(number)
	case reflect.Bool:
		var is bool
		is, ok = value.(bool)
		into.SetBool(is)
	default: // no decoded type has another kind
	}
	return ok
}

func fillField(into reflect.Value, field reflect.StructField, object map[string]any) {
	if field.Anonymous {
		fill(into, object)
		return
	}
	value := object[field.Tag.Get("json")]
	if or, ok := field.Tag.Lookup("or"); ok && value == nil {
		value = object[or]
	}
	if value != nil && field.Tag.Get("shape") == "any" {
		value = textOf(value)
	}
	if text, ok := value.(string); ok && field.Tag.Get("secrets") == "hidden" {
		value = transport.Hide(text)
	}
	fill(into, value)
}

// integer returns the value of an integer, even if it is written as 2.0 or "2".
func integer(value any) (int64, bool) {
	var text string
	switch value := value.(type) {
	case json.Number:
		text = value.String()
	case string:
		text = value
	}
	if number, err := strconv.ParseInt(text, 10, 64); err == nil {
		return number, true
	}
	float, err := strconv.ParseFloat(text, 64)
	if err != nil || float != math.Trunc(float) || math.Abs(float) >= 1<<53 {
		return 0, false
	}
	return int64(float), true
}

// textOf returns a string unchanged, and any other value as compact JSON.
func textOf(value any) string {
	text, ok := value.(string)
	if !ok {
		var document strings.Builder
		encoder := json.NewEncoder(&document)
		encoder.SetEscapeHTML(false)
		_ = encoder.Encode(value) // cannot fail: it was decoded from a document
		text = strings.TrimSpace(document.String())
	}
	return replaceUnprintable(text, "\n\t")
}

// printable replaces unprintable characters in a value of an answer: an escape sequence in a name must not reach a
// terminal through the state.
func printable(value string) string { return replaceUnprintable(value, "") }

func replaceUnprintable(value, except string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) || strings.ContainsRune(except, r) {
			return r
		}
		return unicode.ReplacementChar
	}, value)
}
