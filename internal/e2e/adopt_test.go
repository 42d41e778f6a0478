package e2e_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// addEstate adds machines in three groups, backup schedules for three quarters of them, and six reverse names: four of
// first addresses, one of an IPv6 address, and one of an address that is in no attribute of a machine. It returns the
// number of objects.
func addEstate(t *testing.T, e *acctest.Emulator, machines int) (objects int) {
	t.Helper()
	groups := []string{"web", "db", "shop"}
	for _, name := range groups {
		e.AddGroup(emulator.DemoAccount, name, false)
	}
	schedules := 0
	for i := range machines {
		group, number := groups[i%3], i/3+1
		m := emulator.Machine{
			Name: fmt.Sprintf("%s%d", group, number), Cores: 2, Memory: 4096, PowerOn: true, AutorebootOn: true, LastImagedWith: "bookworm",
			Discs: []emulator.Disc{{Label: "vda", Size: 25600, StorageGrade: "sata"}},
			Interfaces: []emulator.Interface{{
				MAC: fmt.Sprintf("52:54:00:00:%02x:%02x", i/256, i%256),
				IPs: []string{fmt.Sprintf("203.0.%d.%d", 113+i/200, i%200+1), fmt.Sprintf("2001:db8:2::%x", i+1), fmt.Sprintf("198.51.%d.%d", 100+i/200, i%200+1)},
			}},
		}
		switch group {
		case "db":
			m.Discs = append(m.Discs, emulator.Disc{Label: "data", Size: 51200, StorageGrade: "archive"})
		case "shop":
			m.Memory = int64(2048 * number)
		}
		if i%4 != 3 {
			schedules++
			m.Discs[len(m.Discs)-1].Backups = &emulator.Backups{Schedules: []emulator.BackupSchedule{{StartAt: "2030-01-06 04:00:00", IntervalSeconds: 604800, Capacity: 4}}}
		}
		e.AddMachine(emulator.DemoAccount, group, m)
	}
	d := e.NewDriver(t, nil)
	names := []string{"203.0.113.1", "203.0.113.2", "203.0.113.3", "203.0.113.7", "2001:db8:2::1", "198.51.100.5"}
	for i, address := range names {
		d.MustApply(t.Context(), "cloudserver_rdns", nil, object{"address": address, "hostname": fmt.Sprintf("host%d.example.com", i)})
	}
	e.ResetJournal()
	return len(groups) + 2 + machines + schedules + len(names) // plus the two groups of every emulator
}

// estate is a directory that adopt has written, with an emulator.
type estate struct {
	*workspace
	output string
}

// newEstate prepares the program and the CLI, which installs the provider by init.
func newEstate(t *testing.T, service *acctest.Emulator) *estate {
	t.Helper()
	program, err := buildProvider()
	if err != nil {
		t.Fatal(err)
	}
	w := &workspace{t: t, dir: t.TempDir(), service: service}
	mirror := filepath.Join(w.dir, "mirror")
	for _, registry := range []string{"registry.terraform.io", "registry.opentofu.org"} {
		plugin := filepath.Join(mirror, registry, "cloudserver/cloudserver/1.0.0", runtime.GOOS+"_"+runtime.GOARCH, "terraform-provider-cloudserver_v1.0.0")
		if err := os.MkdirAll(filepath.Dir(plugin), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(program, plugin); err != nil {
			t.Fatal(err)
		}
	}
	w.write("cli.tfrc", fmt.Sprintf("disable_checkpoint = true\nprovider_installation {\n  filesystem_mirror {\n    path = %q\n  }\n}\n", mirror))
	w.env = append(os.Environ(), "TF_CLI_CONFIG_FILE="+w.path("cli.tfrc"), "TF_IN_AUTOMATION=1", "TF_INPUT=0", "TF_CLI_ARGS=-no-color",
		"CLOUDSERVER_ENDPOINT="+service.URL, "CLOUDSERVER_TOKEN="+emulator.DemoAPIKey)
	return &estate{workspace: w}
}

// program runs the command adopt in the workspace, and returns its output.
func (e *estate) program(arguments ...string) (string, error) {
	e.t.Helper()
	program, err := buildProvider()
	if err != nil {
		e.t.Fatal(err)
	}
	command := exec.CommandContext(e.t.Context(), program, append([]string{"adopt"}, arguments...)...)
	command.Dir, command.Env = e.dir, e.env
	output, err := command.CombinedOutput()
	return string(output), err
}

// adopt runs the program, which must succeed, and changes to the directory that it has written.
func (e *estate) adopt(arguments ...string) {
	e.t.Helper()
	output, err := e.program(append(arguments, "estate")...)
	if err != nil {
		e.t.Fatalf("%v\n%s", err, output)
	}
	e.output, e.dir = output, e.path("estate")
}

// text returns all files of the directory.
func (e *estate) text() string {
	e.t.Helper()
	files, err := filepath.Glob(e.path("*.tf"))
	var all strings.Builder
	for _, name := range files {
		content, readErr := os.ReadFile(name)
		if readErr != nil {
			err = readErr
		}
		all.WriteString("# " + filepath.Base(name) + "\n" + string(content))
	}
	if err != nil {
		e.t.Fatal(err)
	}
	return all.String()
}

// apply follows the program's instructions, and checks that everything is in the state, that nothing was sent, and that
// the next plan is empty.
func (e *estate) apply(objects int) {
	e.t.Helper()
	e.must("init")
	e.must("fmt", "-check", "-diff")
	e.service.ResetJournal()
	output := e.must("apply", "-auto-approve")
	if want := fmt.Sprintf("%d imported, 0 added, ", objects); !strings.Contains(output, want) || !strings.Contains(output, " 0 destroyed") {
		e.t.Errorf("the apply should say %q:\n%s", want, output)
	}
	acctest.ExpectCalls(e.t, e.service)
	if tracked := len(strings.Fields(e.must("state", "list"))); tracked != objects {
		e.t.Errorf("%d objects are in the state, want %d", tracked, objects)
	}
	e.must("plan", "-detailed-exitcode")
}

// TestAdopt: what adopt writes is imported, and nothing else happens.
func TestAdopt(t *testing.T) {
	t.Parallel()
	for name, flags := range map[string][]string{"for_each": nil, "flat": {"--flat"}, "protected": {"--deletion-protection"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			adopts(t, flags...)
		})
	}
}

