package tfkit

import (
	"fmt"
	"net/netip"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
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

// IPAddress accepts one IP address of the family. To compare two of them, use
// [SameAddress].
func IPAddress(version IPVersion) validator.String {
	return Text{
		Accepts: fmt.Sprintf("one %s address", version), Summary: fmt.Sprintf("Invalid %s address", version),
		Problem: func(_ path.Path, text string) string {
			address, err := netip.ParseAddr(text)
			switch {
			case err == nil && address.Is4In6():
				return fmt.Sprintf("%q is the IPv4 address %[2]s in the form of an IPv6 address. Set %[2]s where an IPv4 address is expected.", text, address.Unmap())
			case err == nil && address.Zone() == "" && (version == AnyIP || address.Is4() == (version == IPv4)):
				return ""
			}
			example := "192.0.2.10"
			if version == IPv6 {
				example = "2001:db8::10"
			}
			return fmt.Sprintf("%q is not an %s address. Set one address without a prefix length, such as %q.", text, version, example)
		},
	}
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
