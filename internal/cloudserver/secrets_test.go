// SPDX-License-Identifier: MPL-2.0

package cloudserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode"

	"github.com/hashicorp/terraform-plugin-log/tflog"
	"github.com/hashicorp/terraform-plugin-log/tflogtest"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// The log contains an outline of each attempt, and the bodies of an answer.
func TestLog(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		ctx := tflogtest.RootLogger(t.Context(), &log)
		service := serve(cut, answer(200, `{"id":7,"name":"web1","cores":2}`))
		if _, err := newClient(t, service).VirtualMachine(ctx, 7); err != nil {
			t.Fatal(err)
		}
		entries, err := tflogtest.MultilineJSONDecode(&log)
		if err != nil || len(entries) != 3 {
			t.Fatalf("%d entries, %v; want a failure, an answer, its bodies", len(entries), err)
		}
		for i, want := range []map[string]any{
			{"@level": "debug", "method": "GET", "path": "/virtual_machines/7?view=overview", "attempt": 1.0, "error": "connection reset by peer"},
			{"@level": "debug", "method": "GET", "status": 200.0, "attempt": 2.0, "duration_ms": 0.0},
			{"@level": "trace", "response": `{"cores":2,"id":7,"name":"web1"}`, "request": ""},
		} {
			for key, value := range want {
				if entries[i][key] != value {
					t.Errorf("entry %d: %s is %v, want %v", i, key, entries[i][key], value)
				}
			}
		}
	})
}

// The secrets that the client of TestSecrets has. Each contains the marker.
const (
	marker         = "zqmarker"
	secretToken    = "token-zqmarker"
	secretPassword = `pass "zqmarker" & <w>`
	secretRoot     = `root "zqmarker" & <w>`
	secretScript   = "#!/bin/sh\nuseradd -p zqmarker5 \"ü\"\n\techo zqmarker6 > /root/key\n"
	terminal       = "\x1b]0;pwned\x07\x1b[2J\u009b31m\u202eevil\u2066\u200f\r\n\x00\x7f"
)

// TestSecrets: whatever the service repeats, neither the error of a call nor its log contains a secret of the operation
// or a control character.
func TestSecrets(t *testing.T) {
	t.Parallel()
	quote := func(text string) string {
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		return string(quoted)
	}
	image := cloudserver.Reimage{Distribution: "bookworm", RootPassword: secretRoot, FirstbootScript: secretScript}
	create := wanted()
	create.Reimage = &image
	operations := map[string]caller{
		"create": func(ctx context.Context, c *cloudserver.Client) error {
			return result(c.CreateVirtualMachine(ctx, "acme", "default", create))
		},
		"reimage": func(ctx context.Context, c *cloudserver.Client) error {
			return c.ReimageVirtualMachine(ctx, machine, image)
		},
		"a wait of the operation": func(ctx context.Context, c *cloudserver.Client) error {
			return result(c.VirtualMachine(cloudserver.WithSecrets(ctx, image.Secrets()...), 7))
		},
	}
	for _, secret := range []string{secretToken, secretPassword, secretRoot, secretScript, `useradd -p zqmarker5 "ü"`, "echo zqmarker6 > /root/key"} {
		for form, body := range map[string]string{
			"text":           "line 2: " + secret + " is invalid " + terminal,
			"page":           "<html><title>" + secret + "</title></html>",
			"JSON in text":   "cannot parse " + quote(secret),
			"problem":        fmt.Sprintf(`{"firstboot_script":["line 2: %s: is invalid"]}`, quote(secret)[1:len(quote(secret))-1]),
			"unknown key":    fmt.Sprintf(`{"chpasswd":%s,"x":{"y":%s}}`, quote(secret), quote(secret)),
			"a key":          fmt.Sprintf(`{%s:["is bad"],"name":{%s:["is bad"]}}`, quote(secret), quote(secret)),
			"far back":       strings.Repeat(" ", 128<<10-10) + secret,
			"terminal codes": fmt.Sprintf(`{%s:[%s]}`, quote(terminal), quote(terminal)),
		} {
			for name, operation := range operations {
				for _, status := range []int{200, 400, 500} {
					synctest.Test(t, func(t *testing.T) {
						what := fmt.Sprintf("%s, %d with %s as %s", name, status, secret, form)
						var log bytes.Buffer
						ctx, cancel := context.WithTimeout(tflogtest.RootLogger(t.Context(), &log), time.Minute)
						defer cancel()
						client := newClient(t, serve(answer(status, body)), withRetries(1), func(c *cloudserver.Config) {
							c.Token, c.Password = secretToken, secretPassword
						})
						if err := operation(ctx, client); err != nil {
							expectHarmless(t, what+": the error", err.Error())
						} else if status != 200 || name == "create" {
							t.Errorf("%s: no error", what)
						}
						for line := range strings.Lines(log.String()) {
							expectHarmless(t, what+": the log", strings.TrimSuffix(line, "\n"))
						}
					})
				}
			}
		}
	}
}

