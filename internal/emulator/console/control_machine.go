package console

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// machine finds a machine by its ID, name or hostname, or by the beginning of the hostname, such as web1.default.
func (d *desk) machine(meant string) (emulator.Machine, error) {
	var found []emulator.Machine
	for _, m := range d.emulator.Machines() {
		if meant == strconv.FormatInt(m.ID, 10) {
			return m, nil
		}
		if m.Hostname == meant || strings.HasPrefix(m.Hostname, meant+".") {
			found = append(found, m)
		}
	}
	switch len(found) {
	case 0:
		return emulator.Machine{}, fmt.Errorf("there is no virtual machine %q", meant)
	case 1:
		return found[0], nil
	}
	var names []string
	for _, m := range found {
		names = append(names, m.Hostname)
	}
	return emulator.Machine{}, fmt.Errorf("%q may be %s", meant, strings.Join(slices.Sorted(slices.Values(names)), " or "))
}
