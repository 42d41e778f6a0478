package tfkit_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// TestAddPlanCheckError: a failure that the apply would certainly meet is an error, one that may pass is a warning, and
// each is reported once.
func TestAddPlanCheckError(t *testing.T) {
	t.Parallel()
	lost := func(err error) error {
		return &cloudserver.TransportError{Method: "GET", Path: "/definitions", Endpoint: "https://a.example", Err: err}
	}
	helps := []string{"no sessions here", "a page", "no such host", "refused connection", "plain HTTP"} // plan_checks = false, of the definite ones
	for name, test := range map[string]struct {
		err      error
		definite bool
	}{
		"401":                 {refusal(401, ""), true},
		"a refused session":   {&cloudserver.SessionError{Refused: true}, true},
		"no sessions here":    {&cloudserver.SessionError{NoIssuer: true}, true},
		"a lost session":      {&cloudserver.SessionError{}, false},
		"403":                 {refusal(403, ""), true},
		"404":                 {refusal(404, ""), true},
		"429":                 {refusal(429, ""), false},
		"500":                 {refusal(500, ""), false},
		"503":                 {refusal(503, ""), false},
		"a page":              {page(t), true},
		"no such host":        {lost(&net.DNSError{IsNotFound: true}), true},
		"a name server fails": {lost(&net.DNSError{IsTemporary: true}), false},
		"refused connection":  {lost(fmt.Errorf("dial: %w", syscall.ECONNREFUSED)), true},
		"reset connection":    {lost(syscall.ECONNRESET), false},
		"plain HTTP":          {lost(tls.RecordHeaderError{}), true},
		"a strange authority": {lost(&tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}}), true},
		"time-out":            {lost(context.DeadlineExceeded), false},
		"interrupted":         {context.Canceled, false},
	} {
		data := &tfkit.ProviderData{}
		for turn := range 2 {
			var diags diag.Diagnostics
			data.AddPlanCheckError(test.err, &diags)
			if errs := diags.ErrorsCount(); (errs == 1) != (test.definite && turn == 0) || errs > 1 {
				t.Errorf("%s: %d errors", name, errs)
			}
			if offered := turn == 0 && strings.Contains(diags[0].Detail(), "plan_checks = false"); offered != (turn == 0 && (!test.definite || slices.Contains(helps, name))) {
				t.Errorf("%s: offers to plan without checks: %v", name, offered)
			}
			if warned := diags.WarningsCount() == 1; warned != (!test.definite && turn == 0) {
				t.Errorf("%s: warned %v the time %d", name, warned, turn)
			}
		}
	}
}

// page returns the error for an HTML page with status 200.
func page(t *testing.T) error {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("<!DOCTYPE html><title>Welcome</title>"))
	}))
	t.Cleanup(server.Close)
	client, err := cloudserver.New(cloudserver.Config{Endpoint: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	_, err = client.Definitions(t.Context())
	return err
}

// TestPlanCheckThatGaveUp: a check that ends while a call shared with others goes on has no call to name.
func TestPlanCheckThatGaveUp(t *testing.T) {
	t.Parallel()
	var diags diag.Diagnostics
	(&tfkit.ProviderData{}).AddPlanCheckError(context.DeadlineExceeded, &diags)
	const want = "The service has not answered within 10s, retries included: context deadline exceeded; TF_LOG_PROVIDER=DEBUG shows each attempt.\n\n"
	if got := diags[0].Detail(); !strings.HasPrefix(got, want) {
		t.Errorf("got %q", got)
	}
}

// TestPlanCheckThatWasAnswered: a check that ends while the service asks to try again later, and one behind a proxy that
// fails, name the answer.
func TestPlanCheckThatWasAnswered(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusServiceUnavailable, http.StatusTooManyRequests, http.StatusBadGateway} {
		synctest.Test(t, func(t *testing.T) {
			client, err := cloudserver.New(cloudserver.Config{Endpoint: "https://api.example.com", Token: "apikey.x", Transport: always(status)})
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
			go func() { _, _ = client.Definitions(ctx) }() // the call that others wait for
			time.Sleep(10 * time.Second)
			var diags diag.Diagnostics
			(&tfkit.ProviderData{Client: client}).AddPlanCheckError(context.DeadlineExceeded, &diags)
			cancel()
			want := fmt.Sprintf("Timed out after 10s, retries included; the service last answered %d %s; TF_LOG_PROVIDER=DEBUG shows each attempt.\n\n", status, http.StatusText(status))
			if got := diags[0].Detail(); !strings.HasPrefix(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

// always is a service that gives every request the same status.
type always int

func (status always) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: int(status), Header: http.Header{}, Body: http.NoBody}, nil
}
