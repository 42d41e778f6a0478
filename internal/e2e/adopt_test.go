package e2e_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator/variants"
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

func adopts(t *testing.T, flags ...string) {
	service := acctest.StartEmulator(t, emulator.Options{})
	objects := addEstate(t, service, 20)
	e := newEstate(t, service)
	e.adopt(flags...)
	acctest.ExpectCalls(t, service)
	addresses := 3 * 20
	if requests := len(service.AllCalls()); requests != addresses+3 {
		t.Errorf("%d requests for one account and %d addresses, want the accounts, the groups and the overview besides: %v", requests, addresses, service.AllCalls())
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
	if changed := regexp.MustCompile(`(?m)^  # cloudserver_(backup_schedule|rdns)`).FindAllString(output, -1); changed != nil || !strings.Contains(output, "0 to add, 7 to change, 0 to destroy") {
		e.t.Errorf("a disc before another one: %q\n%s", changed, output)
	}
}

// TestAdoptVariants does the same with a service that uses every freedom of API.md, and with two accounts.
func TestAdoptVariants(t *testing.T) {
	t.Parallel()
	variant, err := variants.Named("everything at once")
	if err != nil {
		t.Fatal(err)
	}
	service := acctest.StartEmulator(t, variant.Options)
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

// TestAdoptLostState: a configuration with every way to create instances gets its state back.
func TestAdoptLostState(t *testing.T) {
	t.Parallel()
	service := acctest.StartEmulator(t, emulator.Options{})
	recoversState(t, service)
}

func recoversState(t *testing.T, service *acctest.Emulator) {
	e := newEstate(t, service)
	copyTree(t, "testdata/lost", e.dir)
	e.must("init")
	e.must("apply", "-auto-approve")
	tracked := e.must("state", "list")
	for _, name := range []string{"terraform.tfstate", "terraform.tfstate.backup"} {
		if err := os.Remove(e.path(name)); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	service.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "stranger"})
	service.ResetJournal()
	output, err := e.program("--imports-only", "--config", ".")
	if err != nil || !strings.Contains(output, `virtual machine "stranger" of group "default"`) {
		t.Fatalf("%v\n%s", err, output)
	}
	e.must("fmt", "-check", "-diff", "imports.tf")
	if output := e.must("apply", "-auto-approve"); !strings.Contains(output, " 0 added, ") || !strings.Contains(output, " 0 destroyed") {
		t.Errorf("the apply of the imports:\n%s", output)
	}
	acctest.ExpectCalls(t, service)
	if now := e.must("state", "list"); now != tracked {
		t.Errorf("before\n%s\nand now\n%s", tracked, now)
	}
	e.must("plan", "-detailed-exitcode")
	if output, err := e.program("--imports-only", "--config", "."); err == nil || !strings.Contains(output, "has a file imports.tf") {
		t.Errorf("a second run: %v\n%s", err, output)
	}
}

func copyTree(t *testing.T, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

// TestAdoptSplit: a part of a state is moved to a new directory by following the steps that the program prints, and
// nothing is destroyed on the way. A whole group is moved, and one instance of a resource whose other instances stay.
func TestAdoptSplit(t *testing.T) {
	t.Parallel()
	service := acctest.StartEmulator(t, emulator.Options{})
	splitsState(t, service)
}

func splitsState(t *testing.T, service *acctest.Emulator) {
	objects := addEstate(t, service, 12)
	e := newEstate(t, service)
	e.adopt("--deletion-protection")
	e.must("init")
	e.must("apply", "-auto-approve")
	e.must("apply", "-auto-approve") // an import block whose object is in the state does nothing
	if err := os.Remove(e.path("imports.tf")); err != nil {
		t.Fatal(err)
	}
	service.ResetJournal()

	moved := e.splitOff("whole", "web/*", "web.tf", func(text string) (goes, stays string) { return text, "" })
	moved += e.splitOff("one", "db/db1", "db.tf", func(text string) (goes, stays string) {
		for block := range strings.SplitSeq(text, "\n\nresource ") {
			block = "resource " + strings.TrimSpace(strings.TrimPrefix(block, "resource ")) + "\n\n"
			if !strings.Contains(block, `"cloudserver_group"`) && !strings.Contains(block, `"cloudserver_rdns" "db2"`) {
				goes += regexp.MustCompile(`(?m)^    "db[2-9]".*\n`).ReplaceAllString(block, "")
			}
			if !strings.Contains(block, `"cloudserver_rdns" "db1"`) {
				stays += regexp.MustCompile(`(?m)^    "db1".*\n`).ReplaceAllString(block, "")
			}
		}
		return strings.ReplaceAll(strings.TrimSpace(goes)+"\n", "cloudserver_group.db.id", strconv.Quote(e.groupID("db"))), stays
	})
	acctest.ExpectCalls(t, service)
	if left := len(strings.Fields(e.must("state", "list"))); moved+left != objects {
		t.Errorf("%d objects went and %d are left, of %d", moved, left, objects)
	}
}

// splitOff moves what matches to a separate directory, following the program's steps. It returns the number of objects.
func (e *estate) splitOff(name, pattern, file string, divide func(text string) (goes, stays string)) (moved int) {
	e.t.Helper()
	e.write("state.json", e.must("show", "-json"))
	output, err := e.program("--from", "state.json", "--select", pattern, "../"+name)
	if err != nil {
		e.t.Fatalf("%v\n%s", err, output)
	}
	if cut := strings.Contains(output, "References that this selection cuts"); cut != (name == "one") || name == "one" && !strings.Contains(output, `cloudserver_vm.db["db1"] goes, and refers to cloudserver_group.db, which stays`) {
		e.t.Errorf("the references that are cut:\n%s", output)
	}
	text, err := os.ReadFile(e.path(file))
	if err != nil {
		e.t.Fatal(err)
	}
	goes, stays := divide(string(text))

	fresh := &estate{workspace: &workspace{t: e.t, dir: filepath.Join(filepath.Dir(e.dir), name), service: e.service, env: e.env}}
	fresh.write(file, goes)
	fresh.must("init")
	fresh.must("fmt", "-check", "-diff", "-recursive")
	if output := fresh.must("apply", "-auto-approve"); !strings.Contains(output, " 0 added, ") || !strings.Contains(output, " 0 destroyed") {
		e.t.Errorf("the imports of the new directory:\n%s", output)
	}
	fresh.must("plan", "-detailed-exitcode")

	old := filepath.Join(fresh.dir, "for-the-old-directory")
	if name == "one" {
		e.env = append(e.env, "TERRAFORM="+acctest.CLI())
		e.runs("sh", filepath.Join(old, "state-rm.sh"))
	}
	e.runs("cp", filepath.Join(old, "removed.tf"), ".")
	if output, err := e.run("plan"); err == nil {
		e.t.Errorf("with the blocks and their removal, a plan is not refused:\n%s", output)
	}
	e.write(file, stays)
	if output := e.must("plan"); strings.Contains(output, "to destroy") && !strings.Contains(output, " 0 to destroy") {
		e.t.Errorf("the old directory would destroy:\n%s", output)
	}
	e.must("apply", "-auto-approve")
	e.runs("rm", "-f", "removed.tf")
	e.must("plan", "-detailed-exitcode")
	return len(strings.Fields(fresh.must("state", "list")))
}

func (e *estate) runs(name string, arguments ...string) {
	e.t.Helper()
	command := exec.CommandContext(e.t.Context(), name, arguments...)
	command.Dir, command.Env = e.dir, e.env
	if output, err := command.CombinedOutput(); err != nil {
		e.t.Fatalf("%s %q: %v\n%s", name, arguments, err, output)
	}
}

// groupID returns the ID of a group at the service.
func (e *estate) groupID(name string) string {
	o := e.service.NewDriver(e.t, nil).MustImport(e.t.Context(), "cloudserver_group", emulator.DemoAccount+"/"+name)
	return o.Get("id").(string)
}
