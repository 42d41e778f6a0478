package transport

import (
	"slices"
	"testing"
)

// TestRedactJSON hides secrets wherever they stand: as a number, and as a name.
func TestRedactJSON(t *testing.T) {
	t.Parallel()
	hide, found := newSecrets("hunter2hunter2", "48151623").hide, []string(nil)
	find := func(secret string) { found = append(found, secret) }
	for document, want := range map[string]string{
		`{"note":"hunter2hunter2!","cores":2}`:    `{"cores":2,"note":"(hidden)!"}`,
		`[{"pin":48151623,"size":25600}]`:         `[{"pin":"(hidden)","size":25600}]`,
		`{"hunter2hunter2":["is unknown"]}`:       `{"(hidden)":["is unknown"]}`,
		`{"Root_Password":"new","a":{"OTP":123}}`: `{"Root_Password":"(hidden)","a":{"OTP":"(hidden)"}}`,
	} {
		if got, ok := redactJSON([]byte(document), hide, find); got != want || !ok {
			t.Errorf("%s:\n got %s\nwant %s", document, got, want)
		}
	}
	if !slices.Equal(found, []string{"new"}) {
		t.Errorf("found %q", found)
	}
	if _, ok := redactJSON([]byte("hunter2hunter2"), hide, find); ok {
		t.Error("what is not JSON is taken for it")
	}
}