// estateMachines are the machines of an estate, a third of them in each group.
const estateMachines = 12

func adopts(t *testing.T, flags ...string) {
	service := acctest.StartEmulator(t, emulator.Options{})
	objects := addEstate(t, service, estateMachines)
	e := newEstate(t, service)
	e.adopt(flags...)
	acctest.ExpectCalls(t, service)
	addresses := 3 * estateMachines
	if requests := len(service.AllCalls()); requests != addresses+4 {
		t.Errorf("%d requests for one account and %d addresses, want the accounts, the groups and the overview besides, and that with soft-deleted machines: %v", requests, addresses, service.AllCalls())
	}
	text := e.text()
	if strings.Contains(text, "null") || strings.Contains(text, emulator.DemoAPIKey) || strings.Contains(text, service.URL) {
		t.Errorf("a null, a secret or the endpoint is in\n%s", text)
	}
	for _, reference := range []string{"cloudserver_group.web.id", `disc_ids["`, "ipv4_address", "ipv6_address", "# db1.db.demo", `"198.51.100.5"`} {
		if !strings.Contains(text, reference) {
			t.Errorf("%s is not in\n%s", reference, text)
		}
	}
	e.apply(objects)
	e.insertsADisc()
}

// insertsADisc inserts a block before another one: the schedules stay with their discs.
func (e *estate) insertsADisc() {
	e.t.Helper()
	text, err := os.ReadFile(e.path("db.tf"))
	if err != nil {
		e.t.Fatal(err)
	}
	const data = "  disc {\n    label         = \"data\"\n"
	e.write("db.tf", strings.ReplaceAll(string(text), data, "  disc {\n    label = \"swap\"\n    size  = 1024\n  }\n\n"+data))
	output := e.must("plan")
	if changed := regexp.MustCompile(`(?m)^  # cloudserver_(backup_schedule|rdns)`).FindAllString(output, -1); changed != nil || !strings.Contains(output, fmt.Sprintf("0 to add, %d to change, 0 to destroy", estateMachines/3)) {
		e.t.Errorf("a disc before another one: %q\n%s", changed, output)
	}
}

// TestAdoptTwoAccounts does the same with two accounts.
func TestAdoptTwoAccounts(t *testing.T) {
	t.Parallel()
	service := acctest.StartEmulator(t, emulator.Options{})
	objects := addEstate(t, service, 8)
	service.AddAccount("other", false)
	service.AddGroup("other", "web", false)
	for _, name := range []string{"web1", "web2"} {
		service.AddMachine("other", "web", emulator.Machine{Name: name, PowerOn: true, AutorebootOn: true, Discs: []emulator.Disc{{Label: "vda", Size: 25600}}})
	}
	e := newEstate(t, service)
	e.adopt()
	for _, reference := range []string{"ipv4_address #", "ipv6_address #"} {
		if !strings.Contains(e.text(), reference) {
			t.Errorf("%s is not in\n%s", reference, e.text())
		}
	}
	e.apply(objects + 4)
}
