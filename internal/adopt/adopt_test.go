// SPDX-License-Identifier: MPL-2.0

package adopt_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/spf13/pflag"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/adopt"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/cmd"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
)

func TestMain(m *testing.M) { acctest.Main(m) }

// result is what a run printed and wrote.
type result struct {
	out, problems string
	files         map[string]string
	err           error
}

func (r result) all() string {
	var all strings.Builder
	for _, text := range r.files {
		all.WriteString(text)
	}
	return all.String()
}

// run runs the command with an emulator in memory.
func run(ctx context.Context, t *testing.T, e *acctest.Emulator, dir string, arguments ...string) result {
	t.Helper()
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	command := adopt.Register(flags)
	if err := flags.Parse(arguments); err != nil {
		t.Fatal(err)
	}
	server, err := provider.NewServer(provider.New("1.4.2", provider.WithTransport(e.Transport()))())
	if err != nil {
		t.Fatal(err)
	}
	environment := func() (cloudserver.Config, string, string, error) {
		config := cloudserver.Config{Endpoint: "http://127.0.0.1", Token: emulator.DemoAPIKey, Transport: e.Transport()}
		return config, os.Getenv("CLOUDSERVER_ACCOUNT"), "", nil
	}
	var out, problems strings.Builder
	err = command.Run(ctx, dir, server, environment, "1.4.2", cmd.Streams{Out: &out, Err: &problems})
	r := result{out.String(), problems.String(), map[string]string{}, err}
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	for _, name := range files {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		r.files[filepath.Base(name)] = string(content)
	}
	return r
}

func adoptInto(t *testing.T, e *acctest.Emulator, arguments ...string) result {
	t.Helper()
	return run(t.Context(), t, e, filepath.Join(t.TempDir(), "estate"), arguments...)
}

