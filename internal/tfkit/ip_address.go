package tfkit

import (
	"context"
	"fmt"
	"net/netip"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/attr/xattr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

var (
	_ basetypes.StringTypable                    = IPAddressType{}
	_ basetypes.StringValuableWithSemanticEquals = IPAddress{}
	_ xattr.ValidateableAttribute                = IPAddress{}
)

// IPVersion is the family that an address attribute accepts.
type IPVersion int

// The two families, and either of them.
const (
	AnyIP IPVersion = 0
	IPv4  IPVersion = 4
	IPv6  IPVersion = 6
)

// String names the family in messages.
func (v IPVersion) String() string {
	if v == AnyIP {
		return "IP"
	}
	return fmt.Sprintf("IPv%d", int(v))
}

func (v IPVersion) includes(address netip.Addr) bool {
	return v == AnyIP || address.Is4() == (v == IPv4)
}

// IPAddressType is the type of an attribute that holds one IP address. Its
// values compare as addresses, not as text: 2001:db8::1 equals 2001:DB8:0::1.
type IPAddressType struct {
	basetypes.StringType
	Version IPVersion
}

// IPAddress is a value of IPAddressType.
type IPAddress struct {
	basetypes.StringValue
	Version IPVersion
}

// String names the type in messages.
func (t IPAddressType) String() string { return t.Version.String() + "AddressType" }

// Equal reports whether both are the same type.
func (t IPAddressType) Equal(other attr.Type) bool {
	o, ok := other.(IPAddressType)
	return ok && t.Version == o.Version && t.StringType.Equal(o.StringType)
}

// ValueType returns a zero value of the type.
func (t IPAddressType) ValueType(context.Context) attr.Value { return IPAddress{Version: t.Version} }

// ValueFromString wraps a string value.
func (t IPAddressType) ValueFromString(_ context.Context, in basetypes.StringValue) (basetypes.StringValuable, diag.Diagnostics) {
	return IPAddress{StringValue: in, Version: t.Version}, nil
}

// ValueFromTerraform converts a value of the protocol.
func (t IPAddressType) ValueFromTerraform(ctx context.Context, in tftypes.Value) (attr.Value, error) {
	value, err := t.StringType.ValueFromTerraform(ctx, in)
	if err != nil {
		return nil, fmt.Errorf("reading an IP address: %w", err)
	}
	text, ok := value.(basetypes.StringValue)
	if !ok {
		return nil, fmt.Errorf("reading an IP address: unexpected value of type %T", value)
	}
	return IPAddress{StringValue: text, Version: t.Version}, nil
}

// Type returns the value's type.
func (v IPAddress) Type(context.Context) attr.Type { return IPAddressType{Version: v.Version} }

// Equal reports whether both are the same text.
func (v IPAddress) Equal(other attr.Value) bool {
	o, ok := other.(IPAddress)
	return ok && v.Version == o.Version && v.StringValue.Equal(o.StringValue)
}

// StringSemanticEquals compares the values as addresses.
func (v IPAddress) StringSemanticEquals(_ context.Context, other basetypes.StringValuable) (bool, diag.Diagnostics) {
	o, ok := other.(IPAddress)
	if !ok {
		return false, nil
	}
	return SameAddress(v.ValueString(), o.ValueString()), nil
}

// ValidateAttribute refuses text that is not an address of the family.
func (v IPAddress) ValidateAttribute(_ context.Context, req xattr.ValidateAttributeRequest, resp *xattr.ValidateAttributeResponse) {
	if !Given(v) {
		return
	}
	address, err := netip.ParseAddr(v.ValueString())
	if err == nil && address.Is4In6() {
		resp.Diagnostics.AddAttributeError(req.Path, fmt.Sprintf("Invalid %s address", v.Version),
			fmt.Sprintf("%q is the IPv4 address %[2]s in the form of an IPv6 address. Set %[2]s where an IPv4 address is expected.", v.ValueString(), address.Unmap()))
		return
	}
	if err == nil && address.Zone() == "" && v.Version.includes(address) {
		return
	}
	example := "192.0.2.10"
	if v.Version == IPv6 {
		example = "2001:db8::10"
	}
	resp.Diagnostics.AddAttributeError(req.Path, fmt.Sprintf("Invalid %s address", v.Version),
		fmt.Sprintf("%q is not an %s address. Set one address without a prefix length, such as %q.", v.ValueString(), v.Version, example))
}

// SameAddress reports whether two texts are the same IP address. An IPv4-mapped
// IPv6 address is the IPv4 address. Text that is no address is only the same as
// itself.
func SameAddress(a, b string) bool {
	x, errX := netip.ParseAddr(a)
	y, errY := netip.ParseAddr(b)
	if errX != nil || errY != nil {
		return a == b
	}
	return x.Unmap() == y.Unmap()
}
