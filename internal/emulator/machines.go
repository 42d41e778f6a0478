// SPDX-License-Identifier: MPL-2.0

package emulator

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"
)

// Values that the service chooses if a creation does not set them.
const (
	defaultCores           = 1
	defaultMemory          = 1024 // megabytes
	defaultHardwareProfile = "virtio2013"
	defaultZone            = "york"
	defaultGrade           = "sata"
)

// Limits (API.md §1, §3 and §4).
const (
	maxDiscs    = 8
	maxBackups  = 1000
	minDiscSize = 50 // megabytes
	minName     = 3  // characters
	minRootPass = 3  // characters
)

// machineWire is the virtual_machine object (API.md §3 and §8).
type machineWire struct {
	Type                  string          `json:"type"`
	ID                    int64           `json:"id"`
	GroupID               int64           `json:"group_id"`
	Name                  string          `json:"name"`
	Hostname              string          `json:"hostname"`
	ManagementAddress     string          `json:"management_address"`
	Cores                 int64           `json:"cores"`
	Memory                int64           `json:"memory"`
	HardwareProfile       string          `json:"hardware_profile"`
	HardwareProfileLocked bool            `json:"hardware_profile_locked"`
	AutorebootOn          bool            `json:"autoreboot_on"`
	PowerOn               bool            `json:"power_on"`
	Deleted               bool            `json:"deleted"`
	Keymap                *string         `json:"keymap"`
	CDROMURL              *string         `json:"cdrom_url"`
	Head                  *string         `json:"head"`
	ZoneName              string          `json:"zone_name"`
	LastImagedWith        *string         `json:"last_imaged_with"`
	Discs                 []discWire      `json:"discs,omitzero"`
	NetworkInterfaces     []interfaceWire `json:"network_interfaces,omitzero"`
}

// interfaceWire is a network interface object (API.md §3).
type interfaceWire struct {
	Interface
	Label            *string           `json:"label"`
	ExtraIPs         map[string]string `json:"extra_ips"`
	VirtualMachineID int64             `json:"virtual_machine_id"`
}

// machineWire returns the object of a machine, with discs and interfaces in the overview.
func (c *call) machineWire(m *machine, overview bool) machineWire {
	wire := machineWire{
		Type: mediaType("virtual-machine"), ID: m.ID, GroupID: m.GroupID, Name: m.Name, Hostname: m.hostname(),
		ManagementAddress: m.ManagementAddress, Cores: m.Cores, Memory: m.Memory,
		HardwareProfile: m.HardwareProfile, HardwareProfileLocked: m.HardwareProfileLocked,
		AutorebootOn: m.AutorebootOn, PowerOn: m.PowerOn, Deleted: m.Deleted,
		Keymap: orNull(m.Keymap), CDROMURL: orNull(m.CDROMURL), Head: orNull(m.Head), ZoneName: m.ZoneName,
		LastImagedWith: orNull(m.LastImagedWith),
	}
	if !overview {
		return wire
	}
	wire.Discs = c.discWires(m)
	wire.NetworkInterfaces = []interfaceWire{}
	for _, face := range m.Interfaces {
		face.IPs = append([]string{}, face.IPs...) // [] instead of null
		extra := map[string]string{}
		maps.Copy(extra, face.ExtraIPs)
		wire.NetworkInterfaces = append(wire.NetworkInterfaces, interfaceWire{
			Interface: face, Label: orNull(face.Label), ExtraIPs: extra, VirtualMachineID: m.ID,
		})
	}
	return wire
}

// orNull returns null for an empty string.
func orNull(value string) *string {
	if value == "" {
		return nil
	}
	return &value
}

// listed returns the machines of a group that a list shows: soft-deleted ones only on request.
func (c *call) listed(g *group) []machineWire {
	list := make([]machineWire, 0, len(g.Machines))
	deleted, overview := c.flag("include_deleted"), c.overview()
	for _, m := range g.Machines {
		if deleted || !m.Deleted {
			list = append(list, c.machineWire(m, overview))
		}
	}
	return list
}

