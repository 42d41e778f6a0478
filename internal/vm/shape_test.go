package vm_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// shape is a test of a configuration as people write it, through the CLI.
type shape struct {
	e     *acctest.Emulator
	steps []resource.TestStep

	factories map[string]func() (tfprotov6.ProviderServer, error)
}

func newShape(t *testing.T) *shape {
	t.Helper()
	return &shape{e: acctest.StartEmulator(t, emulator.Options{})}
}

// apply adds a step that must send exactly what is wanted, in the words of sent
// and in any order where more machines than one are at work. After it the plan
// is empty, which the test framework checks.
func (s *shape) apply(config string, want ...string) *resource.TestStep {
	s.steps = append(s.steps, resource.TestStep{
		PreConfig:         s.e.ResetJournal,
		Config:            s.e.ProviderBlock() + config,
		ConfigStateChecks: []statecheck.StateCheck{sentCheck{s.e, strings.Join(want, "; ")}},
	})
	return &s.steps[len(s.steps)-1]
}

// sentCheck is a state check, because the other kind cannot read for_each.
type sentCheck struct {
	emulator *acctest.Emulator
	want     string
}

// CheckState implements statecheck.StateCheck.
func (c sentCheck) CheckState(_ context.Context, _ statecheck.CheckStateRequest, resp *statecheck.CheckStateResponse) {
	got := sent(c.emulator)
	if !slices.Equal(sorted(strings.Split(got, "; ")), sorted(strings.Split(c.want, "; "))) {
		resp.Error = fmt.Errorf("sent\n %q, want\n %q", got, c.want)
	}
}

// refuse adds a step whose plan or apply must fail with the text, and send nothing.
func (s *shape) refuse(config, text string) {
	s.steps = append(s.steps, resource.TestStep{
		PreConfig:   s.e.ResetJournal,
		Config:      s.e.ProviderBlock() + config,
		ExpectError: regexp.MustCompile(strings.ReplaceAll(regexp.QuoteMeta(text), " ", `\s+`)),
	})
}

func (s *shape) run(t *testing.T) {
	t.Helper()
	acctest.UnitTest(t, resource.TestCase{Steps: s.steps, ProtoV6ProviderFactories: s.factories})
	if left := s.e.Machines(); len(left) > 0 {
		t.Errorf("left when all is destroyed: %+v", left)
	}
}

// planned makes a step expect an action for an address.
func planned(step *resource.TestStep, address string, action plancheck.ResourceActionType) {
	step.ConfigPlanChecks.PreApply = append(step.ConfigPlanChecks.PreApply, plancheck.ExpectResourceAction(address, action))
}

func sorted(texts []string) []string {
	texts = slices.Clone(texts)
	slices.Sort(texts)
	return texts
}

const vda = "\n  disc {\n    label = \"vda\"\n    size  = 25600\n  }\n"

// web is a resource named web1 with a disc, and more lines.
func web(lines string) string {
	return "resource \"cloudserver_vm\" \"web\" {\n  name = \"web1\"" + vda + lines + "\n}\n"
}

func TestShapeForEach(t *testing.T) {
	s := newShape(t)
	text := func(machines string) string {
		return "locals {\n machines = {" + machines + "}\n}\n" + `
resource "cloudserver_vm" "web" {
  for_each = local.machines
  name     = each.key
  cores    = each.value.cores
  dynamic "disc" {
    for_each = each.value.discs
    content {
      label = disc.key
      size  = disc.value
    }
  }
}
output "ids" { value = { for name, machine in cloudserver_vm.web : name => machine.id } }
`
	}
	const web2 = `web2 = { cores = 2, discs = { vda = 25600, vdb = 5000 } }`
	s.apply(text(`web1 = { cores = 1, discs = { vda = 25600 } }, `+web2), "create cores=1", "create discs=vda:25600,vdb:5000 cores=2 name=web2")
	s.apply(text(web2+`, web3 = { cores = 1, discs = { vda = 25600 } }`), "DELETE?purge=true", "create cores=1 name=web3")
	s.apply(text(""), "DELETE?purge=true", "DELETE?purge=true") // the test framework cannot end with for_each in the state
	s.run(t)
}

