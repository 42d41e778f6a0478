package cloudserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-log/tflogtest"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

const (
	// The secrets of the hostile tests. A marker survives every escaping.
	hostilePassword = `pass "zqmarker1" & <w>`
	hostileToken    = "zqmarker2-token"
	hostileRoot     = `root "zqmarker3" & <w>`
	hostileScript   = "#!/bin/sh\nuseradd -p zqmarker4 \"ü\"\n"
	hostileSession  = "zqmarker5-session"
	hostileMarker   = "zqmarker"

	// longestCreation is how much longer than its context a creation may take: it waits for the answer to the request
	// in progress, and then finds out what was created.
	longestCreation = 11 * time.Second

	echoed = hostilePassword + " " + hostileToken + " " + hostileRoot + " " + hostileScript + " " + hostileSession
	steers = "\x1b]0;pwned\x07\x1b[2J\u009b31m\u202eevil\u2066\u200f\r\n\x00\x7f"
)

// hostileBodies are the bodies with which every call is answered.
func hostileBodies() map[string]string {
	quoted, err := json.Marshal(echoed)
	if err != nil {
		panic(err)
	}
	twice, err := json.Marshal(fmt.Sprintf(`{"error":%s}`, quoted))
	if err != nil {
		panic(err)
	}
	entities := strings.NewReplacer("&", "&amp;", `"`, "&quot;", "<", "&lt;", ">", "&#x3e;", "/", "&#x2F;", "ü", "&uuml;", "\n", "&#10;").Replace(echoed)
	return map[string]string{
		"nothing":                 "",
		"echo, entities":          "<html><title>" + entities + "</title></html>",
		"echo, entities in JSON":  fmt.Sprintf(`{"error":"a page: %s"}`, entities),
		"echo, JSON in JSON":      fmt.Sprintf(`{"error":%s}`, twice),
		"echo, JSON in text":      "cannot parse " + strings.NewReplacer("/", `\/`, "ü", `\u00fc`).Replace(string(quoted)),
		"echo, URL in text":       "GET /?" + url.QueryEscape(echoed) + " failed",
		"echo, lower URL in JSON": fmt.Sprintf(`{"error":"GET /%s"}`, strings.ToLower(url.PathEscape(echoed))),
		"echo, one line":          "cannot parse " + strings.Join(strings.Fields(strings.ReplaceAll(echoed, "\n", "\r\n")), " "),
		"null":                    `null`,
		"array of nulls":          `[null,null]`,
		"array of arrays":         `[[],[[]],{}]`,
		"text":                    "not today",
		"echo":                    echoed,
		"echo, HTML":              "<html><title>" + echoed + "</title>" + steers + "</html>",
		"echo, JSON":              fmt.Sprintf(`{"error":%[1]s,"root_password":%[1]s,"chpasswd":"root:root \"zqmarker3\" & <w>"}`, quoted),
		"echo, keys":              fmt.Sprintf(`{%[1]s:["is bad"],"name":{%[1]s:["is bad"]},"zqmarker2-token":[{}]}`, quoted),
		"echo, token in id":       `{"id":"` + hostileToken + `","name":"` + hostileToken + `","virtual_machine":{"id":9,"name":"` + hostileToken + `"}}`,
		"echo, token as a name":   `{"id":9,"name":"` + hostileToken + `"}`,
		"steers":                  steers,
		"steers, JSON":            `{"\u001b[2J":["\u001b]0;x\u0007\u009b\u202e"],"name":"\u001b[2J\u202e","id":7,"hostname":"\u009b31m"}`,
		"not UTF-8":               "\xff\xfe{\"id\":7}\x80",
		"cut":                     `{"id":7,"name":"we`,
		"another":                 `{"id":99,"name":"other","virtual_machine":{"id":99,"name":"other"}}`,
		"others":                  `[{"id":99,"name":"other"},{"id":98,"name":"4"}]`,
		"odd numbers":             `{"id":-7,"size":-9223372036854775808,"cores":99999999999999999999,"memory":1e400}`,
		"odd shapes":              `{"id":{"id":7},"name":[7],"discs":{"a":1},"network_interfaces":"x","virtual_machine":[]}`,
		"odd problems":            `{"discs":[[[["deep"]]],{"size":{"x":{"y":["z"]}}},7],"ips":[null]}`,
		"taken":                   `{"name":["has already been taken"]}`,
		"two factors":             "Missing 2FA " + steers,
		"deep arrays":             strings.Repeat("[", 1<<16),
		"deep objects":            strings.Repeat(`{"errors":`, 1<<13) + "1" + strings.Repeat("}", 1<<13),
		"many tags":               "<html>" + strings.Repeat("<script", 1<<13),
		"many problems":           `{"name":[` + strings.Repeat(`"bad",`, 1<<13) + `"bad"]}`,
		"secret at the cut":       strings.Repeat(" ", 128<<10-10) + hostileToken,
	}
}

