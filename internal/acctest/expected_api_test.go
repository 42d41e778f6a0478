package acctest

import "testing"

func TestSentCallsAreOnThePage(t *testing.T) {
	t.Parallel()
	for call, listed := range map[string]bool{
		"GET /definitions": true,
		"DELETE /accounts/a/groups/b/virtual_machines/7":  true,
		"DELETE /accounts/a/groups/b/virtual_machines":    false,
		"PATCH /accounts/a/groups/b/virtual_machines/7":   false,
		"GET /accounts/a/groups/b/virtual_machines/7/ips": false,
	} {
		calls := &sentCalls{sent: map[string]bool{}}
		if _, err := calls.Write([]byte("12:00:00 " + call + " 200\n")); err != nil {
			t.Fatal(err)
		}
		if err := calls.check(); (err == nil) != listed {
			t.Errorf("%s: %v", call, err)
		}
	}
}
