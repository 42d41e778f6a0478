package provider_test

import (
	"encoding/json"
	"net/http/httptest"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// bytesOfAMachine is what a plain machine may take of a state file: one disc, and an image with a key.
// After each change Terraform copies, compares and writes all machines, so that every byte is paid for a thousand times.
// A block that a machine does not have takes its name and null. CLIs that know identities, from Terraform 1.12 on, add theirs.
const (
	bytesOfAMachine = 1730
	bytesOfIdentity = 110
)

const plainMachines = `
resource "cloudserver_vm" "one" {
  count  = 50
  name   = "web${count.index}"
  cores  = 2
  memory = 4096

  disc {
    label         = "vda"
    size          = 25600
    storage_grade = "sata"
  }

  reimage {
    distribution   = "bookworm"
    ssh_public_key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExample ops@example"
  }
}
`

// TestSizeOfTheState counts the bytes of a state file by the number of machines. A plain machine marks nothing as
// sensitive and keeps no private state.
func TestSizeOfTheState(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(acctest.NewEmulator(t, emulator.Options{}))
	t.Cleanup(server.Close)
	w := newWorkspace(t, plainMachines)
	w.run(t, []string{
		"CLOUDSERVER_ENDPOINT=" + server.URL, "CLOUDSERVER_TOKEN=" + emulator.DemoAPIKey,
		"CLOUDSERVER_ACCOUNT=" + emulator.DemoAccount, "CLOUDSERVER_GROUP=" + emulator.DefaultGroup,
	}, "apply", "-auto-approve")

	text := w.read(t, "terraform.tfstate")
	var state struct {
		Resources []struct {
			Instances []struct {
				Sensitive []any  `json:"sensitive_attributes"`
				Private   string `json:"private"`
				Identity  any    `json:"identity"`
			}
		}
	}
	if err := json.Unmarshal([]byte(text), &state); err != nil {
		t.Fatal(err)
	}
	if len(state.Resources) != 1 || len(state.Resources[0].Instances) == 0 {
		t.Fatalf("not the state of the machines:\n%s", text)
	}
	machines := state.Resources[0].Instances
	for _, m := range machines {
		if len(m.Sensitive) > 0 || m.Private != "" {
			t.Fatalf("a machine with sensitive paths %v and private state %q", m.Sensitive, m.Private)
		}
	}
	most := bytesOfAMachine
	if machines[0].Identity != nil {
		most += bytesOfIdentity
	}
	if got := len(text) / len(machines); got > most {
		t.Errorf("%d bytes for each of %d machines, want at most %d", got, len(machines), most)
	}
}
