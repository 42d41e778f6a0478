package cloudserver

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/netip"
)

// IP is an address and its reverse DNS name (API.md §5).
type IP struct {
	Address string
	RDNS    *string // nil: none
}

// UnmarshalJSON accepts any JSON object. The address is in either of two fields.
func (ip *IP) UnmarshalJSON(data []byte) error {
	var wire struct {
		Address looseText `json:"address"`
		IP      looseText `json:"ip"`
		RDNS    looseText `json:"rdns"`
	}
	if err := json.Unmarshal(data, &wire); err != nil {
		return fmt.Errorf("an address was expected, not %s", kindOf(data))
	}
	*ip = IP{Address: orDefault(valueOf(wire.Address.value), valueOf(wire.IP.value)), RDNS: wire.RDNS.value}
	return nil
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
// It is repeated: a second request does no harm.
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
	x, y := parseAddress(got), parseAddress(wanted)
	if !x.IsValid() || !y.IsValid() || x == y {
		return nil
	}
	return a.answeredForAnother("address", x, y)
}

// parseAddress returns the zero address for text that is none.
func parseAddress(text string) netip.Addr {
	address, err := netip.ParseAddr(text)
	if err != nil {
		return netip.Addr{}
	}
	return address.Unmap()
}
