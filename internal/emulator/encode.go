package emulator

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
)

// encode returns an answer as it is sent, in the forms that Options.Answers chooses.
func (e *Emulator) encode(a answer) outcome {
	header := http.Header{}
	if p, ok := a.value.(problems); ok {
		a.value = p.as(e.options.Answers.Problems)
	}
	if a.value == nil {
		return outcome{status: a.status, header: header}
	}
	if message, ok := a.value.(text); ok {
		header.Set("Content-Type", "text/plain; charset=utf-8")
		return outcome{status: a.status, header: header, body: []byte(message)}
	}
	body, err := json.Marshal(a.value)
	if err == nil && a.status < 300 {
		body, err = e.options.Answers.reshape(a, body)
	}
	if err != nil {
		return e.encode(plain(http.StatusInternalServerError, "cannot encode the answer: %v", err))
	}
	contentType := "application/json"
	if a.kind != "" && !e.options.Answers.PlainJSON {
		contentType = mediaType(e.options.Vendor, a.kind) + "+json"
	}
	header.Set("Content-Type", contentType)
	return outcome{status: a.status, header: header, body: body}
}

// mediaType returns the value of a type field (API.md §8).
func mediaType(vendor, kind string) string {
	return "application/vnd." + vendor + "." + kind
}

// written returns the answer to a successful POST or PUT.
func (f Answers) written(a answer) answer {
	switch f.Writes {
	case WriteEmptyObject:
		a.kind, a.value = "", struct{}{}
	case WriteNothing:
		a.value = nil
	case WriteObject:
	}
	if f.WriteStatus != 0 {
		a.status = f.WriteStatus
	}
	return a
}

// reshape changes the body of a success. Definitions have forms of their own.
func (f Answers) reshape(a answer, body []byte) ([]byte, error) {
	if _, ok := a.value.(json.RawMessage); ok || !f.PlainJSON && !f.OmitNulls && !f.ExtraFields && !f.SingleObject && !f.ObjectShapes {
		return body, nil
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber() // ids keep their digits
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	f.walk(value)
	if list, ok := value.([]any); ok && f.SingleObject && len(list) == 1 {
		value = list[0]
	}
	return json.Marshal(value)
}

// walk changes every object in a value.
func (f Answers) walk(value any) {
	switch value := value.(type) {
	case []any:
		for _, element := range value {
			f.walk(element)
		}
	case map[string]any:
		for _, field := range value {
			f.walk(field)
		}
		f.change(value)
	}
}

// change changes one object.
func (f Answers) change(object map[string]any) {
	maps.DeleteFunc(object, func(name string, field any) bool {
		return field == nil && f.OmitNulls || name == "type" && f.PlainJSON
	})
	for _, name := range []string{"keymap", "head"} {
		if v, ok := object[name].(string); ok && f.ObjectShapes {
			object[name] = map[string]any{"name": v}
		}
	}
	if _, ok := object["id"]; ok && f.ExtraFields {
		object["colour"], object["links"] = nil, []any{map[string]any{"rel": "self"}}
	}
}
