package emulator

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"regexp"
	"slices"
	"sync"
)

// Ranges of addresses.
const (
	// PrivateIPv4 and PrivateIPv6 are the ranges of the first private VLAN.
	PrivateIPv4 = "192.0.2.0/24"
	PrivateIPv6 = "2001:db8:1::/64"
	// GuestIPv4 is the range of the public VLAN if guests answer: addresses of the loopback interface.
	GuestIPv4 = "127.77.0.0/16"
)

// publicVLAN is the number of the public VLAN.
const publicVLAN = 101

// vlan is a network with its addresses. All groups without a private VLAN share the public one.
type vlan struct {
	Number int64  `json:"number,omitempty"`
	IPv4   string `json:"ipv4,omitempty"` // range, such as 192.0.2.0/24
	IPv6   string `json:"ipv6,omitempty"`

	ipv4, ipv6 pool
}

// newPublicVLAN returns the public network. Its ranges are enough for many thousands of machines: those for
// documentation, then those for benchmarks.
func newPublicVLAN(guests bool) *vlan {
	ranges := prefixes("198.51.100.0/24", "203.0.113.0/24", "198.18.0.0/15")
	if guests {
		ranges = prefixes(GuestIPv4)
	}
	return &vlan{Number: publicVLAN, ipv4: newPool(ranges...), ipv6: newPool(prefixes("2001:db8::/64")...)}
}

// prefixes parses ranges that are known to be valid.
func prefixes(ranges ...string) []netip.Prefix {
	list := make([]netip.Prefix, len(ranges))
	for n, written := range ranges {
		list[n] = netip.MustParsePrefix(written)
	}
	return list
}

// completePrivateVLAN chooses what a private network lacks: a number and ranges that no other private network has.
func (w *world) completePrivateVLAN(v *vlan) error {
	number, used := int64(publicVLAN), map[string]bool{}
	for _, a := range w.Accounts {
		for _, g := range a.Groups {
			if other := g.PrivateVLAN; other != nil {
				number = max(number, other.Number)
				used[other.IPv4], used[other.IPv6] = true, true
			}
		}
	}
	ipv4, ipv6 := PrivateIPv4, PrivateIPv6
	for n := 2; used[ipv4] || used[ipv6]; n++ {
		ipv4, ipv6 = fmt.Sprintf("10.%d.%d.0/24", n>>8&0xff, n&0xff), fmt.Sprintf("2001:db8:%x::/64", n)
	}
	v.Number, v.IPv4, v.IPv6 = cmp.Or(v.Number, number+1), cmp.Or(v.IPv4, ipv4), cmp.Or(v.IPv6, ipv6)
	for written, p := range map[string]*pool{v.IPv4: &v.ipv4, v.IPv6: &v.ipv6} {
		parsed, err := netip.ParsePrefix(written)
		if err != nil || parsed.Addr().Is4() != (p == &v.ipv4) {
			return fmt.Errorf("%q is not an address range of that kind", written)
		}
		*p = newPool(parsed)
	}
	return nil
}

// pool assigns addresses of its ranges in turn, so that a freed address is not assigned again at once.
type pool struct {
	ranges  []netip.Prefix
	current int
	last    netip.Addr
}

func newPool(ranges ...netip.Prefix) pool { return pool{ranges: ranges, last: ranges[0].Addr()} }

// usable reports whether a machine may have an address: it must be in the ranges, and be neither the network's, nor the
// gateway's (the first), nor an IPv4 broadcast address.
func (p *pool) usable(a netip.Addr) bool {
	for _, r := range p.ranges {
		if r.Contains(a) {
			network := r.Masked().Addr()
			broadcast := a.Is4() && !r.Contains(a.Next())
			return a != network && a != network.Next() && !broadcast
		}
	}
	return false
}

// next returns the next address, and starts again after the last range.
func (p *pool) next() netip.Addr {
	p.last = p.last.Next()
	if !p.ranges[p.current].Contains(p.last) {
		p.current = (p.current + 1) % len(p.ranges)
		p.last = p.ranges[p.current].Masked().Addr()
	}
	return p.last
}

// free returns an address that no machine has.
func (w *world) free(p *pool) (netip.Addr, error) {
	first := p.next()
	for a := first; ; {
		if p.usable(a) && w.holders[a] == nil {
			return a, nil
		}
		if a = p.next(); a == first {
			return a, errors.New("no free address is left in the VLAN")
		}
	}
}

