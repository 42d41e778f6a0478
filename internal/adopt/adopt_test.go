package adopt_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/adopt"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/command"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator/worldfile"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
)

func TestMain(m *testing.M) { acctest.Main(m) }

// result is what a run printed and wrote.
type result struct {
	out, errors string
	files       map[string]string
	err         error
}

func (r result) all() string {
	var all strings.Builder
	for _, text := range r.files {
		all.WriteString(text)
	}
	return all.String()
}

// adoptInto runs the command against an emulator in memory, in an empty directory.
func adoptInto(t *testing.T, e *acctest.Emulator, arguments ...string) result {
	t.Helper()
	return runCommand(t, e.Transport(), filepath.Join(t.TempDir(), "estate"), arguments...)
}

func runCommand(t *testing.T, service http.RoundTripper, dir string, arguments ...string) result {
	t.Helper()
	return runCommandIn(t.Context(), t, service, dir, arguments...)
}

func runCommandIn(
	ctx context.Context, t *testing.T, service http.RoundTripper, dir string, arguments ...string,
) result {
	t.Helper()
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	adopter := adopt.Register(flags)
	if err := flags.Parse(arguments); err != nil {
		t.Fatal(err)
	}
	var out, said bytes.Buffer
	err := adopter.Run(ctx, append(flags.Args(), dir), provider.NewWithTransport("1.4.2", service), "1.4.2", command.Streams{Out: &out, Err: &said})
	r := result{out: out.String(), errors: said.String(), files: map[string]string{}, err: err}
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	below, _ := filepath.Glob(filepath.Join(dir, "*", "*"))
	for _, name := range append(files, below...) {
		if content, err := os.ReadFile(name); err == nil {
			r.files[filepath.Base(name)] = string(content)
		}
	}
	return r
}

// setEnvironment sets the variables that name the service.
func setEnvironment(t *testing.T, account string) {
	t.Helper()
	t.Setenv("CLOUDSERVER_ENDPOINT", "http://127.0.0.1")
	t.Setenv("CLOUDSERVER_TOKEN", emulator.DemoAPIKey)
	t.Setenv("CLOUDSERVER_ACCOUNT", account)
}

func newService(t *testing.T) *acctest.Emulator {
	t.Helper()
	_, e := acctest.Drive(t, emulator.Options{}, nil)
	return e
}

// machineNamed returns a machine like that of the README.
func machineNamed(name string) emulator.Machine {
	return emulator.Machine{
		Name: name, Cores: 2, Memory: 4096, PowerOn: true, AutorebootOn: true, LastImagedWith: "bookworm",
		Discs: []emulator.Disc{{Label: "vda", Size: 25600, StorageGrade: "ssd"}},
	}
}

// TestLinesOfAMachine: a machine like that of the README takes no more lines than it does there.
func TestLinesOfAMachine(t *testing.T) {
	setEnvironment(t, "demo")
	e := newService(t)
	e.AddMachine("demo", "default", machineNamed("web1"))
	r := adoptInto(t, e)
	const want = `
resource "cloudserver_vm" "web1" {
  name             = "web1" # web1.default.demo.cluster.example ADDRESSES
  group_id         = cloudserver_group.default.id
  cores            = 2
  memory           = 4096
  hardware_profile = "virtio2013"
  zone_name        = "york"

  disc {
    label         = "vda"
    size          = 25600
    storage_grade = "ssd"
  }

  reimage { distribution = "bookworm" }
}
`
	got := r.files["default.tf"]
	_, got, _ = strings.Cut(got, "}\n")
	before, rest, _ := strings.Cut(got, "cluster.example ")
	_, rest, _ = strings.Cut(rest, "\n")
	if got = before + "cluster.example ADDRESSES\n" + rest; got != want || r.err != nil {
		t.Errorf("%v; got\n%s\nwant\n%s", r.err, got, want)
	}
	lines := 0
	for line := range strings.SplitSeq(strings.TrimSpace(want), "\n") {
		if line != "" {
			lines++
		}
	}
	if lines > 14 {
		t.Errorf("%d lines, want at most 14", lines)
	}
	if !strings.Contains(r.files["terraform.tf"], `version = "~> 1.4"`) || strings.Contains(r.files["provider.tf"], "account") {
		t.Errorf("what is in the environment stays there, and the version is the program's:\n%s\n%s", r.files["terraform.tf"], r.files["provider.tf"])
	}
}

