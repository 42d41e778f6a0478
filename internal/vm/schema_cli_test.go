package vm_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// managedVM is a configuration of a machine in a group of its own.
type managedVM struct {
	group, key, discs, lines, place, more string
}

func (l managedVM) text() string {
	return fmt.Sprintf(`
variable "root_password" {
  sensitive = true
  default   = "marker-1-marker"
}
resource "cloudserver_group" "of_web" { name = %q }
resource "cloudserver_vm" "web" {
  name     = "web1"
  %s
  %s
  %s
  reimage {
    distribution     = "bookworm"
    root_password    = var.root_password
    firstboot_script = "#!/bin/sh\n# marker-2-marker"
    ssh_public_key   = %q
  }
}
output "same" { value = cloudserver_vm.web.group_id == cloudserver_group.of_web.id }
%s
`, l.group, l.place, l.discs, l.lines, l.key, l.more)
}

// TestSchemaThroughTheCLI takes a machine through what the schema promises: each
// step would fail if one of its rules were another.
func TestSchemaThroughTheCLI(t *testing.T) {
	const (
		address  = "cloudserver_vm.web"
		oneDisc  = "disc {\n    label = \"vda\"\n    size = 25600\n    storage_grade = \"sata\"\n  }\n"
		twoDiscs = oneDisc + "  disc {\n    label = \"data\"\n    size = 5000\n  }\n"
	)
	s := newShape(t)
	s.e.AddAccount("other", false)
	l := managedVM{group: "team", key: "ssh-ed25519 A", discs: twoDiscs, place: "group_id = cloudserver_group.of_web.id"}

	// No state holds a secret, and all IDs are strings.
	step := s.apply(l.text(), "POST name=team", "create in demo/1006 discs=vda:25600:sata,data:5000 distribution=bookworm firstboot_script=#!/bin/sh\n# marker-2-marker root_password=marker-1-marker ssh_public_key=ssh-ed25519 A")
	step.ConfigStateChecks = append(step.ConfigStateChecks,
		acctest.StateHasNone("marker-1", "marker-2"), statecheck.ExpectKnownOutputValue("same", knownvalue.Bool(true)))

	step.ConfigPlanChecks.PreApply = []plancheck.PlanCheck{acctest.PlanHasNone("marker-2")}

	l.group = "crew" // a rename of the group is none of the machine's
	planned(s.apply(l.text(), "PUT name=crew"), address, plancheck.ResourceActionNoop)

	l.key = "ssh-ed25519 B" // recorded: no key replaces a fleet
	planned(s.apply(l.text(), ""), address, plancheck.ResourceActionUpdate)

	step = s.apply(l.text(), "") // what others do to discs plans nothing
	step.PreConfig = func() {
		id := only(t, s.e).ID
		s.e.AddDisc(id, emulator.Disc{Label: "theirs", Size: 77})
		if err := errors.Join(s.e.RegradeDisc(id, "vda", "ssd"), s.e.MigrateDisc(id, "data", "archive")); err != nil {
			t.Error(err)
		}
		s.e.ResetJournal()
	}
	planned(step, address, plancheck.ResourceActionNoop)

	graded := l
	graded.discs = strings.Replace(l.discs, `"sata"`, `"archive"`, 1)
	s.refuse(graded.text(), `Cannot change the storage grade of disc "vda"`)

	l.lines = "deletion_protection = true"
	s.apply(l.text(), "")
	fewer := l
	fewer.discs = oneDisc
	s.refuse(fewer.text(), `Cannot purge disc "data" of virtual machine "web1"`)

	l.lines = "power_on = false"
	s.apply(l.text(), "PUT autoreboot_on=false", "signal powerdown")
	l.lines = "power_on = false\n  autoreboot_on = true"
	s.refuse(l.text(), "Conflicting power settings")

	faces := l
	faces.lines, faces.more = "power_on = false", "output \"faces\" { value = cloudserver_vm.web.network_interfaces }"
	s.refuse(faces.text(), "Unsupported attribute")

	l.lines, l.place = "power_on = true", "account = \"other\"\n  group = \"default\""
	moved := s.apply(l.text(), "PUT group_id=#", start)
	planned(moved, address, plancheck.ResourceActionUpdate)

	l.lines = "power_on = true\n  shutdown_before_destroy = true"
	s.apply(l.text(), "")
	last := s.apply("", strings.TrimSuffix(stop, "; "), strings.TrimSuffix(purge, "; "), "DELETE")
	last.Config = s.e.ProviderBlock()
	s.run(t)
}
