package rdns_test

import (
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

func TestHostnamesThatCannotBe(t *testing.T) {
	t.Parallel()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	label := strings.Repeat("a", 63)
	for hostname, want := range map[string]string{
		"www.example.com":                      "",
		"www.example.com.":                     "",
		"_dmarc.example.com":                   "",
		"xn--bcher-kva.example":                "",
		"1.2.0.192.in-addr.arpa":               "",
		label + ".example":                     "",
		strings.Repeat(label+".", 3) + "a.bcd": "",
		"":                                     "it is empty",
		".":                                    "it is empty",
		"192.0.2.25":                           "it is an IP address",
		"a..b":                                 "it has an empty part between dots",
		".a.b":                                 "it has an empty part between dots",
		"a.b..":                                "it has an empty part between dots",
		"a b":                                  `the part "a b" may only have letters, digits and hyphens`,
		"-a.example":                           "no hyphen at its start or end",
		"a-.example":                           "no hyphen at its start or end",
		"*.example.com":                        `the part "*"`,
		"https://a.example":                    `the part "https://a"`,
		"bücher.example":                       "its ASCII form, which begins with xn--",
		label + "a.example":                    "has 64 characters, but at most 63 are allowed",
		strings.Repeat("a.", 127):              "", // 253 without the last dot
		strings.Repeat("a.", 127) + "b":        "it has 255 characters, but at most 253 are allowed",
	} {
		text := acctest.DiagText(d.Validate(rdnsType, map[string]any{"address": ipv4, "hostname": hostname}))
		if want == "" && text != "" || !strings.Contains(text, want) || want != "" && !strings.HasPrefix(text, "error at hostname: Invalid hostname") {
			t.Errorf("%q: want %q, got:\n%s", hostname, want, text)
		}
	}
	if calls := e.AllCalls(); len(calls) > 0 {
		t.Errorf("asked %v", calls)
	}
}