// findMachine finds a machine of the group or, if the path has no group, the machine with an ID.
func (c *call) findMachine(key string) error {
	id := idOf(key)
	found := c.world.machines[id]
	if c.group != nil {
		found = cmp.Or(c.group.machine(key), findIn(c.group.Machines, func(m *machine) bool { return m.ID == id }))
	}
	if found == nil || !c.user.sees(found.group.account) {
		return refuse(http.StatusNotFound, "no such virtual machine")
	}
	if found.Deleted && c.writes() && strings.Contains(c.Pattern, "/discs") {
		return refuse(http.StatusBadRequest, "the virtual machine is deleted: its discs cannot be changed")
	}
	if found.Deleted && !c.reachesDeleted() {
		return refuse(http.StatusNotFound, "no such virtual machine")
	}
	c.machine, c.reached.Machine = found, found.ID
	return nil
}

// reachesDeleted reports whether the call reaches soft-deleted machines: to show, to purge or to undelete them.
func (c *call) reachesDeleted() bool {
	switch c.Method {
	case http.MethodDelete:
		return c.flag("purge")
	case http.MethodPut:
		return string(c.form.values["deleted"]) == "false"
	}
	return c.flag("include_deleted") && !c.writes()
}

// showMachine is GET …/virtual_machines/{vm} and GET /virtual_machines/{id} (API.md §3).
func showMachine(c *call) (answer, error) {
	return reply("virtual-machine", c.machineWire(c.machine, c.overview()))
}

// listMachines is GET …/groups/{group}/virtual_machines.
func listMachines(c *call) (answer, error) {
	return reply("", c.listed(c.group))
}

// listAllMachines is GET /virtual_machines?account_id=…&group_id=…. Both filters are optional, but must name existing
// objects.
func listAllMachines(c *call) (answer, error) {
	accountKey, groupKey := c.URL.Query().Get("account_id"), c.URL.Query().Get("group_id")
	if accountKey != "" {
		if err := c.findAccount(accountKey); err != nil {
			return answer{}, err
		}
	}
	groupID := idOf(groupKey)
	if groupKey != "" && c.world.groups[groupID] == nil {
		return answer{}, refuse(http.StatusNotFound, "no such group")
	}
	list := []machineWire{}
	for _, a := range c.world.Accounts {
		if !c.user.sees(a) || accountKey != "" && a != c.account {
			continue
		}
		for _, g := range a.Groups {
			if groupKey == "" || groupID == g.ID {
				list = append(list, c.listed(g)...)
			}
		}
	}
	return reply("", list)
}

// createMachine is POST …/groups/{group}/vm_create (API.md §7): machine, discs and image in one transaction.
func createMachine(c *call) (answer, error) {
	g := c.group
	m := &machine{}
	power, err := c.newMachine(g, m)
	if err != nil {
		return answer{}, err
	}
	m.Discs = c.newDiscs()
	var echo map[string]string
	if f, found := c.form.object("reimage"); found {
		f.problems = c.form.problems
		m.Image, echo = c.image(f, false)
	}
	ips := c.newIPs(c.world.vlanOf(g))
	if err := c.form.problems.err(); err != nil {
		return answer{}, err
	}
	if err := c.world.add(m, g, ips); err != nil {
		return answer{}, refuse(http.StatusBadRequest, "%v", err)
	}
	c.reached.Machine = m.ID
	if power { // the image is installed at the first start
		c.e.boot(m, c.now)
	}

	result := map[string]any{"virtual_machine": c.machineWire(m, false), "discs": c.discWires(m)}
	if m.Image != nil {
		result["reimage"] = echo
	}
	return answer{http.StatusAccepted, "", result}, nil
}

// newMachine decodes the virtual_machine object into m. It reports whether the machine comes on, which it does if
// power_on or autoreboot_on is true. Problems have the bare name of the attribute.
func (c *call) newMachine(g *group, m *machine) (power bool, err error) {
	f, found := c.form.object("virtual_machine")
	if !found {
		if c.form.null("virtual_machine") {
			c.form.problems.add("virtual_machine", blank)
		}
		return false, nil
	}
	f.problems = c.form.problems
	m.Name = f.machineName()
	if g.machine(m.Name) != nil {
		f.problems.add("name", taken)
	}
	m.ZoneName = or(c.oneOf("zone_names", f, "zone_name"), "")
	m.AutorebootOn = or(f.boolean("power_on"), false)
	power = m.AutorebootOn
	err = c.changeSettings(f, &m.Machine)
	return power || m.AutorebootOn, err
}