// start starts an emulator, and names it in the environment, with a default account.
func start(t *testing.T, account string) *acctest.Emulator {
	t.Helper()
	t.Setenv("CLOUDSERVER_ENDPOINT", "http://127.0.0.1")
	t.Setenv("CLOUDSERVER_TOKEN", emulator.DemoAPIKey)
	t.Setenv("CLOUDSERVER_ACCOUNT", account)
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

// TestAdopt: a group is a file, with references from machines to it, and from schedules and reverse names to machines.
// Nothing is sent that changes anything.
func TestAdopt(t *testing.T) {
	e := start(t, "demo")
	m := machineNamed("web1")
	m.Interfaces = []emulator.Interface{{MAC: "52:54:00:00:00:01", IPs: []string{"203.0.113.7", "2001:db8::7", "198.51.100.7"}}}
	daily := emulator.BackupSchedule{StartAt: "2030-01-06 04:00:00", IntervalSeconds: 86400, Capacity: 4}
	m.Discs[0].Backups = &emulator.Backups{Schedules: []emulator.BackupSchedule{daily}}
	id := e.AddMachine("demo", "default", m)
	d := e.NewDriver(t, nil)
	for address, name := range map[string]string{"203.0.113.7": "www.example.com", "198.51.100.7": "mail.example.com"} {
		d.MustApply(t.Context(), "cloudserver_rdns", nil, map[string]any{"address": address, "hostname": name})
	}
	e.ResetJournal()
	r := adoptInto(t, e)
	const want = `resource "cloudserver_group" "default" {
  name = "default"
}

# web1.default.demo.cluster.example 203.0.113.7 2001:db8::7
resource "cloudserver_vm" "web1" {
  name             = "web1"
  group            = cloudserver_group.default.name
  cores            = 2
  memory           = 4096
  hardware_profile = "virtio2013"
  zone_name        = "york"

  disc {
    label         = "vda"
    size          = 25600
    storage_grade = "ssd"
  }

  reimage {
    distribution = "bookworm"
  }
}

resource "cloudserver_backup_schedule" "web1_vda" {
  virtual_machine_id = cloudserver_vm.web1.id
  disc_id            = cloudserver_vm.web1.disc_ids["vda"]
  start_at           = "2030-01-06T04:00:00Z"
  interval_seconds   = 86400
  capacity           = 4
}

resource "cloudserver_rdns" "www_example_com" {
  address  = cloudserver_vm.web1.ipv4_address
  hostname = "www.example.com"
}

resource "cloudserver_rdns" "mail_example_com" {
  address  = "198.51.100.7"
  hostname = "mail.example.com"
}
`
	if got := r.files["default.tf"]; got != want || r.err != nil {
		t.Errorf("%v; got\n%s\nwant\n%s", r.err, got, want)
	}
	acctest.ExpectCalls(t, e)
	block := fmt.Sprintf("import {\n  to = cloudserver_vm.web1\n  id = \"%d\"\n}\n", id)
	if imports := r.files["imports.tf"]; strings.Count(imports, "import {") != 6 || !strings.Contains(imports, block) {
		t.Errorf("imports.tf has not six blocks, one of them\n%s\n%s", block, imports)
	}
	if !strings.Contains(r.files["terraform.tf"], `version = "~> 1.4"`) || strings.Contains(r.files["provider.tf"], "account") {
		t.Errorf("%s\n%s", r.files["terraform.tf"], r.files["provider.tf"])
	}
	if !strings.Contains(r.out, "(groups: 2, machines: 1, backup schedules: 1, reverse names: 2)") {
		t.Error(r.out)
	}
}

// TestNames: groups and machines of several accounts with the same name get that of their account, other names that would
// clash a number, and names with other characters are made safe.
func TestNames(t *testing.T) {
	e := start(t, "")
	e.AddAccount("other", false)
	e.AddGroup("demo", "x-override", false)
	e.AddGroup("demo", "provider", false)
	for _, at := range [][2]string{{"demo", "default"}, {"demo", "x-override"}, {"other", "default"}} {
		for _, name := range []string{"db-1", "1db"} {
			e.AddMachine(at[0], at[1], machineNamed(name))
		}
	}
	r := adoptInto(t, e, "--reverse-names=false")
	blocks := map[string]bool{}
	for name, text := range r.files {
		file, diags := hclsyntax.ParseConfig([]byte(text), name, hcl.InitialPos)
		if diags.HasErrors() {
			t.Fatalf("%s: %s\n%s", name, diags, text)
		}
		for _, block := range file.Body.(*hclsyntax.Body).Blocks {
			blocks[strings.Join(block.Labels, ".")] = true
		}
	}
	for _, want := range []string{
		"cloudserver_group.default_demo", "cloudserver_group.default_other", "cloudserver_group.x_override",
		"cloudserver_vm.db_1_demo", "cloudserver_vm.db_1_demo_2", "cloudserver_vm.db_1_other", "cloudserver_vm._1db_demo",
	} {
		if !blocks[want] {
			t.Errorf("there is no %s", want)
		}
	}
	for _, file := range []string{"default-demo.tf", "default-other.tf", "x-override.tf", "provider-2.tf", "provider.tf"} {
		if r.files[file] == "" {
			t.Errorf("there is no file %s", file)
		}
	}
	named := strings.Count(r.all(), "\n  account ")
	if r.err != nil || named != strings.Count(r.all(), "resource \"") || strings.Contains(r.files["provider.tf"], "account") {
		t.Errorf("%v: with two accounts, %d resources name theirs", r.err, named)
	}
}

// TestOneAccount: the only account is written once, unless the environment names it.
func TestOneAccount(t *testing.T) {
	for environment, want := range map[string]bool{"": true, "demo": false} {
		e := start(t, environment)
		r := adoptInto(t, e)
		inProvider := strings.Contains(r.files["provider.tf"], `account = "demo"`)
		if inProvider != want || strings.Contains(r.files["default.tf"], "account") || r.err != nil {
			t.Errorf("CLOUDSERVER_ACCOUNT=%q: %v\n%s", environment, r.err, r.all())
		}
	}
}

// TestSelection: patterns limit what is written.
func TestSelection(t *testing.T) {
	e := start(t, "demo")
	e.AddAccount("other", false)
	for _, group := range []string{"web", "web-2", "db"} {
		e.AddGroup("demo", group, false)
		e.AddMachine("demo", group, machineNamed(group+"-a"))
		e.AddMachine("demo", group, machineNamed(group+"-b"))
	}
	for _, test := range []struct {
		flags            []string
		groups, machines int
	}{
		{nil, 6, 6},
		{[]string{"--account", "dem?"}, 5, 6},
		{[]string{"--group", "web*"}, 2, 4},
		{[]string{"--name", "*-a"}, 3, 3},
		{[]string{"--group", "web", "--name", "*-b"}, 1, 1},
	} {
		r := adoptInto(t, e, test.flags...)
		all := r.all()
		groups, machines := strings.Count(all, `resource "cloudserver_group"`), strings.Count(all, `resource "cloudserver_vm"`)
		if groups != test.groups || machines != test.machines || r.err != nil {
			t.Errorf("%q: %d groups, %d machines, %v", test.flags, groups, machines, r.err)
		}
	}
	for want, flags := range map[string][]string{
		"no account matches; these credentials see: demo, other": {"--account", "dmeo"},
		"nothing was written":            {"--group", "shop"},
		`--name "web[" is not a pattern`: {"--name", "web["},
		`write "$HOME/state.json"`:       {"--except", "~/state.json"},
		"--except: open no-such.json":    {"--except", "no-such.json"},
	} {
		if r := adoptInto(t, e, flags...); r.err == nil || !strings.Contains(r.err.Error(), want) || len(r.files) > 0 {
			t.Errorf("%q: %v, and files %v", flags, r.err, r.files)
		}
	}
}

// TestPatternsAreGivenOnce: of two patterns, the first is not dropped silently.
func TestPatternsAreGivenOnce(t *testing.T) {
	flags := pflag.NewFlagSet("adopt", pflag.ContinueOnError)
	adopt.Register(flags)
	err := flags.Parse([]string{"--group", "shop", "--group", "wiki"})
	if err == nil || !strings.Contains(err.Error(), `both "shop" and "wiki"`) {
		t.Error(err)
	}
}

// TestExcept: what a state has, in any module, is left out; a machine that is left keeps its group by name. If nothing is
// left, nothing is written.
func TestExcept(t *testing.T) {
	e := start(t, "demo")
	m := machineNamed("web1")
	m.Interfaces = []emulator.Interface{{MAC: "52:54:00:00:00:01", IPs: []string{"2001:db8::7"}}}
	m.Discs[0].Backups = &emulator.Backups{Schedules: []emulator.BackupSchedule{{StartAt: "2030-01-06 04:00:00", IntervalSeconds: 86400, Capacity: 4}}}
	web1, web2 := e.AddMachine("demo", "default", m), e.AddMachine("demo", "default", machineNamed("web2"))
	e.NewDriver(t, nil).MustApply(t.Context(), "cloudserver_rdns", nil, map[string]any{"address": "2001:db8::7", "hostname": "www.example.com"})
	machine, _ := e.Machine(web1)
	disc := machine.Discs[0]
	state := fmt.Sprintf(`{"format_version":"1.0","values":{"root_module":{
		"resources":[
			{"mode":"managed","type":"cloudserver_vm","values":{"id":"%d"}},
			{"mode":"data","type":"cloudserver_vm","values":{"id":"%d"}},
			{"mode":"managed","type":"null_resource","values":{}}],
		"child_modules":[{"child_modules":[{"resources":[
			{"mode":"managed","type":"cloudserver_group","values":{"id":"%d"}},
			{"mode":"managed","type":"cloudserver_rdns","values":{"address":"2001:DB8:0::7"}},
			{"mode":"managed","type":"cloudserver_backup_schedule","values":{"virtual_machine_id":"%d","disc_id":"%d","id":"%d"}}
		]}]}]}}}`, web1, web2, machine.GroupID, web1, disc.ID, disc.Backups.Schedules[0].ID)
	file := func(content string) string {
		name := filepath.Join(t.TempDir(), "state.json")
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return "--except=" + name
	}
	r := adoptInto(t, e, "--group=default", file(state))
	config := r.files["default.tf"]
	if r.err != nil || strings.Count(config, `resource "`) != 1 || !strings.Contains(config, `"web2"`) || !strings.Contains(r.out, "(groups: 0, machines: 1, ") {
		t.Errorf("%v\n%s\n%s", r.err, r.out, config)
	}
	r = adoptInto(t, e, "--name=web1", file(state))
	if r.err != nil || !strings.Contains(r.out, "has all that matches (4)") || len(r.files) > 0 {
		t.Errorf("%v, %s, %v", r.err, r.out, r.files)
	}
	for _, content := range []string{"", "{}", `{"format_version":"1.2","planned_values":{}}`} {
		if r := adoptInto(t, e, file(content)); r.err == nil || !strings.Contains(r.err.Error(), "terraform show -json") || len(r.files) > 0 {
			t.Errorf("%q: %v", content, r.err)
		}
	}
}

// TestWhatIsLeftOut: soft-deleted machines are listed. What cannot be read is an error, but the rest is written.
func TestWhatIsLeftOut(t *testing.T) {
	e := start(t, "demo")
	e.AddAccount("other", false)
	e.AddMachine("demo", "default", machineNamed("web1"))
	e.SoftDelete(e.AddMachine("demo", "default", machineNamed("old")))
	r := adoptInto(t, e)
	if !strings.Contains(r.out, "- old in group default, account demo (ID ") || strings.Contains(r.all(), `"old"`) || r.err != nil {
		t.Errorf("%v\n%s", r.err, r.out)
	}
	r = adoptInto(t, e, "--name", "old")
	if r.err == nil || !strings.Contains(r.problems, "- old in group default") || len(r.files) > 0 {
		t.Errorf("%v\n%s", r.err, r.problems)
	}
	hidden := func(r emulator.Request) bool { return strings.HasPrefix(r.Path, "/accounts/other") }
	e.Inject(emulator.Fault{Match: hidden, Status: http.StatusForbidden})
	r = adoptInto(t, e)
	if cmd.ExitStatus(r.err) != 1 || !strings.Contains(r.problems, "- groups of account other: ") || !strings.Contains(r.all(), `"web1"`) {
		t.Errorf("%v\n%s", r.err, r.problems)
	}
}

// TestRefused: a machine that Terraform would refuse is left out. What belongs to it is written, without a reference.
func TestRefused(t *testing.T) {
	e := start(t, "demo")
	m := machineNamed("web1")
	daily := emulator.BackupSchedule{StartAt: "2030-01-06 04:00:00", IntervalSeconds: 86400, Capacity: 4}
	twin := emulator.Disc{Label: "vda", Size: 25600, Backups: &emulator.Backups{Schedules: []emulator.BackupSchedule{daily}}}
	m.Discs = append(m.Discs, twin)
	id := e.AddMachine("demo", "default", m)
	r := adoptInto(t, e)
	refused := fmt.Sprintf(`- cloudserver_vm "web1" (import ID %d): `, id)
	if cmd.ExitStatus(r.err) != 1 || !strings.Contains(r.problems, refused) || strings.Contains(r.all(), `"cloudserver_vm"`) {
		t.Errorf("%v\n%s", r.err, r.problems)
	}
	if schedule := fmt.Sprintf(`virtual_machine_id = "%d"`, id); !strings.Contains(r.all(), schedule) {
		t.Errorf("no schedule has %s:\n%s", schedule, r.all())
	}
}

// TestNothingIsOverwritten: a directory that is not empty is refused before any request, and after an interrupt nothing
// is written.
func TestNothingIsOverwritten(t *testing.T) {
	e := start(t, "demo")
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "main.tf"), []byte("# mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := run(t.Context(), t, e, dir)
	if r.err == nil || !strings.Contains(r.err.Error(), "is not empty") || len(e.AllCalls()) > 0 || r.files["main.tf"] != "# mine" {
		t.Errorf("%v, files %v, requests %v", r.err, r.files, e.AllCalls())
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r = run(ctx, t, e, filepath.Join(t.TempDir(), "estate"))
	if !errors.Is(r.err, context.Canceled) || len(r.files) > 0 {
		t.Errorf("%v, files %v", r.err, r.files)
	}
}
