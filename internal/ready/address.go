package ready

import (
	"fmt"
	"net/netip"
	"slices"
)

// CheckAddress returns an error if an address that the service reports for a machine cannot be one: it leads to this
// computer, to a metadata service, or to no single machine. If the service itself runs on this computer, as the
// emulator does, every address is accepted.
func CheckAddress(text string, serviceIsHere bool) error {
	address, err := netip.ParseAddr(text)
	if err != nil {
		return fmt.Errorf("the service reports an address of the machine that is not one: %s", shown(fmt.Errorf("%q", text)))
	}
	if serviceIsHere {
		return nil
	}
	kind := refused(address)
	if kind == "" {
		return nil
	}
	return fmt.Errorf("the service reports %s as the address of the machine, which is %s, and ready.host is not set: nothing was sent there", address, kind)
}

// metadata are the addresses of metadata services that are not link-local. Some networks route them to every machine.
var metadata = []netip.Addr{
	netip.MustParseAddr("100.100.100.200"), netip.MustParseAddr("168.63.129.16"), netip.MustParseAddr("fd00:ec2::254"),
}

// thisNetwork are addresses of the sender itself.
var thisNetwork = netip.MustParsePrefix("0.0.0.0/8")

// refused returns the kind of an address that is never a machine's, or "". An IPv6 address that leads to an IPv4 address
// is of the same kind.
func refused(address netip.Addr) string {
	switch address = address.Unmap(); {
	case address.IsLoopback():
		return "a loopback address"
	case address.IsLinkLocalUnicast():
		return "a link-local address"
	case address.IsMulticast():
		return "a multicast address"
	case address.IsUnspecified(), thisNetwork.Contains(address):
		return "an unspecified address"
	case address.Zone() != "":
		return "an address of one network alone"
	case slices.Contains(metadata, address):
		return "the address of a metadata service"
	}
	if inner, ok := inside(address); ok {
		return refused(inner)
	}
	return ""
}

// embeddings are the IPv6 networks whose addresses contain an IPv4 address, from which byte on: IPv4-compatible ones,
// those of NAT64 and those of 6to4.
var embeddings = map[netip.Prefix]int{
	netip.MustParsePrefix("::/96"): 12, netip.MustParsePrefix("64:ff9b::/96"): 12, netip.MustParsePrefix("2002::/16"): 2,
}

// inside returns the IPv4 address that an IPv6 address contains.
func inside(address netip.Addr) (netip.Addr, bool) {
	for network, from := range embeddings {
		if network.Contains(address) {
			all := address.As16()
			return netip.AddrFromSlice(all[from : from+4])
		}
	}
	return netip.Addr{}, false
}
