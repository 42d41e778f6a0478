package acctest_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

func TestJournalChecks(t *testing.T) {
	t.Parallel()
	e := acctest.StartEmulator(t, emulator.Options{})
	const machine = "/accounts/demo/groups/default/virtual_machines/none?purge=true"
	send(t.Context(), t, http.MethodGet, e.URL+"/definitions")
	acctest.ExpectCalls(t, e)

	send(t.Context(), t, http.MethodDelete, e.URL+machine)
	equal(t, strings.Join(e.AllCalls(), " "), "GET /definitions DELETE "+machine)
	acctest.ExpectCalls(t, e, "DELETE "+machine)
	seen := &witness{TB: t}
	acctest.ExpectCalls(seen, e)
	equal(t, len(seen.failures), 1)
}

func send(ctx context.Context, t *testing.T, method, url string) {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+emulator.DemoAPIKey)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	if err := resp.Body.Close(); err != nil {
		t.Error(err)
	}
}
