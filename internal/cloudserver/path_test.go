package cloudserver_test

import (
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// TestPaths asks about names that need escaping, and about names that would lead
// to another object once a proxy has decoded the path.
func TestPaths(t *testing.T) {
	t.Parallel()
	for account, want := range map[string]string{"a b": "a%20b", "50%": "50%25", "...": "..."} {
		service := serve(answer(200, "[]"))
		if _, err := newClient(t, service).VirtualMachines(t.Context(), account, "g"); err != nil {
			t.Errorf("%q: %v", account, err)
		} else if got := service.journal()[0].path; got != "/base/accounts/"+want+"/groups/g/virtual_machines" {
			t.Errorf("%q: asked %s", account, got)
		}
	}
	for _, account := range []string{
		"", ".", "..", "a/../b", "//evil.test/", "a%2fb", "%2e%2E", "%252e%252e", "..;x", "a\\b", "a b\r\nX: y", "ä\x00", "%2e.", "a%5cb", " ", "a?x=1", "a#y", "a%3fx", "a%2523y",
	} {
		service := serve(answer(200, "[]"))
		_, err := newClient(t, service).VirtualMachines(t.Context(), account, "g")
		if err == nil || len(service.journal()) > 0 || account == "" && err.Error() != `GET: the name or id after "accounts" is empty` {
			t.Errorf("%q: got %v after %d requests, want it refused", account, err, len(service.journal()))
		}
	}
}

func TestParseID(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{"1": 1, "9223372036854775807": 1<<63 - 1, "0": 0, "007": 0, "-1": 0, "+1": 0, "": 0, "web1": 0, "9223372036854775808": 0} {
		if id, err := cloudserver.ParseID(text); id != want || (err == nil) != (want != 0) {
			t.Errorf("%q: got %d, %v", text, id, err)
		}
	}
}

func TestIsDigits(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"": false, "0": true, "007": true, "-1": false, "1a": false, "٣": false} {
		if cloudserver.IsDigits(text) != want {
			t.Errorf("%q: got %t", text, !want)
		}
	}
}
