package cloudserver

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestSessionOfALateCaller: a call that was under way when others got a new session
// uses that one.
func TestSessionOfALateCaller(t *testing.T) {
	t.Parallel()
	opened := 0
	s := newSession(Config{Username: "demo", Password: "demo"}, func(context.Context, credentials) (string, error) {
		opened++
		return fmt.Sprintf("session-%d", opened), nil
	})
	first, err := s.token(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if token, err := s.renew(t.Context(), first, nil); token != "session-2" || err != nil {
			t.Errorf("got %q, %v", token, err)
		}
	}
	if opened != 2 {
		t.Errorf("%d sessions were opened", opened)
	}
}

// TestTokenFileIsReadAgain after its token was refused, also while it is being
// written. One that is still the same is not sent again, and not read again by
// every call.
func TestTokenFileIsReadAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "token")
		write := func(token string) {
			t.Helper()
			if err := os.WriteFile(file, []byte(token), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		refusal := errors.New("401")
		s := newSession(Config{TokenFile: file}, nil)
		write("")
		time.AfterFunc(time.Second, func() { write("one\n") })
		if token, err := s.token(t.Context()); token != "one" || err != nil {
			t.Fatalf("got %q, %v", token, err)
		}
		time.AfterFunc(time.Second, func() { write("two\n") })
		if token, err := s.renew(t.Context(), "one", refusal); token != "two" || err != nil {
			t.Errorf("another token: got %q, %v", token, err)
		}
		if token, err := s.renew(t.Context(), "one", refusal); token != "two" || err != nil {
			t.Errorf("a late caller: got %q, %v", token, err)
		}
		began := time.Now()
		for range 3 {
			if token, err := s.renew(t.Context(), "two", refusal); token != "" || !IsUnauthorized(err) || !strings.Contains(err.Error(), "-login -token-file "+file) {
				t.Errorf("the same token: got %q, %v", token, err)
			}
		}
		if took := time.Since(began); took < rereadFor || took > rereadFor+time.Second {
			t.Errorf("it took %s", took)
		}
	})
}

// TestRenewalsThatNeverWork: what a run of many calls sends to a service that
// refuses each new session, or an auth endpoint that fails, is three logins.
func TestRenewalsThatNeverWork(t *testing.T) {
	t.Parallel()
	for name, logins := range map[string]int{"refuses each session": http.StatusOK, "auth is down": http.StatusServiceUnavailable} {
		synctest.Test(t, func(t *testing.T) {
			service := &neverAccepting{login: logins}
			client, err := New(Config{Endpoint: "https://service.invalid", Username: "demo", Password: "demo-password", Transport: service})
			if err != nil {
				t.Fatal(err)
			}
			for range 4 { // batches
				var all sync.WaitGroup
				for range 50 {
					all.Go(func() {
						if _, err := client.VirtualMachine(t.Context(), 7); err == nil {
							t.Error("no error")
						}
					})
				}
				all.Wait()
			}
			if n := service.logins.Load(); n > 1+DefaultMaxRetries {
				t.Errorf("%s: %d logins", name, n)
			}
			time.Sleep(2 * failureLasts)
			service.login, service.accepts = http.StatusOK, true
			if _, err := client.VirtualMachine(t.Context(), 7); err != nil {
				t.Errorf("%s: later: %v", name, err)
			}
		})
	}
}

// neverAccepting is a service that answers logins with a status, and every other
// call with 401 until it accepts.
type neverAccepting struct {
	login   int
	accepts bool
	logins  atomic.Int32
}

// RoundTrip implements http.RoundTripper.
func (s *neverAccepting) RoundTrip(request *http.Request) (*http.Response, error) {
	recorder := httptest.NewRecorder()
	switch {
	case strings.HasSuffix(request.URL.Path, "/session"):
		n := s.logins.Add(1)
		recorder.WriteHeader(s.login)
		_, _ = fmt.Fprintf(recorder, "session-%d", n) // to memory
	case s.accepts:
		_, _ = fmt.Fprint(recorder, `{"id":7}`) // to memory
	default:
		recorder.WriteHeader(http.StatusUnauthorized)
	}
	return recorder.Result(), nil
}
