package cloudserver

import (
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
		agrees(wanted.ZoneName, vm.ZoneName) &&
		discsAgree(c.Discs, vm.Discs) &&
		(c.Reimage == nil || agrees(&c.Reimage.Distribution, vm.LastImagedWith))
}

// agrees reports whether the values are equal, or one of them is missing.
func agrees[T comparable](wanted, found *T) bool {
	return wanted == nil || found == nil || *wanted == *found
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

// sameLabel reports whether the service merely normalised the label.
func sameLabel(a, b string) bool {
	return strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(b))
}
