package cloudserver

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
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

// TestTokenFileIsReadAgain after its token was refused. One that is still the same
// is not sent again.
func TestTokenFileIsReadAgain(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "token")
	write := func(token string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(token+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	refusal := errors.New("401")
	s := newSession(Config{TokenFile: file}, nil)
	write("one")
	if token, err := s.token(t.Context()); token != "one" || err != nil {
		t.Fatalf("got %q, %v", token, err)
	}
	if token, err := s.renew(t.Context(), "one", refusal); token != "" || !errors.Is(err, refusal) || !strings.Contains(err.Error(), "-login -token-file "+file) {
		t.Errorf("the same token: got %q, %v", token, err)
	}
	write("two")
	if token, err := s.renew(t.Context(), "one", refusal); token != "two" || err != nil {
		t.Errorf("another token: got %q, %v", token, err)
	}
	write("three")
	if token, err := s.renew(t.Context(), "one", refusal); token != "two" || err != nil {
		t.Errorf("a late caller: got %q, %v", token, err)
	}
}
