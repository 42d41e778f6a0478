package cloudserver

import (
	"fmt"
	"net/http"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
)

// logExchange writes one attempt to the log of the request's context: the
// outline at DEBUG, the redacted bodies at TRACE. Headers, which carry the
// token, are never written.
func logExchange(request *http.Request, x *exchange, response *http.Response, body []byte, took time.Duration, err error) {
	ctx := request.Context()
	fields := map[string]any{
		"method": request.Method, "path": x.path, "attempt": x.attempt, "duration_ms": took.Milliseconds(),
	}
	if err != nil {
		fields["error"] = x.secrets.in(err.Error())
		tflog.Debug(ctx, "The service gave no answer", fields)
		return
	}
	fields["status"] = response.StatusCode
	tflog.Debug(ctx, "The service answered", fields)
	tflog.Trace(ctx, "Bodies of the call", map[string]any{
		"method": request.Method, "path": x.path, "attempt": x.attempt,
		"request":  loggedBody{sentBody(request), x},
		"response": loggedBody{body, x},
	})
}

// sentBody reads the request's body again; nil where there was none.
func sentBody(request *http.Request) []byte {
	if request.GetBody == nil {
		return nil
	}
	body, err := request.GetBody()
	if err != nil {
		return nil
	}
	sent, err := readBody(&http.Response{Body: body})
	if err != nil {
		return nil
	}
	return sent
}

// loggedBody is redacted when it is written, so that a log that nobody reads
// costs nothing.
type loggedBody struct {
	body []byte
	x    *exchange
}

// MarshalText is what JSON logs write.
func (b loggedBody) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// String is what plain logs write. A body that is not JSON may echo a secret
// in any form, so only its length is told.
func (b loggedBody) String() string {
	if len(b.body) == 0 {
		return ""
	}
	if !b.x.confidential {
		if clean, ok := redactJSON(b.body, b.x.secrets); ok {
			return clean
		}
	}
	return fmt.Sprintf("%s (%d bytes)", hiddenText, len(b.body))
}
