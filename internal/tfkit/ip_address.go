package tfkit

import (
	"fmt"
	"net/netip"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// The families of IP addresses. AnyIP accepts both.
const (
	AnyIP = "IP"
	IPv4  = "IPv4"
	IPv6  = "IPv6"
)

// IPAddress accepts one IP address of a family. Use [SameAddress] to compare addresses.
func IPAddress(family string) validator.String {
	return TextOf("one "+family+" address", "Invalid "+family+" address", func(text string) string {
		address, err := netip.ParseAddr(text)
		switch {
		case err == nil && address.Is4In6():
			return fmt.Sprintf("%q is the IPv4 address %[2]s in the form of an IPv6 address. Set %[2]s where an IPv4 address is expected.", text, address.Unmap())
		case err == nil && address.Zone() == "" && (family == AnyIP || address.Is4() == (family == IPv4)):
			return ""
		}
		if alone, ok := addressIn(text); ok {
			return fmt.Sprintf("%q is more than an address. Set the address alone: %q.", text, alone)
		}
		example := "192.0.2.10"
		if family == IPv6 {
			example = "2001:db8::10"
		}
		return fmt.Sprintf("%q is not an %s address. Set one address without a prefix length, such as %q.", text, family, example)
	})
}

// addressIn returns the address of a text with brackets, a port or a zone around it.
func addressIn(text string) (netip.Addr, bool) {
	if withPort, err := netip.ParseAddrPort(text); err == nil {
		return withPort.Addr().WithZone(""), true
	}
	address, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(text), "["), "]"))
	bare := address.WithZone("")
	return bare, err == nil && bare.String() != text
}

// SameAddress reports whether two texts are the same IP address. An IPv4-mapped IPv6 address equals the IPv4 address. A
// text that is not an address equals only itself.
func SameAddress(a, b string) bool {
	x, errX := netip.ParseAddr(a)
	y, errY := netip.ParseAddr(b)
	if errX != nil || errY != nil {
		return a == b
	}
	return x.Unmap() == y.Unmap()
}
