package emulator

import (
	"net/http"
	"strings"
)

// createMachine is POST …/groups/{group}/vm_create (service.md §4.1): machine,
// discs and image in one transaction, all or nothing.
func createMachine(c *call) (answer, error) {
	g, err := c.group()
	if err != nil {
		return answer{}, err
	}
	if c.claim.contested() {
		return answer{}, refuse(http.StatusInternalServerError, "could not allocate addresses")
	}
	m := &machine{group: g}
	power := c.newSpecification(m)
	m.Discs = c.newDiscs()
	i := c.newImage()
	wanted := c.newIPs(g.vlan)
	if err := c.form.problems.err(); err != nil {
		return answer{}, err
	}
	if err := c.store.add(m, wanted); err != nil {
		return answer{}, err
	}
	m.describedAt = c.now.Add(c.store.options.DescribeAfter)
	c.begin(m, power, i)

	result := map[string]any{"virtual_machine": c.machineWire(m, false), "discs": c.discWires(m)}
	if i != nil {
		result["reimage"] = i.wire()
	}
	return answer{http.StatusAccepted, "", result}, nil
}

// newSpecification reads the virtual_machine object into m, with the
// service's defaults, and tells whether it is to be on. Its problems are told
// by the bare name of the attribute.
func (c *call) newSpecification(m *machine) (power bool) {
	f, found := c.form.object("virtual_machine")
	if !found {
		if c.form.null("virtual_machine") {
			c.form.problems.add("virtual_machine", blank)
		}
		return false
	}
	f.problems = c.form.problems
	m.Name = f.label("name", f.required("name"))
	if _, exists := m.group.machines[m.Name]; exists {
		f.problems.add("name", taken)
	}
	m.ZoneName = or(f.listed("zone_name", c.store.zones()), "")
	s := c.specification(f)
	s.apply(m)
	power = or(s.power, false)
	m.AutorebootOn = or(s.autoreboot, power)
	return power
}

// newDiscs reads the discs of a creation; their problems are one object a
// disc, in the order of the request (api.md §1).
func (c *call) newDiscs() []Disc {
	forms := c.form.objects("discs")
	if len(forms) > maxDiscs {
		c.form.problems.add("discs", "is too long (maximum is %d discs)", maxDiscs)
		return nil
	}
	discs := make([]Disc, 0, len(forms))
	details := make([]problems, len(forms))
	wrong := false
	for n, f := range forms {
		discs = append(discs, c.store.newDisc(f, discs))
		details[n] = f.problems
		wrong = wrong || len(f.problems) > 0
	}
	if wrong {
		c.form.problems["discs"] = details
	}
	return discs
}

// newImage reads the reimage object of a creation; nil for none. A missing
// root password is made up, because the answer has to echo one.
func (c *call) newImage() *image {
	f, found := c.form.object("reimage")
	if !found {
		return nil
	}
	f.problems = c.form.problems
	i := c.image(f, false)
	if i.rootPassword == "" {
		i.rootPassword = generatePassword()
	}
	return &i
}

// begin starts what goes on in the background after the answer. The image is
// on record at once, as there is no power_on to wait for on a machine that
// stays off.
func (c *call) begin(m *machine, power bool, i *image) {
	if i != nil {
		m.install(*i)
	}
	if power {
		c.store.boot(m, c.now)
	}
}

// add gives a machine its ids, defaults and addresses, and a place in its
// group, where its name has to be free.
func (s *store) add(m *machine, wanted ips) error {
	m.ID = s.id()
	m.ManagementAddress = managementAddress(m.ID)
	m.Cores = orElse(m.Cores, defaultCores)
	m.Memory = orElse(m.Memory, defaultMemory)
	m.HardwareProfile = orElse(m.HardwareProfile, defaultHardwareProfile)
	m.ZoneName = orElse(m.ZoneName, defaultZone)
	for n := range m.Discs {
		s.completeDisc(&m.Discs[n])
	}
	if m.Interfaces == nil {
		face, err := s.newInterface(m.ID, m.group.vlan, wanted)
		if err != nil {
			return err
		}
		m.Interfaces = []Interface{face}
	}
	if err := s.hold(m, m.Interfaces); err != nil {
		return err
	}
	s.place(m, m.group, m.Name)
	return nil
}

// orElse is a default for a value that is zero.
func orElse[T comparable](value, otherwise T) T {
	var zero T
	if value == zero {
		return otherwise
	}
	return value
}

// claim is the right of one vm_create to be alone in its group.
type claim struct {
	emulator *Emulator
	group    int64
	refused  bool
}

// claimCreate marks the group of a vm_create as busy, from the arrival of the
// request to its answer. It returns nil for every other request.
func (e *Emulator) claimCreate(r *http.Request) *claim {
	values, ok := match(strings.Split(createVM, "/"), r.URL)
	if !ok || r.Method != http.MethodPost || !e.options.ConcurrentCreateFails {
		return nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	g, err := (&call{Request: r, store: e.store, path: values}).group()
	if err != nil {
		return nil
	}
	if e.creating[g.id] {
		return &claim{refused: true}
	}
	e.creating[g.id] = true
	return &claim{emulator: e, group: g.id}
}

// contested tells that another creation was there first.
func (c *claim) contested() bool { return c != nil && c.refused }

// release ends the claim.
func (c *claim) release() {
	if c == nil || c.refused {
		return
	}
	c.emulator.mu.Lock()
	defer c.emulator.mu.Unlock()
	delete(c.emulator.creating, c.group)
}
