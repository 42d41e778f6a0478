package cloudserver_test

import (
	"bytes"
	"testing"
	"testing/synctest"

	"github.com/hashicorp/terraform-plugin-log/tflogtest"
)

// The log contains what readers need. TestHostileAnswers checks that it contains no secrets.
func TestLog(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		ctx := tflogtest.RootLogger(t.Context(), &log)
		service := serve(cut, answer(200, `{"id":7,"name":"web1","cores":2}`))
		if _, err := newClient(t, service).VirtualMachine(ctx, 7); err != nil {
			t.Fatal(err)
		}
		entries, err := tflogtest.MultilineJSONDecode(&log)
		if err != nil || len(entries) != 3 {
			t.Fatalf("%d entries, %v; want a failure, an answer, its bodies", len(entries), err)
		}
		for i, want := range []map[string]any{
			{"@level": "debug", "method": "GET", "path": "/virtual_machines/7?view=overview", "attempt": 1.0, "error": "connection reset by peer"},
			{"@level": "debug", "method": "GET", "status": 200.0, "attempt": 2.0, "duration_ms": 0.0},
			{"@level": "trace", "response": `{"cores":2,"id":7,"name":"web1"}`, "request": ""},
		} {
			for key, value := range want {
				if entries[i][key] != value {
					t.Errorf("entry %d: %s is %v, want %v", i, key, entries[i][key], value)
				}
			}
		}
	})
}
