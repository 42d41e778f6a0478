package transport

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
)

// longestLogged is the maximum size in bytes of a body that is logged. Redacting a larger one would take several times
// its size in memory.
const longestLogged = 64 << 10

// log writes one attempt to the log of the request's context: an outline at DEBUG and the redacted bodies at TRACE.
// Headers, which contain the token, are never written.
func (x *exchange) log(ctx context.Context, response *http.Response, body []byte, took time.Duration, err error) {
	fields := map[string]any{
		"method": x.Method, "path": x.Shown, "attempt": x.attempt, "duration_ms": took.Milliseconds(),
	}
	if err != nil {
		fields["error"] = ForPeople(err.Error())
		tflog.Debug(ctx, "The service did not answer", fields)
		return
	}
	fields["status"] = response.StatusCode
	tflog.Debug(ctx, "The service answered", fields)
	tflog.Trace(ctx, "Bodies of the call", map[string]any{
		"method": x.Method, "path": x.Shown, "attempt": x.attempt,
		"request": loggedBody{x.Body, x.Confidential}, "response": loggedBody{body, x.Confidential},
	})
}

// loggedBody is redacted when it is written, so that it costs nothing if the level is not logged.
type loggedBody struct {
	body         []byte
	confidential bool
}

// MarshalText returns the text for JSON logs.
func (b loggedBody) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// String returns the text for plain logs. A body that is not JSON may contain a secret in any form, so only its length
// is logged.
func (b loggedBody) String() string {
	if len(b.body) == 0 {
		return ""
	}
	if !b.confidential && len(b.body) <= longestLogged {
		if clean, ok := redactJSON(b.body, Hide, func(string) {}); ok {
			return OneLine(Hide(clean))
		}
	}
	return fmt.Sprintf("%s (%d bytes)", HiddenText, len(b.body))
}
