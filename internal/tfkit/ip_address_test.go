package tfkit_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

func TestIPAddressesCompareAsAddresses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, b string
		same bool
	}{
		{a: "192.0.2.10", b: "192.0.2.10", same: true},
		{a: "192.0.2.10", b: "192.0.2.11"},
		{a: "2001:db8::1", b: "2001:DB8:0:0:0:0:0:1", same: true},
		{a: "2001:db8::1", b: "2001:db8::2"},
		{a: "::ffff:192.0.2.10", b: "192.0.2.10", same: true}, // the same, in another form
		{a: "none", b: "none", same: true},
		{a: "none", b: "192.0.2.10"},
	} {
		for _, pair := range [][2]string{{test.a, test.b}, {test.b, test.a}} {
			if same := tfkit.SameAddress(pair[0], pair[1]); same != test.same {
				t.Errorf("%q: %t", pair, same)
			}
		}
	}
}

// Whatever the texts are: each equals itself, comparing does not depend on the order, and none is accepted as both
// families.
func FuzzIPAddress(f *testing.F) {
	for _, seed := range [][2]string{{"192.0.2.10", "192.0.2.10"}, {"2001:db8::1", "2001:DB8:0::1"}, {"::ffff:192.0.2.1", "192.0.2.1"}, {"", "x"}, {"fe80::1%eth0", "fe80::1"}, {"192.0.2.1/24", "1.2.3"}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		if !tfkit.SameAddress(a, a) || tfkit.SameAddress(a, b) != tfkit.SameAddress(b, a) {
			t.Errorf("%q and %q", a, b)
		}
		if refusalOf(t, tfkit.IPAddress(tfkit.IPv4), types.StringValue(a)) == "" && refusalOf(t, tfkit.IPAddress(tfkit.IPv6), types.StringValue(a)) == "" {
			t.Errorf("%q is of both families", a)
		}
	})
}
