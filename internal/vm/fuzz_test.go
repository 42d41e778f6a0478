package vm

import (
	"strings"
	"testing"
)

// Every import ID is either understood completely or refused.
func FuzzImportID(f *testing.F) {
	for _, seed := range []string{"1234", "default/web1", "demo/default/web1", "", "/", "a//b", " 1", "-1", "a/b/c/d", "9999999999999999999", "demo/default/a\x00b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		id, err := parseImportID(text)
		if err != nil {
			return
		}
		parts := strings.Split(text, "/")
		named := id.ID == 0 && id.Names["group"] == parts[max(len(parts)-2, 0)] && id.Names["name"] == parts[len(parts)-1]
		if numbered := len(parts) == 1 && id.ID > 0; !numbered && !named || len(parts) > 3 {
			t.Errorf("%q is read as %+v", text, id)
		}
	})
}
