package cloudserver

import (
	"context"
	"net/http"
	"net/netip"
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
	var ip IP
	if err := answer.decode(&ip); err != nil {
		return nil, err
	}
	if err := answer.checkAddress(ip.Address, address); err != nil {
		return nil, err
	}
	return &ip, nil
}

// SetRDNS sets the reverse DNS name of an address; "" restores the service's own
// (API.md §5).
func (c *Client) SetRDNS(ctx context.Context, address, rdns string) error {
	body := struct {
		RDNS string `json:"rdns"`
	}{rdns}
	answer, err := c.do(ctx, call{method: http.MethodPut, path: []string{"ips", address}, body: body})
	if err != nil {
		return err
	}
	ip, err := optional[IP](answer)
	if err != nil {
		return err
	}
	return answer.checkAddress(ip.Address, address)
}

// checkAddress returns an error if the answer is about another address than the
// wanted one. An answer without an address is accepted.
func (a *answer) checkAddress(got, wanted string) error {
	x, errX := netip.ParseAddr(got)
	y, errY := netip.ParseAddr(wanted)
	if errX == nil && errY == nil && x.Unmap() != y.Unmap() {
		return a.answeredForAnother("address", x.Unmap(), y)
	}
	return nil
}
