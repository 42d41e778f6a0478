package console

import "testing"

// FuzzParseFault checks that any text is either a valid fault or refused.
func FuzzParseFault(f *testing.F) {
	for _, seed := range []string{"POST */vm_create 503 times=2", `PUT * 400 body="{\"name\": [\"is reserved\"]}"`, "GET * delay=20s", "POST * cut after", "GET * truncate=100", "", `* * "`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, written string) {
		if fault, err := parseFault(written); err == nil && fault.Match == nil {
			t.Errorf("%q matches every request", written)
		}
	})
}
