// SPDX-License-Identifier: MPL-2.0

package cloudserver

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
)

const (
	hiddenText = "(hidden)" // replaces secrets

	// shortestSecret is the minimum length in bytes of a secret that is searched for: hiding a shorter one in words and
	// numbers would reveal it.
	shortestSecret = 8

	longestLogged = 64 << 10 // maximum size in bytes of a body that is logged
)

// secretFields are the fields of requests and answers whose values are never logged.
var secretFields = []string{"root_password", "firstboot_script", "password", "yubikey", "2fa", "token", "session"}

// secrets are texts that neither an error nor the log may show, longest first.
type secrets []string

// add adds texts in full and line by line, because the service may quote a single line of a script. Each is also added
// as it is written in the JSON of a request.
func (s secrets) add(texts ...string) secrets {
	all := slices.Clone(s)
	for _, text := range texts {
		for _, part := range append(strings.Split(text, "\n"), text) {
			part = strings.TrimSpace(part)
			if len(part) < shortestSecret || slices.Contains(all, part) {
				continue
			}
			all = append(all, part)
			if quoted, err := json.Marshal(part); err == nil && len(quoted) > len(part)+2 {
				all = append(all, string(quoted[1:len(quoted)-1]))
			}
		}
	}
	slices.SortStableFunc(all, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return all
}

// hide returns the text without the secrets.
func (s secrets) hide(text string) string {
	for _, secret := range s {
		text = strings.ReplaceAll(text, secret, hiddenText)
	}
	return text
}

type secretsKey struct{}

// WithSecrets returns a context for an operation that sends secrets. They are hidden in the errors of the calls that are
// made with the context, and in everything that is logged with it.
func WithSecrets(ctx context.Context, texts ...string) context.Context {
	all := secretsOf(ctx, texts...)
	ctx = context.WithValue(ctx, secretsKey{}, all)
	return tflog.MaskLogStrings(ctx, all...)
}

// secretsOf returns the secrets of the operation, and others.
func secretsOf(ctx context.Context, others ...string) secrets {
	all, _ := ctx.Value(secretsKey{}).(secrets)
	return all.add(others...)
}

// log writes one attempt to the log: an outline at DEBUG and the redacted bodies at TRACE. Headers, which contain the
// token, are never written.
func (x *exchange) log(ctx context.Context, response *http.Response, body []byte, took time.Duration, err error) {
	fields := map[string]any{
		"method": x.call.method, "path": x.path, "attempt": x.attempt, "duration_ms": took.Milliseconds(),
	}
	if err != nil {
		fields["error"] = shorten(Shown(x.secrets.hide(err.Error())), longestMessage)
		tflog.Debug(ctx, "The service did not answer", fields)
		return
	}
	fields["status"] = response.StatusCode
	tflog.Debug(ctx, "The service answered", fields)
	tflog.Trace(ctx, "Bodies of the call", map[string]any{
		"method": x.call.method, "path": x.path, "attempt": x.attempt,
		"request": loggedBody{x, x.body, nil}, "response": loggedBody{x, body, x.carried},
	})
}

// report writes a call that is repeated to the log, at most every 30 seconds: what, how often, and the last answer.
func (x *exchange) report(ctx context.Context, last error) {
	if !isDue(&x.reported) {
		return
	}
	tflog.Info(ctx, fmt.Sprintf("repeating %s %s for %s, after %d attempts; last answer: %s",
		x.call.method, x.path, time.Since(x.began).Round(time.Second), x.attempt,
		shorten(Shown(x.secrets.hide(last.Error())), longestMessage)))
}

// isDue reports whether the last report is 30 seconds old. If so, the next one is counted from now.
func isDue(reported *time.Time) bool {
	if time.Since(*reported) < reportEvery {
		return false
	}
	*reported = time.Now()
	return true
}

// loggedBody is redacted when it is written, so that it costs nothing if the level is not logged.
type loggedBody struct {
	exchange *exchange
	body     []byte
	carried  carried // secrets that the body may quote in another spelling
}

// MarshalText returns the text for JSON logs.
func (b loggedBody) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// String returns the redacted body. Only JSON can be redacted: of any other body, and of a session call, the length is
// logged.
func (b loggedBody) String() string {
	if len(b.body) == 0 {
		return ""
	}
	var value any
	decoder := json.NewDecoder(bytes.NewReader(b.body))
	decoder.UseNumber()
	if b.exchange.call.auth || len(b.body) > longestLogged || decoder.Decode(&value) != nil {
		return fmt.Sprintf("(%d bytes)", len(b.body))
	}
	redacted, err := json.Marshal(b.redact("", value))
	if err != nil {
		return fmt.Sprintf("(%d bytes)", len(b.body))
	}
	return Shown(string(redacted))
}

// redact returns the JSON value of a field without secrets.
func (b loggedBody) redact(field string, value any) any {
	switch value := value.(type) {
	case string:
		if slices.Contains(knownFields, field) && !namesSecret(value) {
			return b.exchange.secrets.hide(value)
		}
		return b.redactText(value)
	case []any:
		for i := range value {
			value[i] = b.redact(field, value[i])
		}
		return value
	case map[string]any:
		redacted := map[string]any{}
		for name, inner := range value {
			if slices.Contains(secretFields, name) && inner != nil {
				inner = hiddenText
			}
			redacted[b.redactText(name)] = b.redact(name, inner)
		}
		return redacted
	}
	return value
}

// redactText returns a text without secrets. After a request that carried some, it is shown only if it quotes none.
func (b loggedBody) redactText(text string) string {
	if len(b.carried) > 0 && b.carried.mayBeQuotedIn(text) {
		return hiddenText
	}
	return b.exchange.secrets.hide(text)
}
