package emulator

import (
	"encoding/json"
	"net/http"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator/shape"
)

// encode returns an answer as it is sent, in the forms that Options.Answers selects.
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
	var body []byte
	var err error
	if list, ok := a.value.(machineWires); ok {
		body, err = list.MarshalJSON() // json.Marshal would also read it
	} else {
		body, err = json.Marshal(a.value)
	}
	// Definitions have their own forms.
	if _, defined := a.value.(json.RawMessage); err == nil && a.status < 300 && !defined {
		body, err = e.options.Answers.Reshape(body)
	}
	if err != nil {
		return e.encode(plain(http.StatusInternalServerError, "cannot encode the answer: %v", err))
	}
	contentType := "application/json"
	if a.kind != "" && !e.options.Answers.PlainJSON {
		contentType = mediaType(e.options.Vendor, a.kind) + "+json"
	}
	if e.options.Answers.Charset {
		contentType += "; charset=utf-8"
	}
	header.Set("Content-Type", contentType)
	return outcome{status: a.status, header: header, body: body}
}

// mediaType returns the value of a type field (API.md §8).
func mediaType(vendor, kind string) string {
	return "application/vnd." + vendor + "." + kind
}

// written returns the answer to a successful POST or PUT.
func written(f shape.Answers, a answer) answer {
	switch f.Writes {
	case shape.WriteEmptyObject:
		a.kind, a.value = "", struct{}{}
	case shape.WriteNothing:
		a.value = nil
	case shape.WriteObject:
	}
	if f.WriteStatus != 0 {
		a.status = f.WriteStatus
	}
	return a
}
