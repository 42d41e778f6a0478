// SPDX-License-Identifier: MPL-2.0

package acctest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// Form is a form of answers that API.md leaves to a service, and in which services have been seen to answer.
type Form struct {
	Name string // begins with its clause of API.md, if there is one
	// failedCreations is how many of the first vm_create are answered with 500, and not carried out.
	failedCreations int
	// change changes the answer and returns its new body. age is that of the machine in the path of the request.
	change func(answer *http.Response, body []byte, age time.Duration) []byte
}

// Forms returns all of them.
func Forms() []Form {
	return []Form{
		{Name: "1.1 plain JSON without types", change: withoutTypes},
		{Name: "1.5 nulls are absent", change: ofObjects(func(o map[string]any) { maps.DeleteFunc(o, isNull) })},
		{Name: "1.5 nulls are present", change: ofObjects(addNulls)},
		{Name: "1.6 writes answer 200 and {}", change: writesAnswer(http.StatusOK, "{}")},
		{Name: "1.6 writes answer 202 and nothing", change: writesAnswer(http.StatusAccepted, "")},
		{Name: "1.6 writes answer 204", change: writesAnswer(http.StatusNoContent, "")},
		{Name: "1.9 problems in plain text", change: plainProblems},
		{Name: "3.1 202 after a creation", change: unreadable(http.StatusAccepted)},
		{Name: "404 after a creation", change: unreadable(http.StatusNotFound)},
		{Name: "5.1 a list of one is an object", change: singleObject},
		{Name: "7.8 concurrent creations fail", failedCreations: 2},
		{Name: "8.1 IPv6 management address", change: ofObjects(useIPv6Management)},
	}
}

// FormTransport reshapes the answers of a service.
type FormTransport struct {
	form    Form
	service http.RoundTripper

	mu        sync.Mutex
	creations int
	created   map[string]time.Time // by the ID and the name of a machine
	acted     int
}

// In returns a transport to the same service, whose answers have the form.
func (f Form) In(service http.RoundTripper) *FormTransport {
	return &FormTransport{form: f, service: service, created: map[string]time.Time{}}
}

// Changed returns the number of answers that the form has changed.
func (t *FormTransport) Changed() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.acted
}

// RoundTrip implements http.RoundTripper.
func (t *FormTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if t.refuses(r) {
		status := http.StatusInternalServerError
		return &http.Response{StatusCode: status, Header: http.Header{}, Body: http.NoBody, Request: r}, nil
	}
	answer, err := t.service.RoundTrip(r)
	if err != nil || t.form.change == nil {
		return answer, err
	}
	body, err := io.ReadAll(answer.Body)
	if err := errors.Join(err, answer.Body.Close()); err != nil {
		return nil, err
	}
	t.change(answer, body)
	return answer, nil
}

