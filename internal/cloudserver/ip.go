package cloudserver

import (
	"context"
	"net/http"
	"net/netip"
	"strings"
)

// IP is an address and its reverse DNS name (API.md §5).
type IP struct {
	Address string  `json:"address" or:"ip"`
	RDNS    *string `json:"rdns"` // nil: none
}

// IP reads an address (API.md §5).
func (c *Client) IP(ctx context.Context, address string) (*IP, error) {
	answer, err := c.do(ctx, call{method: http.MethodGet, path: []string{"ips", address}})
	if err != nil {
		return nil, err
	}
	return answer.ip(address)
}

// SetRDNS sets the reverse DNS name of an address; "" restores the service's own name (API.md §5). The latter destroys
// a name.
func (w Writer) SetRDNS(ctx context.Context, address, rdns string) error {
	body := struct {
		RDNS string `json:"rdns"`
	}{rdns}
	kind := changes
	if rdns == "" {
		kind = destroys
	}
	answer, err := w.do(ctx, kind, call{method: http.MethodPut, path: []string{"ips", address}, body: body})
	if err == nil && !answer.isEmpty() {
		_, err = answer.ip(address)
	}
	_, err = lookAfter(nil, err, func() (*IP, error) { return w.client.IP(ctx, address) }, func(now *IP) bool {
		return now.RDNS == nil && rdns == "" || now.RDNS != nil && sameHost(*now.RDNS, rdns)
	})
	return err
}

// sameHost reports whether two texts are the same hostname.
func sameHost(a, b string) bool {
	return strings.EqualFold(strings.TrimSuffix(a, "."), strings.TrimSuffix(b, "."))
}

// ip decodes an answer about an address. The answer may omit the address.
func (a *answer) ip(wanted string) (*IP, error) {
	var ip IP
	if err := a.decode(&ip); err != nil {
		return nil, err
	}
	x, errX := netip.ParseAddr(ip.Address)
	y, errY := netip.ParseAddr(wanted)
	if errX == nil && errY == nil && x.Unmap() != y.Unmap() {
		return nil, a.answeredForAnother("address", x.Unmap(), y)
	}
	return &ip, nil
}