// TestShapeUnknownValues has discs, sizes, images and addresses that are known
// only after another resource is applied, at creation and at a change.
func TestShapeUnknownValues(t *testing.T) {
	s := newShape(t)
	text := func(discs, key string) string {
		return fmt.Sprintf(`
resource "terraform_data" "discs" { input = %s }
resource "terraform_data" "image" { input = { distribution = "bookworm", key = %q, address = "192.0.2.77", cores = 1 } }
resource "cloudserver_vm" "web" {
  name  = "web1"
  group = "private"
  cores = terraform_data.image.output.cores
  dynamic "disc" {
    for_each = terraform_data.discs.output
    content {
      label = disc.value.label
      size  = disc.value.size
    }
  }
  reimage {
    distribution   = terraform_data.image.output.distribution
    root_password  = "test-only"
    ssh_public_key = terraform_data.image.output.key
    on_change      = "reimage"
  }
  ips { ipv4 = terraform_data.image.output.address }
}
`, discs, key)
	}
	step := s.apply(text(`[{ label = "vda", size = 25600 }]`, "ssh-ed25519 A"),
		"create in demo/private ipv4=192.0.2.77 "+imaged+" ssh_public_key=ssh-ed25519 A cores=1")
	planned(step, "cloudserver_vm.web", plancheck.ResourceActionCreate)
	step = s.apply(text(`[{ label = "vda", size = 51200 }, { label = "vdb", size = 5000 }]`, "ssh-ed25519 A"),
		"PUT disc size=51200", "POST disc label=vdb size=5000")
	planned(step, "cloudserver_vm.web", plancheck.ResourceActionUpdate)
	s.run(t)
}

func TestShapeModule(t *testing.T) {
	s := newShape(t)
	module := `
variable "name" { type = string }
variable "data" { type = number }
resource "cloudserver_vm" "this" {
  name = var.name
` + vda + `
  disc {
    label = "data"
    size  = var.data
  }
}
output "hostname" { value = cloudserver_vm.this.hostname }
`
	directory := t.TempDir()
	write(t, directory, module)
	root := func(data int) string {
		return fmt.Sprintf("%s\nmodule \"web\" {\n  source = %q\n  name = \"web1\"\n  data = %d\n}\noutput \"hostname\" { value = module.web.hostname }\n", s.e.ProviderBlock(), directory, data)
	}
	fromDirectory(t, s.apply("", "create discs=vda:25600,data:5000"), root(5000))
	step := s.apply("", "PUT disc size=6000")
	fromDirectory(t, step, root(6000))
	planned(step, "module.web.cloudserver_vm.this", plancheck.ResourceActionUpdate)
	fromDirectory(t, s.apply("", "DELETE?purge=true"), s.e.ProviderBlock()) // the test framework cannot end with a module
	s.factories = map[string]func() (tfprotov6.ProviderServer, error){}     // the steps have them
	s.run(t)
}

// fromDirectory writes the configuration of a step into a file: only then does the
// test framework install modules.
func fromDirectory(t *testing.T, step *resource.TestStep, configuration string) {
	t.Helper()
	directory := t.TempDir()
	write(t, directory, configuration)
	step.Config, step.ConfigDirectory = "", config.StaticDirectory(directory)
	step.ProtoV6ProviderFactories = acctest.ProtoV6ProviderFactories()
}

func write(t *testing.T, directory, configuration string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(directory, "main.tf"), []byte(configuration), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestShapeCreateBeforeDestroy replaces a machine by one of another name before
// it goes. The same name is taken until then, and the service says so.
func TestShapeCreateBeforeDestroy(t *testing.T) {
	s := newShape(t)
	text := func(name, zone string) string {
		lines := fmt.Sprintf("  zone_name = %q\n  lifecycle { create_before_destroy = true }", zone)
		return strings.Replace(web(lines), "web1", name, 1)
	}
	s.apply(text("web1", "york"), "create zone_name=york")
	step := s.apply(text("web2", "manchester"), "create name=web2 zone_name=manchester", "DELETE?purge=true")
	planned(step, "cloudserver_vm.web", plancheck.ResourceActionCreateBeforeDestroy)
	s.refuse(text("web2", "york"), "If it is the old machine of a replacement with create_before_destroy, use a name that differs")
	s.run(t)
}

func TestShapeReplaceTriggeredBy(t *testing.T) {
	s := newShape(t)
	text := func(trigger, lines string) string {
		return fmt.Sprintf("resource \"terraform_data\" \"release\" { input = %q }\n", trigger) +
			web(lines+"  lifecycle { replace_triggered_by = [terraform_data.release] }")
	}
	s.apply(text("1", ""), "create")
	step := s.apply(text("2", ""), strings.TrimSuffix(purge, "; "), "create")
	planned(step, "cloudserver_vm.web", plancheck.ResourceActionReplace)
	s.refuse(text("3", "  deletion_protection = true\n"), `Cannot replace virtual machine "web1"`) // the plan brings it
	s.apply(text("2", "  deletion_protection = true\n"), "")
	s.refuse(text("3", "  deletion_protection = true\n"), "deletion_protection is true for the existing machine")
	s.apply(text("2", ""), "")
	s.run(t)
}