// ips are the addresses requested for a new machine. For a zero value the service chooses.
type ips struct{ ipv4, ipv6 netip.Addr }

// allocate returns the addresses of a new machine.
func (w *world) allocate(v *vlan, wanted ips) (addresses []string, err error) {
	if !wanted.ipv4.IsValid() {
		if wanted.ipv4, err = w.free(&v.ipv4); err != nil {
			return nil, err
		}
	}
	if !wanted.ipv6.IsValid() {
		if wanted.ipv6, err = w.free(&v.ipv6); err != nil {
			return nil, err
		}
	}
	return []string{wanted.ipv4.String(), wanted.ipv6.String()}, nil
}

// newIPs decodes the ips object (API.md §7). Addresses can only be requested in a private VLAN, and must be in its
// range and free.
func (c *call) newIPs(v *vlan) ips {
	f, found := c.form.object("ips")
	if !found {
		return ips{}
	}
	wanted := ips{ipv4: c.wantedAddress(f, "ipv4", &v.ipv4), ipv6: c.wantedAddress(f, "ipv6", &v.ipv6)}
	for _, problem := range f.problems {
		c.form.problems["ips"] = problem
	}
	if v.Number == publicVLAN && (wanted != ips{} || len(f.problems) > 0) {
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
	case c.world.holders[parsed] != nil:
		f.problems.add("ips", "%s is already in use", *wanted)
	}
	return parsed
}

// hold assigns the addresses of interfaces to a machine, in place of those that it had. No other machine may have them.
func (w *world) hold(m *machine, faces []Interface) error {
	var wanted []netip.Addr
	for _, face := range faces {
		for _, written := range face.IPs {
			a, err := netip.ParseAddr(written)
			if err != nil {
				return fmt.Errorf("interface %d: %w", face.ID, err)
			}
			if holder := w.holders[a]; holder != nil && holder != m {
				return fmt.Errorf("%s is already in use", a)
			}
			wanted = append(wanted, a)
		}
	}
	w.release(m, slices.DeleteFunc(slices.Clone(m.held), func(a netip.Addr) bool { return slices.Contains(wanted, a) }))
	for _, a := range wanted {
		w.holders[a] = m
	}
	m.held = wanted
	return nil
}

// release frees addresses of a machine.
func (w *world) release(m *machine, addresses []netip.Addr) {
	for _, a := range addresses {
		if w.holders[a] == m {
			delete(w.holders, a)
			delete(w.RDNS, a.String())
		}
	}
}

// managementAddress returns an address derived from an ID.
func managementAddress(id int64) string {
	return netip.AddrFrom4([4]byte{100, 64 + byte(id>>16)&0x3f, byte(id >> 8), byte(id)}).String()
}

// address returns the address that the path names, and its machine.
func (c *call) address() (netip.Addr, *machine, error) {
	parsed, err := netip.ParseAddr(c.PathValue("address"))
	if holder := c.world.holders[parsed]; err == nil && holder != nil && c.user.sees(holder.group.account) {
		return parsed, holder, nil
	}
	return parsed, nil, refuse(http.StatusNotFound, "no such address")
}

// addressReply answers with the object of an address.
func (c *call) addressReply(a netip.Addr, holder *machine) (answer, error) {
	rdns := cmp.Or(c.world.RDNS[a.String()], holder.hostname())
	return reply("ip", map[string]string{"address": a.String(), "rdns": rdns})
}

// showAddress is GET /ips/{address} (API.md §5).
func showAddress(c *call) (answer, error) {
	a, holder, err := c.address()
	if err != nil {
		return answer{}, err
	}
	return c.addressReply(a, holder)
}

// domainShape matches fully qualified names. It is compiled on first use, because a provider starts for each command.
var domainShape = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z0-9-]{1,63}\.?$`)
})

// updateAddress is PUT /ips/{address}. A null or empty rdns restores the machine's hostname.
func updateAddress(c *call) (answer, error) {
	a, holder, err := c.address()
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
	switch {
	case rdns == nil:
	case *rdns == "":
		delete(c.world.RDNS, a.String())
	default:
		c.world.RDNS[a.String()] = *rdns
	}
	return c.addressReply(a, holder)
}
