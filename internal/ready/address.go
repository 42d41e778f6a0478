package ready

import (
	"fmt"
	"net/netip"
)

// CheckAddress returns an error for what a service calls the address of a machine, if that cannot be one: it leads to this
// computer, to its metadata service, or to nobody in particular. A service on this computer itself, such as the emulator, may
// have machines here.
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
