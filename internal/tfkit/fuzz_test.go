package tfkit_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr/xattr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// Whatever stands for an address: each is the same as itself, comparing does not
// depend on the order, and nothing is of both families.
func FuzzIPAddress(f *testing.F) {
	for _, seed := range [][2]string{{"192.0.2.10", "192.0.2.10"}, {"2001:db8::1", "2001:DB8:0::1"}, {"::ffff:192.0.2.1", "192.0.2.1"}, {"", "x"}, {"fe80::1%eth0", "fe80::1"}, {"192.0.2.1/24", "1.2.3"}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		if !tfkit.SameAddress(a, a) || tfkit.SameAddress(a, b) != tfkit.SameAddress(b, a) {
			t.Errorf("%q and %q", a, b)
		}
		if accepts(t, a, tfkit.IPv4) && accepts(t, a, tfkit.IPv6) {
			t.Errorf("%q is of both families", a)
		}
	})
}

func accepts(t *testing.T, text string, version tfkit.IPVersion) bool {
	t.Helper()
	var resp xattr.ValidateAttributeResponse
	address := tfkit.IPAddress{StringValue: basetypes.NewStringValue(text), Version: version}
	address.ValidateAttribute(t.Context(), xattr.ValidateAttributeRequest{Path: path.Root("ipv4")}, &resp)
	return !resp.Diagnostics.HasError()
}
