// SPDX-License-Identifier: MPL-2.0

//go:build newest

package e2e_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// newest is a workspace of the newest Terraform, with a configuration.
type newest struct{ *workspace }

func newNewest(t *testing.T, options emulator.Options) newest {
	return newest{newWorkspace(t, acctest.StartEmulator(t, options))}
}

// configure writes the configuration: the provider block and the given text.
func (w newest) configure(blocks ...string) {
	w.t.Helper()
	w.write("main.tf", requirement+w.service.ProviderBlock()+strings.Join(blocks, "\n"))
}

// expect runs the CLI, which must succeed and print all of the wanted texts.
func (w newest) expect(command string, want ...string) (output string) {
	w.t.Helper()
	output, err := w.run(append(strings.Fields(command), "-no-color")...)
	if err != nil {
		w.t.Fatalf("%s: %v\n%s", command, err, output)
	}
	for _, text := range want {
		if !strings.Contains(output, text) {
			w.t.Errorf("%s does not say %q:\n%s", command, text, output)
		}
	}
	return output
}

// machineWith returns a machine with a data disc and further lines.
func machineWith(size int, lines ...string) string {
	return fmt.Sprintf("resource \"cloudserver_vm\" \"web\" {\n  name = \"web1\"\n  disc {\n    label = \"vda\"\n    size  = 25600\n  }\n"+
		"  disc {\n    label = \"data\"\n    size  = %d\n  }\n%s\n}\n", size, strings.Join(lines, "\n"))
}

// action returns a block that restarts the machine, or takes a backup of its boot disc.
func action(typ, arguments string) string {
	return fmt.Sprintf("action \"cloudserver_%s\" \"web\" {\n  config {\n%s\n  }\n}\n", typ, arguments)
}

const backupFirst = `  lifecycle {
    action_trigger {
      events  = [before_destroy]
      actions = [action.cloudserver_disc_backup.web]
    }
  }`

func TestNewestActions(t *testing.T) {
	t.Parallel()
	w := newNewest(t, emulator.Options{})
	const restart = "    state = \"restart\"\n    virtual_machine_id = "
	w.configure(machineWith(51200), action("vm_power", restart+"cloudserver_vm.web.id"))
	w.expect("apply -auto-approve", "1 added")
	w.service.ResetPower()
	w.expect("apply -auto-approve -invoke=action.cloudserver_vm_power.web", "Action complete")
	if changes := w.service.Power().Changes; len(changes) != 2 {
		t.Errorf("an invoked restart is %v", changes)
	}

	// On 1.14 and 1.15 the action refers to the resource; from 1.16 on that is a cycle.
	w.configure(machineWith(51200, backupFirst),
		action("disc_backup", "    virtual_machine_id = caller.id\n    disc_id = caller.disc[1].id"))
	w.expect("plan -detailed-exitcode")
	w.service.ResetJournal()
	w.expect("destroy -auto-approve", "1 destroyed")
	var order []string
	for _, call := range w.service.Calls() {
		if !strings.HasPrefix(call, "GET ") {
			order = append(order, call)
		}
	}
	if len(order) != 2 || !strings.Contains(order[0], "/backups") || !strings.HasPrefix(order[1], "DELETE ") {
		t.Errorf("a backup before the destroy is %q", order)
	}
}

func TestNewestLifetimes(t *testing.T) {
	t.Parallel()
	w := newNewest(t, emulator.Options{})
	machines := func() int { return len(w.service.Machines()) }

	w.configure(machineWith(51200))
	w.expect("apply -auto-approve", "1 added")
	w.service.ResetJournal()
	w.expect("plan -detailed-exitcode -refresh=false")
	if calls := w.service.Calls(); len(calls) > 0 {
		t.Errorf("an empty plan without a refresh sends %q", calls)
	}

	w.configure(machineWith(51200, "  lifecycle {\n    destroy = false\n  }"))
	w.expect("apply -auto-approve")
	w.expect("destroy -auto-approve", "will no longer be managed by Terraform", "0 destroyed")
	if len(w.tracked()) != 0 || machines() != 1 {
		t.Errorf("destroy = false: %d machines, and %v in the state", machines(), w.tracked())
	}

	imported := "import {\n  to = cloudserver_vm.web\n  id = \"default/web1\"\n}\n"
	for _, destroy := range []bool{false, true} {
		w.configure(machineWith(51200), imported)
		w.expect("apply -auto-approve", "1 imported, 0 added, 0 changed, 0 destroyed")
		w.configure(fmt.Sprintf("removed {\n  from = cloudserver_vm.web\n  lifecycle {\n    destroy = %t\n  }\n}\n", destroy))
		w.expect("apply -auto-approve")
		if left := machines() == 1; len(w.tracked()) != 0 || left == destroy {
			t.Errorf("removed with destroy = %t: %d machines, and %v in the state", destroy, machines(), w.tracked())
		}
	}
}

