package emulator

import (
	"net/http"
	"strings"
)

// createMachine is POST …/groups/{group}/vm_create (API.md §7): machine, discs and image in one transaction.
func createMachine(c *call) (answer, error) {
	g, err := c.group()
	if err != nil {
		return answer{}, err
	}
	if c.contested {
		return answer{}, refuse(http.StatusInternalServerError, "could not allocate addresses")
	}
	m := &storedMachine{group: g}
	power, err := c.newMachine(m)
	if err != nil {
		return answer{}, err
	}
	m.Discs = c.newDiscs()
	i, echo := c.newImage()
	wanted := c.newIPs(g.vlan)
	if err := c.form.problems.err(); err != nil {
		return answer{}, err
	}
	if power {
		if err := c.store.room(m); err != nil {
			return answer{}, err
		}
	}
	if err := c.store.add(m, wanted); err != nil {
		return answer{}, err
	}
	c.reached.Machine = m.ID
	c.store.touchNew(m)
	c.begin(m, power, i)

	result := map[string]any{"virtual_machine": c.machineWire(m, false), "discs": c.discWires(m)}
	if i != nil {
		result["reimage"] = echo
	}
	return answer{http.StatusAccepted, "", result}, nil
}

// newMachine decodes the virtual_machine object into m. It reports whether the machine comes on, which it does if
// power_on or autoreboot_on is true. Problems have the bare name of the attribute.
func (c *call) newMachine(m *storedMachine) (power bool, err error) {
	f, found := c.form.object("virtual_machine")
	if !found {
		if c.form.null("virtual_machine") {
			c.form.problems.add("virtual_machine", blank)
		}
		return false, nil
	}
	f.problems = c.form.problems
	m.Name = f.machineName()
	if _, exists := m.group.machines[m.Name]; exists {
		f.problems.add("name", taken)
	}
	m.ZoneName = or(f.listed("zone_name", c.store.zones()), "")
	for _, name := range []string{"cores", "memory"} {
		if c.store.options.Strict && f.null(name) {
			f.problems.add(name, notANumber)
		}
	}
	power = or(f.boolean("power_on"), false)
	s, err := c.specification(f)
	if err != nil {
		return false, err
	}
	m.AutorebootOn = power
	s.apply(&m.Machine)
	return power || m.AutorebootOn, nil
}

// newDiscs decodes the discs of a creation, of which there must be at least one. The problems are one object for each
// disc, in the order of the request.
func (c *call) newDiscs() []Disc {
	forms := c.form.objects("discs")
	switch {
	case len(forms) > maxDiscs:
		c.form.problems.add("discs", "is too long (maximum is %d discs)", maxDiscs)
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

// newImage decodes the reimage object of a creation, or returns nil if there is none.
func (c *call) newImage() (*image, imageEcho) {
	f, found := c.form.object("reimage")
	if !found {
		return nil, imageEcho{}
	}
	f.problems = c.form.problems
	i, echo := c.image(f, false)
	return &i, echo
}

// begin starts what happens after the answer. The image is installed at the first start.
func (c *call) begin(m *storedMachine, power bool, i *image) {
	o := c.store.options
	m.KnownAt = c.now.Add(o.UnknownFor)
	m.DescribedAt = c.now.Add(max(o.UnknownFor, o.DescribeAfter))
	m.Image = i
	if power {
		c.store.boot(m, c.now)
	} else if o.ImageWhileOff {
		m.install()
	}
}

// add assigns IDs, defaults and addresses to a machine, and adds it to its group, where its name must be free.
func (s *store) add(m *storedMachine, wanted ips) error {
	if err := s.complete(m, wanted); err != nil {
		return err
	}
	if err := s.hold(m, m.Interfaces); err != nil {
		return err
	}
	s.place(m, m.group, m.Name)
	return nil
}

// complete sets the values that the service chooses.
func (s *store) complete(m *storedMachine, wanted ips) error {
	m.ID = s.idOr(m.ID)
	m.ManagementAddress = orElse(m.ManagementAddress, s.managementAddress(m.ID))
	m.Cores = orElse(m.Cores, defaultCores)
	m.Memory = orElse(m.Memory, defaultMemory)
	m.HardwareProfile = orElse(m.HardwareProfile, defaultHardwareProfile)
	m.ZoneName = orElse(m.ZoneName, defaultZone)
	for n := range m.Discs {
		s.completeDisc(&m.Discs[n])
	}
	for n := range m.Interfaces {
		face := &m.Interfaces[n]
		face.ID, face.VLANNum = s.idOr(face.ID), orElse(face.VLANNum, m.group.vlan.num)
		face.MAC = orElse(face.MAC, macAddress(m.ID))
	}
	if m.Interfaces == nil {
		face, err := s.newInterface(m.ID, m.group.vlan, wanted)
		if err != nil {
			return err
		}
		m.Interfaces = []Interface{face}
	}
	return nil
}

// orElse returns value, or otherwise if value is zero.
func orElse[T comparable](value, otherwise T) T {
	var zero T
	if value == zero {
		return otherwise
	}
	return value
}

// claimCreate reports whether a request is a vm_create that arrives while another one runs in its group
// (Options.ConcurrentCreateFails). It runs until release is called.
func (e *Emulator) claimCreate(r *http.Request) (contested bool, release func()) {
	group, ok := strings.CutSuffix(r.URL.Path, "/vm_create")
	if !ok || r.Method != http.MethodPost || !e.options.ConcurrentCreateFails {
		return false, func() {}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.creating[group] {
		return true, func() {}
	}
	e.creating[group] = true
	return false, func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		delete(e.creating, group)
	}
}
