package rdns_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

func TestNameOfAnAddress(t *testing.T) {
	t.Parallel()
	d, e, _ := drive(t)
	d.MustApply(t.Context(), rdnsType, nil, map[string]any{"address": ipv6, "hostname": "www.example.com"})
	e.ResetJournal()
	for address, want := range map[string]string{ipv4: "web1.private.demo." + emulator.ClusterDomain, ipv6: "www.example.com"} {
		o, diags := d.ReadData(t.Context(), rdnsType, map[string]any{"address": address})
		if acctest.HasErrors(diags) || o.Get("hostname") != want {
			t.Errorf("%s: got %v, want %s\n%s", address, o.Get("hostname"), want, acctest.DiagText(diags))
		}
	}
	calls := slices.Sorted(slices.Values(e.AllCalls()))
	if !slices.Equal(calls, []string{"GET /ips/" + ipv4, "GET /ips/" + ipv6}) {
		t.Errorf("requests: %v", calls)
	}
	_, diags := d.ReadData(t.Context(), rdnsType, map[string]any{"address": "203.0.113.9"})
	if text := acctest.DiagText(diags); !strings.HasPrefix(text, "error at address: Cannot read the reverse DNS name of 203.0.113.9") {
		t.Errorf("an address of nobody:\n%s", text)
	}
}