// newDiscs decodes the discs of a creation, of which there must be at least one. The problems are one object for each
// disc, in the order of the request.
func (c *call) newDiscs() []Disc {
	forms := c.form.objects("discs")
	switch {
	case len(forms) > maxDiscs:
		c.form.problems.add("discs", tooManyDiscs, maxDiscs)
		return nil
	case len(forms) == 0 && c.form.problems["discs"] == nil:
		c.form.problems.add("discs", blank)
	}
	discs := make([]Disc, 0, len(forms))
	details := make([]problems, len(forms))
	wrong := false
	for n, f := range forms {
		discs = append(discs, c.newDisc(f, discs))
		details[n] = f.problems
		wrong = wrong || len(f.problems) > 0
	}
	if wrong {
		c.form.problems["discs"] = details
	}
	return discs
}

// add assigns IDs, defaults and addresses to a machine, and adds it to a group, where its name must be free.
func (w *world) add(m *machine, g *group, wanted ips) error {
	m.ID = w.idOr(m.ID)
	m.ManagementAddress = cmp.Or(m.ManagementAddress, managementAddress(m.ID))
	m.Cores = cmp.Or(m.Cores, defaultCores)
	m.Memory = cmp.Or(m.Memory, defaultMemory)
	m.HardwareProfile = cmp.Or(m.HardwareProfile, defaultHardwareProfile)
	m.ZoneName = cmp.Or(m.ZoneName, defaultZone)
	for n := range m.Discs {
		w.completeDisc(&m.Discs[n])
	}
	network := w.vlanOf(g)
	if m.Interfaces == nil {
		addresses, err := w.allocate(network, wanted)
		if err != nil {
			return err
		}
		m.Interfaces = []Interface{{IPs: addresses}}
	}
	for n := range m.Interfaces {
		face := &m.Interfaces[n]
		face.ID, face.VLANNum = w.idOr(face.ID), cmp.Or(face.VLANNum, network.Number)
		face.MAC = cmp.Or(face.MAC, fmt.Sprintf("52:54:00:%02x:%02x:%02x", byte(m.ID>>16), byte(m.ID>>8), byte(m.ID)))
	}
	if err := w.hold(m, m.Interfaces); err != nil {
		return err
	}
	w.place(m, g, m.Name)
	return nil
}

// deleteMachine is DELETE …/virtual_machines/{vm}, soft or with purge=true permanent, which also applies to
// soft-deleted machines.
func deleteMachine(c *call) (answer, error) {
	if c.flag("purge") {
		c.world.purge(c.machine)
	} else {
		c.e.softDelete(c.machine, c.now)
	}
	return gone()
}

// softDelete stops a machine and hides it. It keeps its name and addresses.
func (e *Emulator) softDelete(m *machine, now time.Time) {
	m.Deleted = true
	e.off(m, now)
}

// isLabel reports whether a name can be part of a hostname.
func isLabel(name string) bool {
	const allowed = "abcdefghijklmnopqrstuvwxyz0123456789-"
	return name != "" && len(name) <= 63 && strings.Trim(name, allowed) == "" && strings.Trim(name, "-") == name
}

// isDomain reports whether a name consists of labels that are joined by dots.
func isDomain(name string) bool {
	for label := range strings.SplitSeq(strings.ToLower(strings.TrimSuffix(name, ".")), ".") {
		if !isLabel(label) {
			return false
		}
	}
	return true
}

// machineName reads the name of a machine, which must be a hostname label of at least three characters.
func (f form) machineName() string {
	name := f.required("name")
	if name == "" {
		return ""
	}
	if utf8.RuneCountInString(name) < minName {
		f.problems.add("name", tooShort, minName)
	}
	if !isLabel(name) {
		f.problems.add("name", invalid)
	}
	return name
}