// TestNamesThatCollide: identifiers are unique across groups and accounts, even for names with characters that are
// replaced.
func TestNamesThatCollide(t *testing.T) {
	setEnvironment(t, "")
	e := newService(t)
	e.AddAccount("other", false)
	e.AddGroup("demo", "web", false)
	for i, at := range [][2]string{{"demo", "default"}, {"demo", "web"}, {"other", "default"}} {
		for _, name := range []string{"db-1", "db_1", "DB.1"}[:3-i] {
			e.AddMachine(at[0], at[1], machineNamed(name))
		}
	}
	r := adoptInto(t, e, "--flat")
	all := r.all()
	for _, block := range []string{
		`resource "cloudserver_group" "default_demo" {`, `resource "cloudserver_group" "default_other" {`, `resource "cloudserver_group" "web_demo" {`,
		`resource "cloudserver_vm" "DB_1" {`, `resource "cloudserver_vm" "db_1_default" {`, `resource "cloudserver_vm" "db_1_default_demo" {`,
		`resource "cloudserver_vm" "db_1_web" {`, `resource "cloudserver_vm" "db_1_default_other" {`,
	} {
		if strings.Count(all, block) != 1 {
			t.Errorf("%s is there %d times", block, strings.Count(all, block))
		}
	}
	for _, file := range []string{"default_demo.tf", "web_demo.tf", "default_other.tf"} {
		if r.files[file] == "" {
			t.Errorf("there is no file %s", file)
		}
	}
	if named := strings.Count(all, "\n  account "); r.err != nil || strings.Contains(r.files["provider.tf"], "account") || named != strings.Count(all, "resource \"") {
		t.Errorf("%v: with two accounts, %d resources name theirs:\n%s", r.err, named, all)
	}
}

// TestOneAccount: the only account is written once, unless the environment names it.
func TestOneAccount(t *testing.T) {
	for environment, want := range map[string]bool{"": true, "demo": false, "elsewhere": true} {
		setEnvironment(t, environment)
		e := newService(t)
		e.AddMachine("demo", "default", machineNamed("web1"))
		r := adoptInto(t, e)
		if got := strings.Contains(r.files["provider.tf"], `account = "demo"`); got != want || strings.Contains(r.files["default.tf"], "account") || r.err != nil {
			t.Errorf("CLOUDSERVER_ACCOUNT=%q: %v\n%s\n%s", environment, r.err, r.files["provider.tf"], r.files["default.tf"])
		}
	}
}

// TestAlike: machines that differ in their names alone share a block, and so do the schedules of their discs.
func TestAlike(t *testing.T) {
	setEnvironment(t, "demo")
	e := newService(t)
	for _, name := range []string{"web-01", "web-02", "web-03", "big-01"} {
		m := machineNamed(name)
		if name == "big-01" {
			m.Memory = 8192
		}
		if name != "web-03" {
			m.Discs[0].Backups = &emulator.Backups{Schedules: []emulator.BackupSchedule{
				{StartAt: "2030-01-06 04:00:00", IntervalSeconds: 604800, Capacity: 4}, {StartAt: "2030-01-06 04:00:00", IntervalSeconds: 604800, Capacity: 4},
			}}
		}
		e.AddMachine("demo", "default", m)
	}
	got := adoptInto(t, e).files["default.tf"]
	for text, want := range map[string]int{
		`resource "cloudserver_vm" "web" {`: 1, `resource "cloudserver_vm" "big_01" {`: 1, `resource "cloudserver_vm"`: 2,
		`resource "cloudserver_backup_schedule" "web_vda"`: 1, `resource "cloudserver_backup_schedule" "web_vda_default"`: 1, `resource "cloudserver_backup_schedule" "big_01_vda`: 2,
		`"web-03", #`: 1, "cloudserver_vm.web[each.key].id": 2, "name             = each.key": 1,
	} {
		if strings.Count(got, text) != want {
			t.Errorf("%s is there %d times, want %d", text, strings.Count(got, text), want)
		}
	}
	if t.Failed() {
		t.Log(got)
	}
}