// hostileStatuses returns the statuses for a body: two fixed ones, and two others that depend on its number.
func hostileStatuses(number int) []int {
	others := []int{101, 202, 204, 302, 401, 404, 429, 500, 503, 999}
	return []int{200, 400, others[number%len(others)], others[(number+3)%len(others)]}
}

// hostileHeader returns headers that try to influence a client or a terminal, depending on number.
func hostileHeader(number int) []string {
	sets := [][]string{
		{"Content-Type", "application/json"},
		{"Content-Type", "text/html; charset=\x1b[2J"},
		{"Content-Type", "application/vnd.example.virtual-machine+json", "Retry-After", "99999999999"},
		{"Location", "https://evil\u202e.example/" + hostileToken, "Retry-After", "-5"},
		{"Location", "/" + hostileToken + "/\x1b[2J", "Set-Cookie", hostileToken},
		{"Location", "http://service.invalid/base", "Retry-After", "Fri, 31 Dec 9999 23:59:59 GMT", "Date", "nonsense"},
		{"Content-Length", "-1", "WWW-Authenticate", "Basic realm=" + hostileToken, "Content-Encoding", "br"},
	}
	return sets[number%len(sets)]
}

// TestHostileAnswers answers every call in every hostile way. The call always ends in time, and neither its error nor
// its log contains a secret or a control sequence.
func TestHostileAnswers(t *testing.T) {
	t.Parallel()
	bodies := hostileBodies()
	for name, call := range calls() {
		if strings.Contains(name, " ") { // a variant
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			number := 0
			for body, text := range bodies {
				for _, status := range hostileStatuses(number) {
					number++
					synctest.Test(t, func(t *testing.T) {
						what := fmt.Sprintf("%d, %s", status, body)
						hostile(t, name, what, call.do, answer(status, text, hostileHeader(number)...))
					})
				}
			}
		})
	}
}

func hostile(t *testing.T, name, what string, call caller, way step) {
	var log bytes.Buffer
	ctx, cancel := context.WithTimeout(tflogtest.RootLogger(t.Context(), &log), time.Minute)
	defer cancel()
	client := hostileClient(t, way, withRetries(1))
	began := time.Now()
	err := call(ctx, client)
	if took := time.Since(began); took > time.Minute+time.Second && (!strings.HasPrefix(name, "Create") || took > time.Minute+longestCreation) {
		t.Errorf("%s: the call took %v", what, took)
	}
	if err != nil {
		expectHarmless(t, what+": the error", err.Error(), 4<<10)
	}
	for line := range strings.Lines(log.String()) {
		var fields map[string]any
		if err := json.Unmarshal([]byte(line), &fields); err != nil {
			t.Errorf("the log is not JSON: %v", err)
		}
		for name, value := range fields {
			expectHarmless(t, what+": the log, "+name, fmt.Sprint(value), 100<<10)
		}
	}
}

// expectHarmless checks that a text contains no secret and no control sequence.
func expectHarmless(t *testing.T, what, text string, most int) {
	t.Helper()
	if strings.Contains(text, hostileMarker) {
		t.Errorf("%s contains a secret: %.400q", what, text)
	}
	if !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		t.Errorf("%s is not printable: %.400q", what, text)
	}
	if len(text) > most {
		t.Errorf("%s has %d bytes", what, len(text))
	}
}

// hostileClient returns a client that has sent and received every secret. From now on its service is hostile.
func hostileClient(t testing.TB, hostile step, change ...func(*cloudserver.Config)) *cloudserver.Client {
	t.Helper()
	service := serve(answer(200, hostileToken), answer(200, "{}"), answer(200, hostileSession), hostile)
	change = append(change, func(c *cloudserver.Config) {
		c.Token, c.Username, c.Password = "", "demo", hostilePassword
	})
	client := newClient(t, service, change...)
	image := cloudserver.Reimage{RootPassword: hostileRoot, FirstbootScript: hostileScript}
	if err := client.ReimageVirtualMachine(t.Context(), machine, image); err != nil {
		t.Fatal(err)
	}
	if session, err := client.OpenSession(t.Context(), ""); err != nil || session != hostileSession {
		t.Fatal(session, err)
	}
	return client
}
