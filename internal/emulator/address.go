package emulator

import (
	"fmt"
	"net/http"
	"net/netip"
	"regexp"
	"slices"
	"sync"
)

// address is an address that a machine holds.
type address struct {
	machine *storedMachine
	rdns    string // "" is the machine's hostname
}

// ips are the addresses requested for a new machine. For a zero value the service chooses.
type ips struct{ ipv4, ipv6 netip.Addr }

// newIPs decodes the ips object (API.md §7). Addresses can only be requested in a private VLAN, and must be in its
// range and free.
func (c *call) newIPs(v *vlan) ips {
	f, found := c.form.object("ips")
	if !found {
		return ips{}
	}
	wanted := ips{
		ipv4: c.wantedAddress(f, "ipv4", &v.ipv4),
		ipv6: c.wantedAddress(f, "ipv6", &v.ipv6),
	}
	for _, problem := range f.problems {
		c.form.problems["ips"] = problem
	}
	if !v.private && (wanted != ips{} || len(f.problems) > 0) {
		c.form.problems["ips"] = []string{"is only valid in a private VLAN"}
	}
	return wanted
}

// wantedAddress decodes one address of the ips object. null and "" request none.
func (c *call) wantedAddress(f form, name string, p *pool) netip.Addr {
	wanted := f.text(name)
	if wanted == nil || *wanted == "" {
		return netip.Addr{}
	}
	parsed, err := netip.ParseAddr(*wanted)
	switch {
	case err != nil || parsed.Is4() != (name == "ipv4"):
		f.problems.add("ips", "%s is not a valid %s address", *wanted, name)
	case !p.usable(parsed):
		f.problems.add("ips", "%s is outside the range of the VLAN", *wanted)
	case c.store.addresses[parsed] != nil:
		f.problems.add("ips", "%s is already in use", *wanted)
	}
	return parsed
}

// newInterface returns a machine's interface. Addresses that were not requested are chosen.
func (s *store) newInterface(machineID int64, v *vlan, wanted ips) (Interface, error) {
	var err error
	if !wanted.ipv4.IsValid() {
		if wanted.ipv4, err = s.free(&v.ipv4); err != nil {
			return Interface{}, err
		}
	}
	if !wanted.ipv6.IsValid() {
		if wanted.ipv6, err = s.free(&v.ipv6); err != nil {
			return Interface{}, err
		}
	}
	return Interface{
		ID:      s.id(),
		MAC:     macAddress(machineID),
		VLANNum: v.num,
		IPs:     []string{wanted.ipv4.String(), wanted.ipv6.String()},
	}, nil
}

// macAddress returns the MAC address of a machine.
func macAddress(machineID int64) string {
	return fmt.Sprintf("52:54:00:%02x:%02x:%02x", byte(machineID>>16), byte(machineID>>8), byte(machineID))
}

// free returns an address that no machine has.
func (s *store) free(p *pool) (netip.Addr, error) {
	found, ok := p.take(func(a netip.Addr) bool { return s.addresses[a] != nil })
	if !ok {
		return found, refuse(http.StatusBadRequest, "no free address is left in the VLAN")
	}
	return found, nil
}

// hold assigns the addresses of interfaces to a machine, in place of those that it had. No other machine may have them.
func (s *store) hold(m *storedMachine, faces []Interface) error {
	wanted, err := addressesOf(faces)
	if err != nil {
		return err
	}
	for _, a := range wanted {
		if holder := s.addresses[a]; holder != nil && holder.machine != m {
			return fmt.Errorf("%s is already in use", a)
		}
	}
	for _, a := range m.held {
		if !slices.Contains(wanted, a) {
			delete(s.addresses, a)
		}
	}
	for _, a := range wanted {
		if s.addresses[a] == nil {
			s.addresses[a] = &address{machine: m}
		}
	}
	m.held = wanted
	return nil
}

// release frees a machine's addresses.
func (s *store) release(m *storedMachine) {
	for _, a := range m.held {
		delete(s.addresses, a)
	}
	m.held = nil
}

// addressesOf returns the addresses on interfaces.
func addressesOf(faces []Interface) ([]netip.Addr, error) {
	var list []netip.Addr
	for _, face := range faces {
		for _, written := range face.IPs {
			parsed, err := netip.ParseAddr(written)
			if err != nil {
				return nil, fmt.Errorf("interface %d: %w", face.ID, err)
			}
			list = append(list, parsed)
		}
	}
	return list, nil
}

// managementAddress returns an address derived from an ID.
func (s *store) managementAddress(id int64) string {
	if s.options.Answers.IPv6Management {
		return fmt.Sprintf("fd00:100::%x:%x", uint16(id>>16), uint16(id))
	}
	return netip.AddrFrom4([4]byte{100, 64 + byte(id>>16)&0x3f, byte(id >> 8), byte(id)}).String()
}

// held returns the address that the path names.
func (c *call) held() (netip.Addr, *address, error) {
	parsed, err := netip.ParseAddr(c.path["address"])
	if found := c.store.addresses[parsed]; err == nil && found != nil && c.user.sees(found.machine.group.account) {
		return parsed, found, nil
	}
	return parsed, nil, refuse(http.StatusNotFound, "no such address")
}

// showAddress is GET /ips/{address} (API.md §5).
func showAddress(c *call) (answer, error) {
	a, held, err := c.held()
	if err != nil {
		return answer{}, err
	}
	return reply("ip", c.addressWire(a, held))
}

// domainShape matches fully qualified names. It is compiled on first use, because a provider starts for each command.
var domainShape = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z0-9-]{1,63}\.?$`)
})

// updateAddress is PUT /ips/{address}. A null or empty rdns restores the machine's hostname.
func updateAddress(c *call) (answer, error) {
	a, held, err := c.held()
	if err != nil {
		return answer{}, err
	}
	rdns := c.form.nullable("rdns")
	if rdns != nil && *rdns != "" && !domainShape().MatchString(*rdns) {
		c.form.problems.add("rdns", invalid)
	}
	if err := c.form.problems.err(); err != nil {
		return answer{}, err
	}
	c.store.touch(held.machine)
	held.rdns = or(rdns, held.rdns)
	return reply("ip", c.addressWire(a, held))
}

// addressWire returns the answer's object for an address.
func (c *call) addressWire(a netip.Addr, held *address) map[string]string {
	key := "address"
	if c.store.options.Answers.IPKey {
		key = "ip"
	}
	return map[string]string{key: a.String(), "rdns": orElse(held.rdns, held.machine.hostname())}
}
