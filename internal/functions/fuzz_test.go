package functions

import (
	"strings"
	"testing"
)

// Whatever is passed, a hostname is split into parts that make it up, or refused.
func FuzzParseHostname(f *testing.F) {
	for _, seed := range []string{"web1.default.demo.cluster.example", "web1.default.demo.cluster.example.", "", "....", "a.b.c", "https://a.b.c.d/", "a. .c.d", "a.b.c.CLUSTER.example"} {
		f.Add(seed, "cluster.example")
		f.Add(seed, "")
	}
	f.Fuzz(func(t *testing.T, text, domain string) {
		parts, err := splitHostname(text, domain)
		whole := strings.Join([]string{parts.Name, parts.Group, parts.Account, parts.ClusterDomain}, ".")
		if err == nil && whole != strings.TrimSuffix(text, ".") || err != nil && parts != (hostname{}) {
			t.Errorf("%q in %q is split into %+v, %v", text, domain, parts, err)
		}
		for _, name := range []string{parts.Name, parts.Group, parts.Account} {
			if err == nil && (name == "" || strings.Contains(name, ".")) {
				t.Errorf("%q in %q is split into %+v", text, domain, parts)
			}
		}
	})
}

// Whatever is passed, a size is a number of megabytes that is not negative, or refused.
func FuzzToMegabytes(f *testing.F) {
	for _, seed := range []string{"25GiB", "1.5 GiB", "512MiB", "0.000000000000000001TiB", "999999999999999999TiB", "4 gigs", "", "1e9MB", "-1GiB"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, size string) {
		if count, err := toMegabytes(size); count < 0 || err != nil && count != 0 {
			t.Errorf("%q is %d megabytes, %v", size, count, err)
		}
	})
}
