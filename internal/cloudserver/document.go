package cloudserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// What a document costs in memory once it is decoded, at most: a small document
// can describe a million empty objects.
const (
	objectCost  = 400 // bytes of an object
	listedCost  = 250 // more, for an element of the outermost array
	elementCost = 80  // of an element of any array

	maxDepth   = 32
	maxMembers = 10_000 // of an object whose members are read one by one
)

var errTooDeep = fmt.Errorf("it is nested more than %d levels deep", maxDepth)

// checkSize returns an error if decoding a JSON document would take more memory
// than an answer may, or if it is nested deeper than any answer of the service.
// It allocates nothing.
func checkSize(document []byte) error {
	cost, depth := len(document), 0
	var arrays uint64 // a bit a level: set for an array
	for i := 0; i < len(document); i++ {
		switch document[i] {
		case '"':
			i = endOfString(document, i) - 1
		case '{', '[':
			if depth++; depth > maxDepth {
				return errTooDeep
			}
			arrays <<= 1
			switch {
			case document[i] == '{' && depth == 2:
				cost += objectCost + listedCost
			case document[i] == '{':
				cost += objectCost
			default:
				arrays |= 1
				cost += elementCost
			}
		case '}', ']':
			depth--
			arrays >>= 1
		case ',':
			cost += int(arrays&1) * elementCost
		}
	}
	if cost > memoryOfAnswer {
		return errTooMany
	}
	return nil
}

// endOfString returns the index after the string that begins at i.
func endOfString(document []byte, i int) int {
	for i++; i < len(document); i++ {
		switch document[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(document)
}

// endOfValue returns the index after the value that begins at i, in a valid
// document.
func endOfValue(document []byte, i int) int {
	for depth := 0; i < len(document); i++ {
		switch document[i] {
		case '"':
			if i = endOfString(document, i); depth == 0 {
				return i
			}
			i--
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return i
			}
			if depth--; depth == 0 {
				return i + 1
			}
		case ',', ':', ' ', '\n', '\r', '\t':
			if depth == 0 {
				return i
			}
		}
	}
	return i
}

// skip returns the index of the next byte that is neither white space nor one of
// the separators.
func skip(document []byte, i int, separators string) int {
	for ; i < len(document); i++ {
		switch c := document[i]; {
		case c == ' ', c == '\n', c == '\r', c == '\t':
		case len(separators) > 0 && c == separators[0]:
			separators = separators[1:]
		default:
			return i
		}
	}
	return i
}

// elementsOf returns the elements of a JSON array, which share its memory, and
// nil for anything else. The document has to be valid.
func elementsOf(array []byte) []json.RawMessage {
	i := skip(array, 0, "")
	if i == len(array) || array[i] != '[' {
		return nil
	}
	elements := []json.RawMessage{}
	for i = skip(array, i+1, ""); i < len(array) && array[i] != ']'; i = skip(array, i, ",") {
		end := endOfValue(array, i)
		if end == i { // not a valid document
			return nil
		}
		elements = append(elements, array[i:end:end])
		i = end
	}
	return elements
}

// member is one field of a JSON object.
type member struct {
	name  string // printable
	value json.RawMessage
}

// members returns the fields of a JSON object in the order that it is written
// in. Their values share its memory. The document has to be valid.
func members(object []byte) ([]member, error) {
	i := skip(object, 0, "")
	if i == len(object) || object[i] != '{' {
		return nil, fmt.Errorf("a JSON object was expected, not %s", kindOf(object))
	}
	var fields []member
	for i = skip(object, i+1, ""); i < len(object) && object[i] != '}'; i = skip(object, i, ",") {
		if len(fields) == maxMembers {
			return nil, errTooMany
		}
		var name string
		if object[i] != '"' { // not a valid document
			return nil, fmt.Errorf("a JSON object was expected, not %s", kindOf(object))
		}
		end := endOfString(object, i)
		if err := json.Unmarshal(object[i:end], &name); err != nil {
			return nil, err
		}
		i = skip(object, end, ":")
		end = endOfValue(object, i)
		fields = append(fields, member{printable(name), object[i:end:end]})
		i = end
	}
	return fields, nil
}

var errTooMany = errors.New("it contains more values than any answer of the service")

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