// TestSelection: patterns limit what is written and which requests are sent.
func TestSelection(t *testing.T) {
	setEnvironment(t, "demo")
	e := newService(t)
	e.AddAccount("other", false)
	for _, group := range []string{"web", "web-2", "db"} {
		e.AddGroup("demo", group, false)
		e.AddMachine("demo", group, machineNamed(group+"-a"))
		e.AddMachine("demo", group, machineNamed(group+"-b"))
	}
	for _, test := range []struct {
		flags    []string
		machines int
		groups   int
		requests int
	}{
		{machines: 6, groups: 6, requests: 1 + 2*3 + 6*2},
		{flags: []string{"--account", "dem?"}, machines: 6, groups: 5, requests: 1 + 3 + 6*2},
		{flags: []string{"--account", "demo", "--group", "web*"}, machines: 4, groups: 2, requests: 1 + 3 + 2 + 4*2},
		{flags: []string{"--account", "demo", "--name", "*-a"}, machines: 3, groups: 3, requests: 1 + 3 + 3*2},
		{flags: []string{"--account", "demo", "--reverse-names=false"}, machines: 6, groups: 5, requests: 1 + 3},
	} {
		e.ResetJournal()
		r := adoptInto(t, e, append(test.flags, "--flat")...)
		all := r.all()
		machines, groups := strings.Count(all, `resource "cloudserver_vm"`), strings.Count(all, `resource "cloudserver_group"`)
		if machines != test.machines || groups != test.groups || len(e.AllCalls()) != test.requests || len(e.Calls()) > 0 || r.err != nil {
			t.Errorf("%q: %d machines, %d groups, %v, and %d requests: %q", test.flags, machines, groups, r.err, len(e.AllCalls()), e.AllCalls())
		}
	}
	for want, flags := range map[string][]string{
		`--account "dmeo" matches no account; these credentials see: demo, other. Did you mean demo? It is a pattern for the whole name`: {"--account", "dmeo"},
		`--account "nobody" matches no account; these credentials see: demo, other. It is a pattern`:                                     {"--account", "nobody"},
		`--group "shpo" matches no group; the selected accounts have: `:                                                                  {"--group", "shpo"},
		`--name "web1-aa" matches no machine of the selected groups; the selected accounts have: `:                                       {"--name", "web1-aa"},
		`--name is "^web.*", and no name contains ^. It is a pattern for the whole name with *, ? and [a-c], and no regular expression`:  {"--name", "^web.*"},
		`the selected accounts have: db-a, db-b, web-2-a, web-2-b, web-a, web-b. It is a pattern`:                                        {"--group", "db", "--name", "web-a"},
		`--group is "(a|b)", and no name contains |.`:                                                                                    {"--group", "(a|b)"},
	} {
		if r := adoptInto(t, e, flags...); r.err == nil || !strings.Contains(r.err.Error(), want) || len(r.files) > 0 {
			t.Errorf("%q: %v, and files %v", flags, r.err, r.files)
		}
	}
}

// TestSoftDeletedMachines: they are listed with their accounts, and not written. Their absence is no failure.
func TestSoftDeletedMachines(t *testing.T) {
	setEnvironment(t, "demo")
	e := newService(t)
	e.AddMachine("demo", "default", machineNamed("web1"))
	id := e.AddMachine("demo", "default", machineNamed("old"))
	e.SoftDelete(id)
	want := fmt.Sprintf("- virtual machine \"old\" of group \"default\", account \"demo\" (ID %d)\n", id)
	for pattern, listed := range map[string]bool{"*": true, "old": true, "web*": false} {
		r := adoptInto(t, e, "--name", pattern)
		if pattern == "old" && r.err != nil {
			r.out, r.err = r.err.Error()+"\n", nil
		}
		if strings.Contains(r.out, want) != listed || strings.Contains(r.all(), `"old"`) || r.err != nil {
			t.Errorf("%s: %v\n%s\n%s", pattern, r.err, r.out, r.all())
		}
	}
}

