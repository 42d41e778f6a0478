package tfkit_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr/xattr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

func address(version tfkit.IPVersion, value basetypes.StringValue) tfkit.IPAddress {
	return tfkit.IPAddress{StringValue: value, Version: version}
}

func TestIPAddressValidation(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text    string
		version tfkit.IPVersion
		refused string // the detail
	}{
		{"192.0.2.10", tfkit.IPv4, ""},
		{"2001:db8::10", tfkit.IPv6, ""},
		{"2001:DB8:0:0::10", tfkit.IPv6, ""},
		{"192.0.2.10", tfkit.AnyIP, ""},
		{"2001:db8::10", tfkit.AnyIP, ""},
		{"192.0.2.300", tfkit.IPv4, `"192.0.2.300" is not an IPv4 address. Set one address without a prefix length, such as "192.0.2.10".`},
		{"192.0.2.010", tfkit.IPv4, `"192.0.2.010" is not an IPv4 address. Set one address without a prefix length, such as "192.0.2.10".`},
		{"192.0.2.0/24", tfkit.IPv4, `"192.0.2.0/24" is not an IPv4 address. Set one address without a prefix length, such as "192.0.2.10".`},
		{"2001:db8::10", tfkit.IPv4, `"2001:db8::10" is not an IPv4 address. Set one address without a prefix length, such as "192.0.2.10".`},
		{"192.0.2.10", tfkit.IPv6, `"192.0.2.10" is not an IPv6 address. Set one address without a prefix length, such as "2001:db8::10".`},
		{"fe80::1%eth0", tfkit.IPv6, `"fe80::1%eth0" is not an IPv6 address. Set one address without a prefix length, such as "2001:db8::10".`},
		{"", tfkit.IPv6, `"" is not an IPv6 address. Set one address without a prefix length, such as "2001:db8::10".`},
		{"::ffff:192.0.2.10", tfkit.AnyIP, `"::ffff:192.0.2.10" is the IPv4 address 192.0.2.10 in the form of an IPv6 address. Set 192.0.2.10 where an IPv4 address is expected.`},
		{"::ffff:192.0.2.10", tfkit.IPv6, `"::ffff:192.0.2.10" is the IPv4 address 192.0.2.10 in the form of an IPv6 address. Set 192.0.2.10 where an IPv4 address is expected.`},
		{"web1", tfkit.AnyIP, `"web1" is not an IP address. Set one address without a prefix length, such as "192.0.2.10".`},
	} {
		t.Run(test.version.String()+" "+test.text, func(t *testing.T) {
			t.Parallel()
			var resp xattr.ValidateAttributeResponse
			request := xattr.ValidateAttributeRequest{Path: path.Root("ips")}
			address(test.version, basetypes.NewStringValue(test.text)).ValidateAttribute(t.Context(), request, &resp)
			switch {
			case test.refused == "" && len(resp.Diagnostics) > 0, test.refused != "" && len(resp.Diagnostics) != 1:
				t.Fatalf("got %v", resp.Diagnostics)
			case test.refused != "" && resp.Diagnostics[0].Detail() != test.refused:
				t.Errorf("got  %s\nwant %s", resp.Diagnostics[0].Detail(), test.refused)
			}
		})
	}
}

func TestIPAddressValidationLeavesWhatIsNotKnown(t *testing.T) {
	t.Parallel()
	for _, value := range []basetypes.StringValue{basetypes.NewStringNull(), basetypes.NewStringUnknown()} {
		var resp xattr.ValidateAttributeResponse
		address(tfkit.IPv4, value).ValidateAttribute(t.Context(), xattr.ValidateAttributeRequest{}, &resp)
		if len(resp.Diagnostics) > 0 {
			t.Errorf("%s: %v", value, resp.Diagnostics)
		}
	}
}

func TestIPAddressesCompareAsAddresses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, b string
		same bool
	}{
		{"192.0.2.10", "192.0.2.10", true},
		{"192.0.2.10", "192.0.2.11", false},
		{"2001:db8::1", "2001:DB8:0:0:0:0:0:1", true},
		{"2001:db8::1", "2001:db8::2", false},
		{"::ffff:192.0.2.10", "192.0.2.10", true}, // the same, in another form
		{"none", "none", true},
		{"none", "192.0.2.10", false},
	} {
		for _, pair := range [][2]string{{test.a, test.b}, {test.b, test.a}} {
			x, y := address(tfkit.AnyIP, basetypes.NewStringValue(pair[0])), address(tfkit.AnyIP, basetypes.NewStringValue(pair[1]))
			same, diags := x.StringSemanticEquals(t.Context(), y)
			if same != test.same || len(diags) > 0 {
				t.Errorf("%s and %s: %t, %v", x, y, same, diags)
			}
			if exact := x.Equal(y); exact != (pair[0] == pair[1]) {
				t.Errorf("%s and %s are equal to the letter: %t", x, y, exact)
			}
		}
	}
	if same, _ := address(tfkit.AnyIP, basetypes.NewStringValue("a")).StringSemanticEquals(t.Context(), basetypes.NewStringValue("a")); same {
		t.Error("a plain string is not an address")
	}
}

func TestIPAddressTypeKeepsValues(t *testing.T) {
	t.Parallel()
	kind := tfkit.IPAddressType{Version: tfkit.IPv6}
	for _, wire := range []tftypes.Value{
		tftypes.NewValue(tftypes.String, "2001:DB8::1"),
		tftypes.NewValue(tftypes.String, nil),
		tftypes.NewValue(tftypes.String, tftypes.UnknownValue),
	} {
		value, err := kind.ValueFromTerraform(t.Context(), wire)
		if err != nil {
			t.Fatal(err)
		}
		if !value.Type(t.Context()).Equal(kind) {
			t.Errorf("the type of %s is %s", value, value.Type(t.Context()))
		}
		if back, err := value.ToTerraformValue(t.Context()); err != nil || !back.Equal(wire) {
			t.Errorf("%s came back as %s, %v", wire, back, err)
		}
	}
	if _, err := kind.ValueFromTerraform(t.Context(), tftypes.NewValue(tftypes.Bool, true)); err == nil {
		t.Error("a bool is taken for an address")
	}
	if kind.Equal(tfkit.IPAddressType{Version: tfkit.IPv4}) {
		t.Error("the families are one type")
	}
}
