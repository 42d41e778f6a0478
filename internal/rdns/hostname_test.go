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
	for hostname, want := range map[string]bool{
		"www.example.com":                      true,
		"www.example.com.":                     true,
		"_dmarc.example.com":                   true,
		"xn--bcher-kva.example":                true,
		"1.2.0.192.in-addr.arpa":               true,
		label + ".example":                     true,
		strings.Repeat(label+".", 3) + "a.bcd": true,
		"":                                     false,
		".":                                    false,
		"192.0.2.25":                           false,
		"a..b":                                 false,
		".a.b":                                 false,
		"a.b..":                                false,
		"a b":                                  false,
		"-a.example":                           false,
		"a-.example":                           false,
		"*.example.com":                        false,
		"https://a.example":                    false,
		"bücher.example":                       false,
		label + "a.example":                    false,
		strings.Repeat("a.", 127):              true, // 253 without the last dot
		strings.Repeat("a.", 127) + "b":        false,
	} {
		text := acctest.DiagText(d.Validate(rdnsType, map[string]any{"address": ipv4, "hostname": hostname}))
		if want != (text == "") || !want && !strings.HasPrefix(text, "error at hostname: Invalid hostname") {
			t.Errorf("%q: want %t, got:\n%s", hostname, want, text)
		}
	}
	if calls := e.AllCalls(); len(calls) > 0 {
		t.Errorf("asked %v", calls)
	}
}