// TestWhatCannotBeRead: objects that cannot be read are listed and the exit status is 1, but the others are written.
func TestWhatCannotBeRead(t *testing.T) {
	setEnvironment(t, "demo")
	e := newService(t)
	e.AddAccount("other", false)
	e.AddMachine("demo", "default", machineNamed("web1"))
	e.Inject(emulator.Fault{Match: func(r emulator.Request) bool { return strings.HasPrefix(r.Path, "/accounts/other") }, Status: http.StatusForbidden})
	e.Inject(emulator.Fault{Match: func(r emulator.Request) bool { return strings.HasPrefix(r.Path, "/ips/2001") }, Status: http.StatusForbidden})
	r := adoptInto(t, e)
	coded, ok := r.err.(interface{ ExitCode() int })
	if !ok || coded.ExitCode() != 1 || r.err.Error() != "" {
		t.Errorf("the error is %v", r.err)
	}
	for _, want := range []string{"Could not read:", "groups of account other: ", "machines of account other: ", "/ips/2001", "403"} {
		if !strings.Contains(r.errors, want) {
			t.Errorf("%q is not in\n%s", want, r.errors)
		}
	}
	if !strings.Contains(r.all(), `"web1"`) || !strings.Contains(r.out, "1 machine,") {
		t.Errorf("what could be read is not written:\n%s", r.out)
	}
}

// TestDirectoryIsNotEmpty: the directory is refused before any request is sent.
func TestDirectoryIsNotEmpty(t *testing.T) {
	setEnvironment(t, "demo")
	e := newService(t)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "main.tf"), []byte("# mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := runCommand(t, e.Transport(), dir)
	if r.err == nil || !strings.Contains(r.err.Error(), "is not empty") || len(e.AllCalls()) > 0 || len(r.files) != 1 || r.files["main.tf"] != "# mine" {
		t.Errorf("%v, files %v, requests %v", r.err, r.files, e.AllCalls())
	}
}

// TestInterrupt: nothing is written.
func TestInterrupt(t *testing.T) {
	setEnvironment(t, "demo")
	e := newService(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := runCommandIn(ctx, t, e.Transport(), filepath.Join(t.TempDir(), "estate"))
	if !errors.Is(r.err, context.Canceled) || len(r.files) > 0 {
		t.Errorf("%v, files %v", r.err, r.files)
	}
}

// TestRelativePaths: the commands for another directory set what the environment names relative to the current one.
func TestRelativePaths(t *testing.T) {
	here := t.TempDir()
	t.Chdir(here)
	setEnvironment(t, "demo")
	t.Setenv("CLOUDSERVER_ENDPOINT", "emulator:a b.json?boot-time=0s")
	t.Setenv("CLOUDSERVER_TOKEN", "")
	t.Setenv("CLOUDSERVER_CA_CERTIFICATE", "/etc/ca.pem")
	factory := provider.New("1.4.2", provider.WithEmulator(provider.Emulator{Open: worldfile.Serve, Account: worldfile.Account, Domain: worldfile.Domain}))
	run := func(arguments ...string) string {
		flags := pflag.NewFlagSet("", pflag.ContinueOnError)
		adopter := adopt.Register(flags)
		if err := flags.Parse(arguments); err != nil {
			t.Fatal(err)
		}
		var out, said bytes.Buffer
		if err := adopter.Run(t.Context(), flags.Args(), factory, "1.4.2", command.Streams{Out: &out, Err: &said}); err != nil {
			t.Fatalf("%q: %v\n%s", arguments, err, said.String())
		}
		return out.String()
	}
	world := "export CLOUDSERVER_ENDPOINT='emulator:" + filepath.Join(here, "a b.json") + "?boot-time=0s'"
	if out := run("estate"); !strings.Contains(out, world) || strings.Contains(out, "ca.pem") {
		t.Errorf("got\n%s\nwant %s", out, world)
	}
	t.Setenv("CLOUDSERVER_ENDPOINT", "emulator:"+filepath.Join(here, "a b.json"))
	t.Setenv("CLOUDSERVER_TOKEN_FILE", "token")
	if out := run("absolute"); strings.Contains(out, "export CLOUDSERVER_ENDPOINT") || !strings.Contains(out, "export CLOUDSERVER_TOKEN_FILE="+filepath.Join(here, "token")) {
		t.Errorf("an absolute path: %s", out)
	}
}
