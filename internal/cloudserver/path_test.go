package cloudserver_test

import "testing"

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
