// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// bytesOfAMachine is the maximum size of a plain machine in a state: one disc, and an image with a key. After each
// change Terraform copies, compares and writes all machines, so every byte counts a thousand times. A block that is not
// configured takes its name and null.
const bytesOfAMachine = 1060

// TestSizeOfTheState: a plain machine takes few bytes, and keeps no private state.
func TestSizeOfTheState(t *testing.T) {
	t.Parallel()
	d, _ := acctest.Drive(t, emulator.Options{}, nil)
	o := d.MustApply(t.Context(), "cloudserver_vm", nil, object{
		"name": "web12", "cores": 2, "memory": 4096,
		"disc":    []any{object{"label": "vda", "size": 25600, "storage_grade": "sata"}},
		"reimage": object{"distribution": "bookworm", "ssh_public_key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBDEcVOF9T6JTvtpHHEpzVeRKPicDToJM8d3QYI9jjrM ops@example"},
	})
	text, err := o.JSON()
	if err != nil || len(text) > bytesOfAMachine || len(o.Private) > 0 {
		t.Errorf("%d bytes, want at most %d, and private state %q, %v:\n%s", len(text), bytesOfAMachine, o.Private, err, text)
	}
}
