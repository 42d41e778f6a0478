package cloudserver

import (
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// isFulfilledBy reports whether a machine has the requested specification. Only
// what was requested and reported is compared, and power is not: the machine may
// still be starting.
func (c VirtualMachineCreate) isFulfilledBy(vm *VirtualMachine) bool {
	wanted := c.VirtualMachine
	return agrees(wanted.Cores, vm.Cores) &&
		agrees(wanted.Memory, vm.Memory) &&
		profileAgrees(wanted.HardwareProfile, vm.HardwareProfile) &&
		agrees(wanted.ZoneName, vm.ZoneName) &&
		agrees(wanted.CDROMURL.value(), vm.CDROMURL) &&
		discsAgree(c.Discs, vm.Discs) &&
		c.imageAgrees(vm) &&
		c.addressesAgree(vm)
}

// agrees reports whether the values are equal, or one of them is missing.
func agrees[T comparable](wanted, found *T) bool {
	return wanted == nil || found == nil || *wanted == *found
}

// profileAgrees also accepts a profile that the service has upgraded.
func profileAgrees(wanted, found *string) bool {
	return agrees(wanted, found) || IsProfileUpgrade(*wanted, *found)
}

var profileShape = regexp.MustCompile(`^virtio([0-9]{1,18})$`)

// IsProfileUpgrade reports whether the service may have changed one hardware
// profile into the other by itself: virtio2011 into virtio2013, or a virtio
// profile into a newer one (API.md §8).
func IsProfileUpgrade(from, to string) bool {
	before, after := profileShape.FindStringSubmatch(from), profileShape.FindStringSubmatch(to)
	if before == nil || after == nil {
		return false
	}
	older, errOlder := strconv.ParseInt(before[1], 10, 64)
	newer, errNewer := strconv.ParseInt(after[1], 10, 64)
	return errOlder == nil && errNewer == nil && older < newer
}

// discsAgree compares discs by label. Discs that are missing from a list may still
// be on their way; additional ones belong to another machine.
func discsAgree(wanted []DiscSpec, found []Disc) bool {
	if len(wanted) == 0 {
		return true
	}
	for _, disc := range found {
		if !slices.ContainsFunc(wanted, func(spec DiscSpec) bool {
			return sameLabel(spec.Label, disc.Label) && spec.Size == disc.Size &&
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

// addressesAgree reports whether the machine has the wanted addresses, or none
// yet.
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

// sameLabel reports whether the service merely normalised the label.
func sameLabel(a, b string) bool {
	return strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(b))
}
