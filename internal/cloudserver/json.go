// SPDX-License-Identifier: MPL-2.0

package cloudserver

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// text is a string. A value of any other shape is kept as its JSON.
type text string

// UnmarshalJSON implements json.Unmarshaler.
func (t *text) UnmarshalJSON(document []byte) error {
	if document[0] == '"' {
		return json.Unmarshal(document, (*string)(t))
	}
	var compact bytes.Buffer
	err := json.Compact(&compact, document)
	*t = text(compact.String())
	return err
}

// list is an array. The service has been seen to answer with a single object instead of an array of one (API.md §5).
type list[T any] []T

// UnmarshalJSON implements json.Unmarshaler.
func (l *list[T]) UnmarshalJSON(document []byte) error {
	if document[0] == '{' {
		*l = make(list[T], 1)
		return json.Unmarshal(document, &(*l)[0])
	}
	return json.Unmarshal(document, (*[]T)(l))
}

// decode decodes a JSON document. Its errors follow "the answer is not understood".
func decode(document []byte, target any) error {
	err := json.Unmarshal(document, target)
	if len(bytes.TrimSpace(document)) == 0 {
		return errEmpty
	}
	if _, ok := errors.AsType[*json.SyntaxError](err); ok {
		return errors.New("it is not JSON")
	}
	if mismatch, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		field := cmp.Or(strings.TrimPrefix(mismatch.Field, "fields."), "an object or a list")
		return fmt.Errorf("it has a JSON %s in place of %s", mismatch.Value, field)
	}
	return err
}
