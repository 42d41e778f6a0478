package cloudserver_test

import (
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

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
