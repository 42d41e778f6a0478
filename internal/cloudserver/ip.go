package cloudserver

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
)

// IP is an address and its reverse DNS name (api.md §5).
type IP struct {
	Address string
	RDNS    *string // nil: none
}

// UnmarshalJSON takes any JSON object.
func (ip *IP) UnmarshalJSON(data []byte) error {
	var wire struct {
		Address looseText `json:"address"`
		RDNS    looseText `json:"rdns"`
	}
	if err := json.Unmarshal(data, &wire); err != nil {
		return fmt.Errorf("an address was expected, not %s", kindOf(data))
	}
	*ip = IP{Address: valueOf(wire.Address.value), RDNS: wire.RDNS.value}
	return nil
}

// IP reads an address (api.md §5).
func (c *Client) IP(ctx context.Context, address string) (*IP, error) {
	answer, err := c.do(ctx, call{method: http.MethodGet, path: []string{"ips", address}})
	if err != nil {
		return nil, err
	}
	return answer.ip()
}

// SetRDNS gives an address a reverse DNS name; "" takes it away (api.md §5).
// The answer is nil if the service told nothing.
func (c *Client) SetRDNS(ctx context.Context, address, rdns string) (*IP, error) {
	body := struct {
		RDNS string `json:"rdns"`
	}{rdns}
	answer, err := c.do(ctx, call{method: http.MethodPut, path: []string{"ips", address}, body: body})
	if err != nil || len(bytes.TrimSpace(answer.body)) == 0 {
		return nil, err
	}
	return answer.ip()
}

func (a *answer) ip() (*IP, error) {
	var ip IP
	if err := a.decode(&ip); err != nil {
		return nil, err
	}
	return &ip, nil
}