// expectHarmless checks that a text contains no secret and no control character.
func expectHarmless(t *testing.T, what, text string) {
	t.Helper()
	if strings.Contains(text, marker) {
		t.Errorf("%s contains a secret: %.400q", what, text)
	}
	if strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		t.Errorf("%s is not printable: %.400q", what, text)
	}
}

// TestSecretsOfOthersInTheLog: what anybody logs with the context of an operation is masked.
func TestSecretsOfOthersInTheLog(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	ctx := cloudserver.WithSecrets(tflogtest.RootLogger(t.Context(), &log), secretScript)
	tflog.Warn(ctx, "echo zqmarker6 > /root/key", map[string]any{"line": `useradd -p zqmarker5 "ü"`})
	if log.Len() == 0 || strings.Contains(log.String(), marker) {
		t.Errorf("the log has %s", log.String())
	}
}

// TestRefusalsOfSecrets: after a request with secrets, a text of the service is shown if it is certain that it quotes none
// in any spelling, or if it is about another field of the request.
func TestRefusalsOfSecrets(t *testing.T) {
	t.Parallel()
	const it, secret = "refused (the text may quote it, and is not shown)", "refused (the text may quote a secret, and is not shown)"
	const withheld = "the text may quote a secret, and is not shown"
	image := cloudserver.Reimage{
		Distribution: "bookworm", RootPassword: `h0rse "stäple" & <x>`, FirstbootScript: "#!/bin/sh\necho 'zebra quilt' | passwd --stdin root\n",
	}
	for body, want := range map[string]string{
		`{"root_password":["is too weak (minimum is 8 characters)","can't be blank"]}`: "root_password is too weak (minimum is 8 characters); root_password can't be blank",
		`{"reimage":{"root_password":["is too weak"]}}`:                                "reimage.root_password is too weak",
		`{"firstboot_script":["is too long"]}`:                                         "firstboot_script is too long",
		`{"root_password":["is like stäp"]}`:                                           "root_password " + it,
		`{"root_password":["has H0RSE in it"],"name":["has already been taken"]}`:      "name has already been taken; root_password " + it,
		`{"firstboot_script":["line 2: zebr"]}`:                                        "firstboot_script " + it,
		`{"root_password":["\"x\" is weak"]}`:                                          "root_password " + it,
		`{"root_password":["‘x’ is weak"]}`:                                            "root_password " + it,
		`{"root_password":{"h0r":{"se":["is bad"]}}}`:                                  "",
		`{"root_password":{"h0rse":["is bad"]}}`:                                       "root_password is bad",
		`{"reimage":["zebra is bad"]}`:                                                 "request " + secret,
		`{"reimage":["is not possible"]}`:                                              "reimage is not possible",
		`{"h0rse":["is bad"]}`:                                                         "request " + secret,
		`{"x":{"h0rse":["is bad"]}}`:                                                   "request " + secret,
		`{"name":["is bad in root_password=h0rse"]}`:                                   "name " + secret,
		`{"name":["cannot be a horse"],"distribution":["is not in 'a', 'b'"]}`:         "distribution is not in 'a', 'b'; name cannot be a horse",
		`{"credit":["is exceeded"]}`:                                                   "credit is exceeded",
		`{"error":"not today"}`:                                                        "not today",
		`{"error":"not 'today'"}`:                                                      withheld,
		"name has already been taken: \"web1\"":                                        "name has already been taken",
		"the machine is on":                                                            "the machine is on",

		// The spellings of a careless service.
		`{"error":"{\"root_password\":\"h0rse \\\"st\\u00e4ple\\\" \\u0026 \\u003cx\\u003e\"}"}`: withheld, // JSON in JSON
		`{"error":{"params":"{:root_password=>\"h0rse \\\"stäple\\\"\"}"}}`:                      "request " + secret,
		"<html><body>root_password: h0rse &quot;st&auml;ple&quot; &amp; &lt;x&gt;</body></html>": withheld,
		"<html><title>h0rse &#34;st&#228;ple&#34;</title></html>":                                withheld,
		"root_password=h0rse+%22st%C3%A4ple%22+%26+%3Cx%3E":                                      withheld,
		"cannot parse firstboot_script: line 2, zebra quil":                                      withheld,
		"cannot parse aDByc2UgInN0w6RwbGUiICYgPHg":                                               withheld, // Base64
		"cannot parse eyJyb290X3Bhc3N3b3JkIjoiaDByc2UgInN0w6RwbGUi":                              withheld, // of the JSON
		"cannot parse 68307273652022737":                                                         withheld, // hexadecimal
	} {
		var log bytes.Buffer
		ctx := tflogtest.RootLogger(t.Context(), &log)
		client := newClient(t, serve(answer(400, body)), withRetries(0))
		err := client.ReimageVirtualMachine(ctx, machine, image)
		refused, ok := errors.AsType[*cloudserver.Error](err)
		if !ok || refused.Message != want {
			t.Errorf("%s: got %v, want %q", body, err, want)
		}
		text := fmt.Sprint(err) + log.String()
		for _, part := range []string{"h0rse", "H0RSE", "stäp", "zebra", "zebr", "quil", "aDByc2U", "aDByc2", "6830727"} {
			if strings.Contains(text, part) {
				t.Errorf("%s: %q is shown: %s", body, part, text)
			}
		}
	}
}

