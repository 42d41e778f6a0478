package cloudserver

import (
	"context"
	"log/slog"
	"net/http"
)

// Reimage is what is installed on a machine's first disc (API.md §8).
type Reimage struct {
	Distribution    string `json:"distribution"`
	RootPassword    string `json:"root_password,omitempty"`
	SSHPublicKey    string `json:"ssh_public_key,omitempty"`
	FirstbootScript string `json:"firstboot_script,omitempty"`
}

func (r Reimage) secrets() []string { return []string{r.RootPassword, r.FirstbootScript} }

// String returns the distribution alone, so that no print shows a secret.
func (r Reimage) String() string { return "reimage with " + r.Distribution }

// GoString is String, for %#v.
func (r Reimage) GoString() string { return r.String() }

// LogValue is String, for slog.
func (r Reimage) LogValue() slog.Value { return slog.StringValue(r.String()) }

// ReimageVirtualMachine installs an operating system, in the background, on a
// machine that is off (400 otherwise). Afterwards the machine is on, and does not
// restart by itself (API.md §3).
func (c *Client) ReimageVirtualMachine(ctx context.Context, vm Ref, reimage Reimage) error {
	_, err := c.do(ctx, call{method: http.MethodPost, path: vm.path("reimage"), body: reimage})
	return err
}
