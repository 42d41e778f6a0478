// SPDX-License-Identifier: MPL-2.0

package cloudserver

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
)

// Text is a string. A value of any other shape is kept as its JSON.
type Text string

// UnmarshalJSON implements json.Unmarshaler.
func (t *Text) UnmarshalJSON(document []byte) error {
	if document[0] == '"' {
		return json.Unmarshal(document, (*string)(t))
	}
	var compact bytes.Buffer
	err := json.Compact(&compact, document)
	*t = Text(compact.String())
	return err
}

// decodeList decodes an array. The service has been seen to answer with a single object instead of an array of one
// (API.md §5).
func decodeList[T any](document []byte) (found []T, err error) {
	if bytes.HasPrefix(bytes.TrimSpace(document), []byte("{")) {
		found = make([]T, 1)
		return found, decode(document, &found[0])
	}
	err = decode(document, &found)
	return found, err
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
		wanted := "an object"
		if mismatch.Type.Kind() == reflect.Slice {
			wanted = "a list"
		}
		return fmt.Errorf("it has a JSON %s in place of %s", mismatch.Value, cmp.Or(mismatch.Field, wanted))
	}
	return err
}