// estate adds a group with a machine that is on, one that is off, and one that the service is about to start; a
// schedule and a reverse name. It returns the import blocks.
func (w newest) estate(provider string) string {
	w.t.Helper()
	w.service.AddGroup(emulator.DemoAccount, "web", false)
	for i, name := range []string{"web1", "web2", "web3"} {
		w.service.AddMachine(emulator.DemoAccount, "web", emulator.Machine{
			Name: name, Cores: 2, Memory: 2048, PowerOn: i == 0, AutorebootOn: i != 1, LastImagedWith: "bookworm",
			Discs: []emulator.Disc{{Label: "vda", Size: 25600, StorageGrade: "sata"}},
		})
	}
	ctx, d := w.t.Context(), w.service.NewDriver(w.t, nil)
	machine, _ := d.Import(ctx, "cloudserver_vm", "demo/web/web1")
	address, id, disc := machine.Get("ipv4_address").(string), machine.Get("id").(string), machine.Get("disc.0.id").(string)
	d.MustApply(ctx, "cloudserver_rdns", nil, map[string]any{"address": address, "hostname": "www.example.com"})
	schedule := d.MustApply(ctx, "cloudserver_backup_schedule", nil, map[string]any{
		"virtual_machine_id": id, "disc_id": disc, "start_at": "2027-01-03 04:00:00", "interval_seconds": 604800,
	})
	var blocks strings.Builder
	for _, b := range [][2]string{
		{"cloudserver_group.web", "demo/web"},
		{"cloudserver_vm.web1", "web/web1"},
		{"cloudserver_vm.web2", "web/web2"},
		{"cloudserver_vm.web3", "web/web3"},
		{"cloudserver_rdns.web1", address},
		{"cloudserver_backup_schedule.web1", id + "/" + disc + "/" + schedule.Get("id").(string)},
	} {
		fmt.Fprintf(&blocks, "import {\n  to = %s\n  id = %q\n%s}\n", b[0], b[1], provider)
	}
	w.service.ResetJournal()
	return blocks.String()
}

func TestNewestGeneratedConfig(t *testing.T) {
	t.Parallel()
	for name, provider := range map[string]string{"without provider": "", "with provider": "  provider = cloudserver\n"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newNewest(t, emulator.Options{BootTime: time.Hour})
			w.configure(w.estate(provider))
			w.expect("plan -out=plan -generate-config-out=generated.tf", "Plan: 6 to import, 0 to add, 0 to change, 0 to destroy")
			w.expect("apply plan", "6 imported, 0 added, 0 changed, 0 destroyed")
			w.configure()
			w.expect("plan -detailed-exitcode")
			acctest.ExpectCalls(t, w.service)
			w.expectGenerated()
		})
	}
}

// TestNewestQuery: a warning reports what the limit leaves out.
func TestNewestQuery(t *testing.T) {
	t.Parallel()
	w := newNewest(t, emulator.Options{})
	addEstate(t, w.service, 110)
	w.configure()
	query := func(limit string) string {
		w.write("all.tfquery.hcl", "list \"cloudserver_vm\" \"all\" {\n  provider = cloudserver\n"+limit+"}\n")
		return w.expect("query")
	}
	found := func(output string) int { return strings.Count(output, "list.cloudserver_vm.all ") }
	first := query("")
	if found(first) != 100 || !strings.Contains(first, "Only 100 of 110 virtual machines are listed") || !strings.Contains(first, "Set limit = 110") {
		t.Errorf("110 machines by query:\n%s", first)
	}
	whole := query("  limit = 1000\n")
	if found(whole) != 110 || strings.Contains(whole, "are listed") {
		t.Errorf("everything by query: %d machines\n%s", found(whole), whole)
	}
}

// byHand is the configuration that a person would write for the estate. Terraform adds arguments that are null.
var byHand = []string{
	`resource "cloudserver_group" { name = "web" }`,
	`resource "cloudserver_vm" { cores = 2 group = "web" hardware_profile = "virtio2013" memory = 2048 name = "web1" zone_name = "york" ` + writtenBlocks,
	`resource "cloudserver_vm" { cores = 2 group = "web" hardware_profile = "virtio2013" memory = 2048 name = "web2" power_on = false zone_name = "york" ` + writtenBlocks,
	`resource "cloudserver_vm" { cores = 2 group = "web" hardware_profile = "virtio2013" memory = 2048 name = "web3" zone_name = "york" ` + writtenBlocks,
}

const writtenBlocks = `disc { label = "vda" size = 25600 storage_grade = "sata" } reimage { distribution = "bookworm" } }`

// expectGenerated checks that the generated configuration has these blocks.
func (w newest) expectGenerated() {
	w.t.Helper()
	text, err := os.ReadFile(w.path("generated.tf"))
	if err != nil {
		w.t.Fatal(err)
	}
	plain := regexp.MustCompile(`(resource "\w+") "\w+"`).ReplaceAllString(string(text), "$1")
	plain = regexp.MustCompile(`(?m)^ *(\w+ *= null|provider *= cloudserver|#.*)$`).ReplaceAllString(plain, "")
	plain = strings.Join(strings.Fields(plain), " ")
	for _, resource := range byHand {
		if !strings.Contains(plain, resource) {
			w.t.Errorf("%s\nis not in what was generated:\n%s", resource, text)
		}
	}
}

// TestNewestParallelRuns: the runs of one test file use one world at the same time, in one provider process that is
// configured once.
func TestNewestParallelRuns(t *testing.T) {
	t.Parallel()
	w := newest{newWorkspace(t, nil)}
	w.write("main.tf", requirement+"variable \"name\" {\n  default = \"web1\"\n}\n"+strings.Replace(machine, `"web1"`, "var.name", 1))
	if err := os.Mkdir(w.path("tests"), 0o700); err != nil {
		t.Fatal(err)
	}
	w.write("tests/all.tftest.hcl", `
test {
  parallel = true
}
provider "cloudserver" {
  endpoint = "emulator:world.json?boot-time=0s&latency=5ms"
}
run "one" {
  state_key = "one"
}
run "two" {
  state_key = "two"
  variables {
    name = "web2"
  }
}
run "three" {
  state_key = "three"
  variables {
    name = "web3"
  }
}
run "one_again" {
  state_key = "one"
  variables {
    name = "web4"
  }
}
`)
	w.expect("test", "4 passed, 0 failed")
	if found := w.inWorld("world.json"); len(found) > 0 {
		t.Errorf("left: %+v", found)
	}
}