// TestShortSecrets: a password that is too short to be recognised leaves readable the messages about other fields, and the
// one that says so.
func TestShortSecrets(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"root_password":["web is bad"],"name":["web1 is taken"]}`:                    "name web1 is taken; root_password refused (the text may quote it, and is not shown)",
		`{"root_password":["is too short (minimum is 6 characters)"]}`:                 "root_password is too short (minimum is 6 characters)",
		`{"root_password":["is too short (minimum is 6 characters in place of web)"]}`: "root_password refused (the text may quote it, and is not shown)",
	} {
		if refused := refusalOf(t, cloudserver.Reimage{RootPassword: "web"}, 400, "", body); refused.Message != want {
			t.Errorf("%s: got %v", body, refused)
		}
	}
}

// FuzzAnswers: whatever the service answers, no call panics, and its error is printable and short.
func FuzzAnswers(f *testing.F) {
	for _, name := range []string{"virtual_machine.json", "vm_create.json", "account.json", "definitions.json"} {
		f.Add(document(f, name))
	}
	f.Add(`{"id":"1","discs":[[]],"network_interfaces":[{"extra_ips":{"a":{}}}],"keymap":{}}`)
	f.Add(`[{"id":1,"manual":1,"backup_schedules":[{"id":2,"start_at":"\u001b[2J"}]}]`)
	f.Add(`[{"id":"keymaps","data":{"a":{}}},{"id":"distribution_descriptions","data":["x"]},{"id":"sendkeys","data":[ {} ,[]]}]`)
	f.Add(`[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[`)
	f.Add(`{"discs":[[[[["deep"]]],{"size":{"x":{"y":["z"]}}},7],"ips":[null]}`)
	f.Add(`{`)
	f.Fuzz(func(t *testing.T, text string) {
		for _, status := range []int{200, 400} {
			client := newClient(t, serve(answer(status, text)), withRetries(0))
			for name, call := range calls() {
				if strings.HasPrefix(name, "Create") { // creations wait
					continue
				}
				err := call.do(t.Context(), client)
				if err != nil && (len(err.Error()) > 2000 || strings.ContainsFunc(err.Error(), func(r rune) bool { return !unicode.IsPrint(r) })) {
					t.Errorf("%s: the error is %.500q", name, err)
				}
			}
		}
	})
}
