package emulator

import (
	"fmt"
	"net/netip"
)

// vlan is a network with its addresses. All groups without a private VLAN share the public one.
type vlan struct {
	num        int64
	private    bool
	ipv4, ipv6 pool
}

// newVLAN returns a network.
func (s *store) newVLAN(private bool, ipv4 []netip.Prefix, ipv6 netip.Prefix) *vlan {
	s.vlans++
	return &vlan{num: 100 + s.vlans, private: private, ipv4: newPool(ipv4...), ipv6: newPool(ipv6)}
}

// newPrivateVLAN returns a network with its own ranges: PrivateIPv4 and PrivateIPv6 for the first one.
func (s *store) newPrivateVLAN() *vlan {
	s.privates++
	// There are 65,536 ranges. If each of them overlaps one that was chosen by hand, ranges may be shared.
	for tries := 0; tries < 1<<16 && s.rangeTaken(s.privates); tries++ {
		s.privates++
	}
	ranges := privateRanges(s.privates)
	return s.newVLAN(true, ranges[:1], ranges[1])
}

// privateRanges returns the IPv4 and IPv6 range of the n-th private network.
func privateRanges(n int) []netip.Prefix {
	if n == 1 {
		return prefixes(PrivateIPv4, PrivateIPv6)
	}
	return prefixes(fmt.Sprintf("10.%d.%d.0/24", n>>8&0xff, n&0xff), fmt.Sprintf("2001:db8:%x::/64", n&0xffff))
}

// rangeTaken reports whether a group uses a range of the n-th private network.
func (s *store) rangeTaken(n int) bool {
	wanted := privateRanges(n)
	for _, g := range s.groups {
		if g.vlan.ipv4.ranges[0].Overlaps(wanted[0]) || g.vlan.ipv6.ranges[0].Overlaps(wanted[1]) {
			return true
		}
	}
	return false
}

// pool assigns addresses of its ranges in turn, so that a freed address is not assigned again at once.
type pool struct {
	ranges  []netip.Prefix
	current int
	last    netip.Addr
}

func newPool(ranges ...netip.Prefix) pool {
	return pool{ranges: ranges, last: ranges[0].Addr()}
}

// usable reports whether a machine may have an address: it must be in the ranges, and be neither the network's, nor the
// gateway's (the first), nor an IPv4 broadcast address.
func (p *pool) usable(a netip.Addr) bool {
	for _, r := range p.ranges {
		if !r.Contains(a) {
			continue
		}
		network := r.Masked().Addr()
		broadcast := a.Is4() && !r.Contains(a.Next())
		return a != network && a != network.Next() && !broadcast
	}
	return false
}

// take returns an unused address, or false if there is none.
func (p *pool) take(used func(netip.Addr) bool) (netip.Addr, bool) {
	first := p.next()
	for a := first; ; {
		if p.usable(a) && !used(a) {
			return a, true
		}
		if a = p.next(); a == first {
			return netip.Addr{}, false
		}
	}
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
