package cloudserver

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unicode"
)

// The loose types decode any JSON value. One that is null, or of another shape
// than expected, leaves them nil: it never fails the document around it.

// looseText is a string.
type looseText struct{ value *string }

// UnmarshalJSON implements json.Unmarshaler and never fails.
func (l *looseText) UnmarshalJSON(data []byte) error {
	l.value = nil
	var text *string
	if json.Unmarshal(data, &text) == nil && text != nil {
		*text = printable(*text)
		l.value = text
	}
	return nil
}

// printable replaces, in a value of an answer, what cannot be printed. A name
// with an escape sequence must not reach a terminal by way of the state.
func printable(value string) string { return replaceUnprintable(value, "") }

// printableLines is printable for a text that may have several lines.
func printableLines(value string) string { return replaceUnprintable(value, "\n\t") }

func replaceUnprintable(value, except string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) || strings.ContainsRune(except, r) {
			return r
		}
		return unicode.ReplacementChar
	}, value)
}

// looseAny is a string or, where the shape is not specified, the value's JSON.
type looseAny struct{ value *string }

// UnmarshalJSON implements json.Unmarshaler and never fails.
func (l *looseAny) UnmarshalJSON(data []byte) error {
	l.value = nil
	if kindOf(data) != "null" {
		text := textOf(data)
		l.value = &text
	}
	return nil
}

// textOf returns a string as it is, and any other value as compact JSON.
func textOf(data []byte) string {
	var text string
	if kindOf(data) == "a string" && json.Unmarshal(data, &text) == nil {
		return printableLines(text)
	}
	var compact bytes.Buffer
	if json.Compact(&compact, data) != nil {
		return printableLines(string(data))
	}
	return printableLines(compact.String())
}

// looseInt is an integer, also one written as 2.0 or "2".
type looseInt struct{ value *int64 }

// UnmarshalJSON implements json.Unmarshaler and never fails.
func (l *looseInt) UnmarshalJSON(data []byte) error {
	l.value = nil
	text := strings.Trim(string(data), `"`)
	if number, err := strconv.ParseInt(text, 10, 64); err == nil {
		l.value = &number
	} else if float, err := strconv.ParseFloat(text, 64); err == nil && float == math.Trunc(float) && math.Abs(float) < 1<<53 {
		number := int64(float)
		l.value = &number
	}
	return nil
}

// looseBool is true or false.
type looseBool struct{ value *bool }

// UnmarshalJSON implements json.Unmarshaler and never fails.
func (l *looseBool) UnmarshalJSON(data []byte) error {
	l.value = nil
	var truth *bool
	if json.Unmarshal(data, &truth) == nil {
		l.value = truth
	}
	return nil
}

// looseList is an array; elements of another shape than T's are left out.
// An array that is empty is not nil.
type looseList[T any] struct{ elements []T }

// UnmarshalJSON implements json.Unmarshaler and never fails.
func (l *looseList[T]) UnmarshalJSON(data []byte) error {
	l.elements = nil
	raw := elementsOf(data)
	if raw == nil { // not an array
		return nil
	}
	l.elements = make([]T, 0, len(raw))
	for _, one := range raw {
		var element T
		if kindOf(one) != "null" && json.Unmarshal(one, &element) == nil {
			l.elements = append(l.elements, element)
		}
	}
	return nil
}

// texts returns the strings of a list, nil if the answer has no list.
func texts(list looseList[looseText]) []string {
	if list.elements == nil {
		return nil
	}
	texts := make([]string, 0, len(list.elements))
	for _, element := range list.elements {
		if element.value != nil {
			texts = append(texts, *element.value)
		}
	}
	return texts
}

// valueOf returns what a pointer points to, or the zero value.
func valueOf[T any](pointer *T) T {
	if pointer == nil {
		var zero T
		return zero
	}
	return *pointer
}