// refuses counts the creations of machines, and reports whether this request is one that the form refuses.
func (t *FormTransport) refuses(r *http.Request) bool {
	if !isCreation(r) {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.creations++; t.creations <= t.form.failedCreations {
		t.acted++
		return true
	}
	return false
}

func (t *FormTransport) change(answer *http.Response, body []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	status, contentType := answer.StatusCode, answer.Header.Get("Content-Type")
	if isCreation(answer.Request) && status == http.StatusAccepted {
		t.noteCreation(body)
	}
	changed := t.form.change(answer, body, time.Since(t.created[machineOf(answer.Request)]))
	if answer.StatusCode != status || answer.Header.Get("Content-Type") != contentType || !bytes.Equal(changed, body) {
		t.acted++
	}
	answer.Status = http.StatusText(answer.StatusCode)
	answer.Body, answer.ContentLength = io.NopCloser(bytes.NewReader(changed)), int64(len(changed))
}

// noteCreation keeps when a machine was created. Other machines are older, whoever creates them beside it.
func (t *FormTransport) noteCreation(body []byte) {
	var answer struct {
		Machine struct {
			ID   json.Number
			Name string
		} `json:"virtual_machine"`
	}
	if json.Unmarshal(body, &answer) == nil {
		t.created[answer.Machine.ID.String()], t.created[answer.Machine.Name] = time.Now(), time.Now()
	}
}

func isCreation(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/vm_create") }

// machineOf returns the ID or the name of the machine in the path, with what follows it, or "".
func machineOf(r *http.Request) string {
	_, machine, _ := strings.Cut(r.URL.Path, "/virtual_machines/")
	return machine
}

// writesAnswer answers successful POSTs and PUTs in another way. What API.md specifies in full keeps its form: the
// creation of a machine, and a session.
func writesAnswer(status int, text string) func(*http.Response, []byte, time.Duration) []byte {
	return func(answer *http.Response, body []byte, _ time.Duration) []byte {
		r := answer.Request
		isWrite := r.Method == http.MethodPost || r.Method == http.MethodPut
		if !isWrite || answer.StatusCode >= 300 || isCreation(r) || strings.HasSuffix(r.URL.Path, "/session") {
			return body
		}
		answer.StatusCode = status
		if text == "" {
			answer.Header.Del("Content-Type")
		}
		return []byte(text)
	}
}

func withoutTypes(answer *http.Response, body []byte, age time.Duration) []byte {
	if strings.Contains(answer.Header.Get("Content-Type"), "json") {
		answer.Header.Set("Content-Type", "application/json")
	}
	return ofObjects(func(o map[string]any) { delete(o, "type") })(answer, body, age)
}

// plainProblems answers 400 with its problems as text.
func plainProblems(answer *http.Response, body []byte, _ time.Duration) []byte {
	var problems map[string]any
	if answer.StatusCode != http.StatusBadRequest || json.Unmarshal(body, &problems) != nil {
		return body
	}
	var lines []string
	for _, attribute := range slices.Sorted(maps.Keys(problems)) {
		lines = append(lines, fmt.Sprintf("%s %v", attribute, problems[attribute]))
	}
	answer.Header.Set("Content-Type", "text/plain; charset=utf-8")
	return []byte(strings.NewReplacer("[", "", "]", "").Replace(strings.Join(lines, "\n")))
}

// unreadable answers reads of a single machine with the status alone, in the first two seconds after its creation.
func unreadable(status int) func(*http.Response, []byte, time.Duration) []byte {
	return func(answer *http.Response, body []byte, age time.Duration) []byte {
		if answer.Request.Method != http.MethodGet || age >= 2*time.Second {
			return body
		}
		answer.StatusCode = status
		answer.Header.Del("Content-Type")
		return nil
	}
}

func singleObject(answer *http.Response, body []byte, _ time.Duration) []byte {
	var list []json.RawMessage
	if answer.StatusCode < 300 && json.Unmarshal(body, &list) == nil && len(list) == 1 {
		return list[0]
	}
	return body
}

// ofObjects returns a change of every object in a successful answer.
func ofObjects(change func(map[string]any)) func(*http.Response, []byte, time.Duration) []byte {
	return func(answer *http.Response, body []byte, _ time.Duration) []byte {
		if !strings.Contains(answer.Header.Get("Content-Type"), "json") { // a session may begin with digits
			return body
		}
		decoder := json.NewDecoder(bytes.NewReader(body))
		decoder.UseNumber() // keeps all digits of IDs
		var value any
		if answer.StatusCode >= 300 || decoder.Decode(&value) != nil {
			return body
		}
		eachObject(value, change)
		changed, err := json.Marshal(value)
		if err != nil {
			return body
		}
		return changed
	}
}

func eachObject(value any, do func(map[string]any)) {
	switch value := value.(type) {
	case []any:
		for _, element := range value {
			eachObject(element, do)
		}
	case map[string]any:
		for _, field := range value {
			eachObject(field, do)
		}
		do(value)
	}
}

func useIPv6Management(o map[string]any) {
	if o["management_address"] != nil {
		o["management_address"] = "2001:db8:ffff::7"
	}
}

func isNull(_ string, value any) bool { return value == nil }

// addNulls adds what a machine, a disc or an interface may lack as null.
func addNulls(o map[string]any) {
	optional := map[string][]string{
		"power_on":      {"cdrom_url", "keymap", "last_imaged_with", "discs", "network_interfaces"},
		"storage_grade": {"new_storage_grade", "new_storage_pool", "migration_progress", "backup_schedules"},
		"mac":           {"label", "extra_ips"},
	}
	for mark, names := range optional {
		if _, ok := o[mark]; !ok {
			continue
		}
		for _, name := range names {
			if _, present := o[name]; !present {
				o[name] = nil
			}
		}
	}
}
