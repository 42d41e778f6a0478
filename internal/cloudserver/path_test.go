package cloudserver_test

import (
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// TestPaths uses names that need escaping, and names that would lead to another object once a proxy has decoded the
// path.
func TestPaths(t *testing.T) {
	t.Parallel()
	for account, want := range map[string]string{"a b": "a%20b", "50%": "50%25", "...": "...", "x%zz": "x%25zz", "%%41": "%25%2541"} {
		service := serve(answer(200, "[]"))
		if _, err := newClient(t, service).VirtualMachines(t.Context(), account, "g"); err != nil {
			t.Errorf("%q: %v", account, err)
		} else if got := service.journal()[0].path; got != "/base/accounts/"+want+"/groups/g/virtual_machines" {
			t.Errorf("%q: asked %s", account, got)
		}
	}
	for _, account := range []string{
		"", ".", "..", "a/../b", "//evil.test/", "a%2fb", "%2e%2E", "%252e%252e", "..;x", "a\\b", "a b\r\nX: y", "ä\x00", "%2e.", "a%5cb", " ", "a?x=1", "a#y", "a%3fx", "a%2523y",
		"x%zz%2f..%2f", "%zz%2e%2e%2f", "%2%2fx", "%%2fx", "a%25zz%252fb", "%25252525252fx", "%%32%66", "%25%32%46", "%2e%2e;%zz",
	} {
		service := serve(answer(200, "[]"))
		_, err := newClient(t, service).VirtualMachines(t.Context(), account, "g")
		if err == nil || len(service.journal()) > 0 || account == "" && err.Error() != `GET: the name or id after "accounts" is empty` {
			t.Errorf("%q: got %v after %d requests, want it refused", account, err, len(service.journal()))
		}
	}
}

// TestManyEscapesAreDecodedInTime: the time for decoding a name grows linearly with its length.
func TestManyEscapesAreDecodedInTime(t *testing.T) {
	t.Parallel()
	for _, name := range []string{strings.Repeat("%25", 1<<18) + "2f", "%" + strings.Repeat("25", 1<<18) + "2f", strings.Repeat("%", 1<<18) + strings.Repeat("2f", 1<<18)} {
		began := time.Now()
		if err := cloudserver.CheckName(name); err == nil {
			t.Errorf("%.20s…: accepted", name)
		}
		if took := time.Since(began); took > 3*time.Second {
			t.Errorf("%.20s…: took %s", name, took)
		}
	}
}
