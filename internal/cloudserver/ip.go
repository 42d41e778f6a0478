// SPDX-License-Identifier: MPL-2.0

package cloudserver

import (
	"context"
	"fmt"
	"net/http"
	"net/netip"
)

// IP is an address and its reverse DNS name (API.md §5).
type IP struct {
	Address string  `json:"address"`
	RDNS    *string `json:"rdns"` // nil: none
}

// IP reads an address (API.md §5). The answer may omit the address itself.
func (c *Client) IP(ctx context.Context, address string) (*IP, error) {
	answer, err := c.do(ctx, call{method: http.MethodGet, path: []string{"ips", address}})
	if err != nil {
		return nil, err
	}
	var ip IP
	if err := answer.decode(&ip); err != nil {
		return nil, err
	}
	got, gotErr := netip.ParseAddr(ip.Address)
	wanted, wantedErr := netip.ParseAddr(address)
	if gotErr == nil && wantedErr == nil && got.Unmap() != wanted.Unmap() {
		return nil, answer.unreadable(fmt.Errorf("it is about another address: %s instead of %s", got, wanted))
	}
	return &ip, nil
}

// SetRDNS sets the reverse DNS name of an address; "" restores the service's own name (API.md §5).
func (c *Client) SetRDNS(ctx context.Context, address, rdns string) error {
	body := struct {
		RDNS string `json:"rdns"`
	}{rdns}
	_, err := c.do(ctx, call{method: http.MethodPut, path: []string{"ips", address}, body: body})
	return err
}
