package cloudserver

import (
	"net/netip"
	"slices"
	"strings"
)

// isFulfilledBy reports whether a machine is the one that was asked for. What
// the service does not tell, or was left to choose, speaks for it. Power is not
// compared: it is on its way.
func (c VirtualMachineCreate) isFulfilledBy(vm *VirtualMachine) bool {
	wanted := c.VirtualMachine
	return wanted.Name == vm.Name &&
		agrees(wanted.Cores, vm.Cores) &&
		agrees(wanted.Memory, vm.Memory) &&
		profileAgrees(wanted.HardwareProfile, vm.HardwareProfile) &&
		agrees(wanted.ZoneName, vm.ZoneName) &&
		agrees(wanted.CDROMURL.value(), vm.CDROMURL) &&
		discsAgree(c.Discs, vm.Discs) &&
		c.imageAgrees(vm) &&
		c.addressesAgree(vm)
}

// agrees compares where both sides have something to say.
func agrees[T comparable](wanted, found *T) bool {
	return wanted == nil || found == nil || *wanted == *found
}

// profileAgrees takes the service's own upgrade of a virtio profile for what
// it is (service.md §2.4).
func profileAgrees(wanted, found *string) bool {
	upgraded := wanted != nil && found != nil && strings.HasPrefix(*wanted, "virtio") && strings.HasPrefix(*found, "virtio")
	return upgraded || agrees(wanted, found)
}

// discsAgree compares by label. No list tells nothing; discs that are missing
// from a list may still be on their way, discs too many are not ours.
func discsAgree(wanted []DiscSpec, found []Disc) bool {
	if len(wanted) == 0 {
		return true
	}
	for _, disc := range found {
		if !slices.ContainsFunc(wanted, func(spec DiscSpec) bool {
			return spec.Label == disc.Label && spec.Size == disc.Size &&
				(spec.StorageGrade == "" || disc.StorageGrade == "" || spec.StorageGrade == disc.StorageGrade)
		}) {
			return false
		}
	}
	return true
}

func (c VirtualMachineCreate) imageAgrees(vm *VirtualMachine) bool {
	return c.Reimage == nil || agrees(&c.Reimage.Distribution, vm.LastImagedWith)
}

// addressesAgree looks for the wanted addresses once the machine has any.
func (c VirtualMachineCreate) addressesAgree(vm *VirtualMachine) bool {
	if c.IPs == nil {
		return true
	}
	var found []netip.Addr
	for _, card := range vm.NetworkInterfaces {
		for _, text := range card.IPs {
			if address, err := netip.ParseAddr(text); err == nil {
				found = append(found, address)
			}
		}
	}
	for _, text := range []string{c.IPs.IPv4, c.IPs.IPv6} {
		address, err := netip.ParseAddr(text)
		if err == nil && len(found) > 0 && !slices.Contains(found, address) {
			return false
		}
	}
	return true
}
