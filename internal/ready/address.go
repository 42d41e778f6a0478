package ready

import (
	"fmt"
	"net/netip"
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
	var kind string
	switch address = address.Unmap(); {
	case address.IsLoopback():
		kind = "a loopback address"
	case address.IsLinkLocalUnicast():
		kind = "a link-local address"
	case address.IsMulticast():
		kind = "a multicast address"
	case address.IsUnspecified():
		kind = "an unspecified address"
	case address.Zone() != "":
		kind = "an address of one network alone"
	default:
		return nil
	}
	return fmt.Errorf("the service reports %s as the address of the machine, which is %s, and ready.host is not set: nothing was sent there", address, kind)
}
