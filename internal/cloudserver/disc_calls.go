package cloudserver

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// Disc reads a disc by its id, whatever machine it is on now (API.md §4).
func (c *Client) Disc(ctx context.Context, id int64) (*Disc, error) {
	answer, err := c.do(ctx, call{method: http.MethodGet, path: []string{"discs", IDText(id)}})
	if err != nil {
		return nil, err
	}
	disc := &Disc{}
	if err := answer.decode(disc); err != nil {
		return nil, err
	}
	if disc.ID == 0 {
		return nil, answer.misunderstood(errors.New("it describes no disc"))
	}
	if err := answer.checkID("disc", disc.ID, id); err != nil {
		return nil, err
	}
	return disc, nil
}

// Discs reads the discs of a machine (API.md §4).
func (c *Client) Discs(ctx context.Context, vm Ref) ([]Disc, error) {
	return list[Disc](ctx, c, vm.path("discs"), nil)
}

// AddDisc adds a disc; the guest of a running machine sees it after its next
// power cycle (API.md §4). If the service does not return the disc, the
// machine's discs are read to find it.
func (c *Client) AddDisc(ctx context.Context, vm Ref, disc DiscSpec) (*Disc, error) {
	answer, err := c.do(ctx, call{method: http.MethodPost, path: vm.path("discs"), body: disc})
	if err != nil {
		return nil, err
	}
	added, err := optional[Disc](answer)
	if err != nil {
		return nil, err
	}
	if added.ID == 0 {
		return c.discLabelled(ctx, vm, disc.Label)
	}
	if err := answer.checkID("virtual machine", added.VirtualMachineID, vm.ID); err != nil {
		return nil, err
	}
	return &added, nil
}

// discLabelled finds a disc that was just added. A service may normalise labels,
// so case is ignored as a last resort.
func (c *Client) discLabelled(ctx context.Context, vm Ref, label string) (*Disc, error) {
	discs, err := c.Discs(ctx, vm)
	if err != nil {
		return nil, fmt.Errorf("the service added disc %q, but its ID is not known: %w", label, err)
	}
	for _, same := range []func(a, b string) bool{func(a, b string) bool { return a == b }, strings.EqualFold} {
		for i := range discs {
			if same(discs[i].Label, label) {
				return &discs[i], nil
			}
		}
	}
	return nil, fmt.Errorf("the service answered that it added disc %q, but the machine has no disc with this label", label)
}

// UpdateDisc grows, renames or moves a disc (API.md §4). It returns nil if the
// service did not return the disc.
func (c *Client) UpdateDisc(ctx context.Context, vm Ref, disc int64, update DiscUpdate) (*Disc, error) {
	return put(ctx, c, vm.discPath(disc), update, "disc", disc, func(d *Disc) int64 { return d.ID })
}

// PurgeDisc destroys a disc and its data (API.md §4). For one that is already
// gone the error is IsNotFound.
func (c *Client) PurgeDisc(ctx context.Context, vm Ref, disc int64) error {
	_, err := c.do(ctx, call{method: http.MethodDelete, path: vm.discPath(disc), query: purgeQuery(true)})
	return err
}

// discPath returns the path of a disc followed by the given elements.
func (r Ref) discPath(disc int64, rest ...string) []string {
	return append(r.path("discs", IDText(disc)), rest...)
}
