// SPDX-License-Identifier: MPL-2.0

package emulator

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Ranges of addresses.
const (
	// privateIPv4 and privateIPv6 are the ranges of the first private VLAN.
	privateIPv4 = "192.0.2.0/24"
	privateIPv6 = "2001:db8:1::/64"
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

	ipv4, ipv6 []netip.Prefix
}

// newPublicVLAN returns the public network. Its ranges are enough for many thousands of machines: those for
// documentation, then those for benchmarks.
func newPublicVLAN(guests bool) *vlan {
	v := &vlan{Number: publicVLAN, ipv6: []netip.Prefix{netip.MustParsePrefix("2001:db8::/64")}}
	ranges := []string{"198.51.100.0/24", "203.0.113.0/24", "198.18.0.0/15"}
	if guests {
		ranges = []string{GuestIPv4}
	}
	for _, written := range ranges {
		v.ipv4 = append(v.ipv4, netip.MustParsePrefix(written))
	}
	return v
}

// completePrivateVLAN chooses what a private network lacks: a number that no other private network has, and ranges that
// depend on the number.
func (w *world) completePrivateVLAN(v *vlan) error {
	last := int64(publicVLAN)
	for _, a := range w.Accounts {
		for _, g := range a.Groups {
			if g.PrivateVLAN != nil {
				last = max(last, g.PrivateVLAN.Number)
			}
		}
	}
	v.Number = cmp.Or(v.Number, last+1)
	ipv4, ipv6 := privateIPv4, privateIPv6
	if n := v.Number - publicVLAN; n > 1 {
		ipv4, ipv6 = fmt.Sprintf("10.%d.%d.0/24", n>>8&0xff, n&0xff), fmt.Sprintf("2001:db8:%x::/64", n)
	}
	v.IPv4, v.IPv6 = cmp.Or(v.IPv4, ipv4), cmp.Or(v.IPv6, ipv6)
	range4, err4 := netip.ParsePrefix(v.IPv4)
	range6, err6 := netip.ParsePrefix(v.IPv6)
	v.ipv4, v.ipv6 = []netip.Prefix{range4}, []netip.Prefix{range6}
	return errors.Join(err4, err6)
}

// usable reports whether a machine may have an address: it must be in one of the ranges, and be neither the network's,
// nor the gateway's (the first), nor an IPv4 broadcast address.
func usable(ranges []netip.Prefix, a netip.Addr) bool {
	for _, r := range ranges {
		if r.Contains(a) {
			network := r.Masked().Addr()
			broadcast := a.Is4() && !r.Contains(a.Next())
			return a != network && a != network.Next() && !broadcast
		}
	}
	return false
}

// orFree returns the wanted address or, for a zero one, the first of the ranges that no machine has.
func (w *world) orFree(wanted netip.Addr, ranges []netip.Prefix) (netip.Addr, error) {
	if wanted.IsValid() {
		return wanted, nil
	}
	for _, r := range ranges {
		for a := r.Masked().Addr(); r.Contains(a); a = a.Next() {
			if w.holders[a] == nil && usable(ranges, a) {
				return a, nil
			}
		}
	}
	return netip.Addr{}, errors.New("no free address is left in the VLAN")
}

// ips are the addresses requested for a new machine. For a zero value the service chooses.
type ips struct{ ipv4, ipv6 netip.Addr }

// allocate returns the addresses of a new machine.
func (w *world) allocate(v *vlan, wanted ips) ([]string, error) {
	ipv4, err4 := w.orFree(wanted.ipv4, v.ipv4)
	ipv6, err6 := w.orFree(wanted.ipv6, v.ipv6)
	return []string{ipv4.String(), ipv6.String()}, cmp.Or(err4, err6)
}

// newIPs decodes the ips object (API.md §7).
func (c *call) newIPs(v *vlan) ips {
	f, _ := c.form.object("ips")
	f.problems = c.form.problems
	return ips{ipv4: c.newIP(f, "ipv4", v, v.ipv4), ipv6: c.newIP(f, "ipv6", v, v.ipv6)}
}

// newIP decodes one address of the ips object. null and "" request none. An address can only be requested in a private
// VLAN, and must be in its range and free.
func (c *call) newIP(f form, name string, v *vlan, ranges []netip.Prefix) netip.Addr {
	wanted := or(f.text(name), "")
	if wanted == "" {
		return netip.Addr{}
	}
	parsed, err := netip.ParseAddr(wanted)
	switch {
	case v == c.world.public:
		f.problems["ips"] = []string{"is only valid in a private VLAN"}
	case err != nil || parsed.Is4() != (name == "ipv4"):
		f.problems.add("ips", "%s is not a valid %s address", wanted, name)
	case !usable(ranges, parsed):
		f.problems.add("ips", "%s is outside the range of the VLAN", wanted)
	case c.world.holders[parsed] != nil:
		f.problems.add("ips", "%s is already in use", wanted)
	}
	return parsed
}

// hold assigns the addresses of interfaces to a machine, and frees the other ones that it had. No other machine may
// have them.
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
	for _, a := range m.held {
		if !slices.Contains(wanted, a) {
			delete(w.holders, a)
			delete(w.RDNS, a.String())
		}
	}
	for _, a := range wanted {
		w.holders[a] = m
	}
	m.held = wanted
	return nil
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

// updateAddress is PUT /ips/{address}. A null or empty rdns restores the machine's hostname.
func updateAddress(c *call) (answer, error) {
	a, holder, err := c.address()
	if err != nil {
		return answer{}, err
	}
	rdns := c.form.nullable("rdns")
	if rdns != nil && *rdns != "" && (!strings.Contains(*rdns, ".") || !isDomain(*rdns)) {
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
