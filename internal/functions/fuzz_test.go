package functions

import (
	"strings"
	"testing"
)

// Whatever is given, a host name is taken apart into what makes it up, or
// refused.
func FuzzParseHostname(f *testing.F) {
	for _, seed := range []string{"web1.default.demo.cluster.example", "web1.default.demo.cluster.example.", "", "....", "a.b.c", "https://a.b.c.d/", "a. .c.d"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		parts, err := splitHostname(text)
		whole := strings.Join([]string{parts.Name, parts.Group, parts.Account, parts.ClusterDomain}, ".")
		if err == nil && whole != strings.TrimSuffix(text, ".") || err != nil && parts != (hostname{}) {
			t.Errorf("%q is read as %+v, %v", text, parts, err)
		}
	})
}

// What a part may be, an import id made of it says again.
func FuzzImportPart(f *testing.F) {
	for _, seed := range []string{"demo", "", "a/b", " a", "a b", "7"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, part string) {
		if importPartProblem(part) == "" && len(strings.Split(part+"/x", "/")) != 2 {
			t.Errorf("%q is taken for one part", part)
		}
	})
}
