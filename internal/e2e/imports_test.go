package e2e_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// tool runs one of the program's commands in the workspace, and returns its output.
func (e *estate) tool(arguments ...string) (string, error) {
	e.t.Helper()
	program, err := buildProvider()
	if err != nil {
		e.t.Fatal(err)
	}
	command := exec.CommandContext(e.t.Context(), program, arguments...)
	command.Dir, command.Env = e.dir, e.env
	output, err := command.CombinedOutput()
	return string(output), err
}

// imports runs the command imports on the CLI of the tests. It must end as wanted, leave no plan behind, and say all of
// the texts.
func (e *estate) imports(fails bool, want []string, arguments ...string) (output string) {
	e.t.Helper()
	output, err := e.tool(append([]string{"imports", "--cli", acctest.CLI()}, arguments...)...)
	if (err != nil) != fails {
		e.t.Fatalf("imports: %v\n%s", err, output)
	}
	for _, text := range want {
		if !strings.Contains(output, text) {
			e.t.Errorf("imports does not say %q:\n%s", text, output)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(e.path("tmp"), "*")); len(left) > 0 {
		e.t.Errorf("left behind: %v", left)
	}
	return output
}

// newImports prepares an estate whose temporary files can be counted.
func newImports(t *testing.T, service *acctest.Emulator) *estate {
	e := newEstate(t, service)
	if err := os.Mkdir(e.path("tmp"), 0o700); err != nil {
		t.Fatal(err)
	}
	e.env = append(e.env, "TMPDIR="+e.path("tmp"))
	return e
}

// loses removes files of the workspace.
func (e *estate) loses(names ...string) {
	e.t.Helper()
	for _, name := range names {
		if err := os.RemoveAll(e.path(name)); err != nil {
			e.t.Fatal(err)
		}
	}
}

// TestImports: the states of two workspaces with 44 objects are lost. Each is rebuilt with its own objects, whatever the
// configuration takes its values from, and nothing is sent.
func TestImports(t *testing.T) {
	t.Parallel()
	service := acctest.StartEmulator(t, emulator.Options{})
	service.AddAccount("other", false)
	service.AddUser("other", "other")
	service.RestrictUser("other", "other")
	service.RestrictUser(emulator.DemoUser, emulator.DemoAccount)
	service.AddAPIKey("apikey.other", "other")
	e := newImports(t, service)
	if err := os.CopyFS(e.dir, os.DirFS("testdata/imports")); err != nil {
		t.Fatal(err)
	}
	shared := newRemoteState(t)
	shared.put(t, "/shared", "testdata/imports/shared.json")
	tiers := `='-var=tiers=["x","y"]'`
	e.env = append(e.env, "TF_VAR_memory=1024", "TF_VAR_shared="+shared.URL+"/shared", "TF_VAR_other_token=apikey.other", "TF_CLI_ARGS_plan"+tiers, "TF_CLI_ARGS_apply"+tiers)
	e.must("init")
	tracked := map[string]string{}
	workspaces := []string{"prod", "test"}
	general := e.env
	chosen := func(workspace string) { // by a variable, or by the file that select writes
		if e.env = append(general, "TF_WORKSPACE="+workspace); workspace == "test" {
			e.env = general
		}
	}
	e.must("workspace", "new", "test")
	for _, workspace := range workspaces {
		chosen(workspace)
		e.must("apply", "-auto-approve", "-var-file=names.tfvars", "-target=cloudserver_vm.node")
		e.must("apply", "-auto-approve", "-var-file=names.tfvars")
		tracked[workspace] = e.must("state", "list")
	}
	e.loses("terraform.tfstate.d")
	service.AddMachine(emulator.DemoAccount, "prod-web", emulator.Machine{Name: "stranger"})
	service.ResetJournal()
	for _, workspace := range workspaces {
		chosen(workspace)
		output := e.imports(false, []string{
			"Plan 3 found nothing new", "22 objects in the workspace \"" + workspace + "\"", "22 to import, 0 to add, 1 to change, 0 to destroy",
			`virtual machine "node-small" of group "` + workspace + `-blue", account "demo"`, "apply -var-file=names.tfvars",
		}, "--", "-var-file=names.tfvars")
		if stranger := strings.Contains(output, `virtual machine "stranger" of group "prod-web", account "demo"`); stranger != (workspace == "prod") {
			t.Errorf("a machine in no block of workspace %s: %t\n%s", workspace, stranger, output)
		}
		e.must("fmt", "-check", "-diff", "imports.tf")
		text, err := os.ReadFile(e.path("imports.tf"))
		if other := workspaces[1]; err != nil || workspace == "prod" && strings.Contains(string(text), other) {
			t.Errorf("%v: the other workspace is in\n%s", err, text)
		}
		if output := e.must("apply", "-auto-approve", "-var-file=names.tfvars"); !strings.Contains(output, "22 imported, 0 added, 1 changed, 0 destroyed") {
			t.Errorf("the apply of the imports:\n%s", output)
		}
		if now := e.must("state", "list"); now != tracked[workspace] {
			t.Errorf("before\n%s\nand now\n%s", tracked[workspace], now)
		}
		e.loses("imports.tf")
		e.must("plan", "-detailed-exitcode", "-var-file=names.tfvars")
	}
	acctest.ExpectCalls(t, service)
}

// remoteState is a server of Terraform's backend http.
type remoteState struct {
	*httptest.Server

	mu     sync.Mutex
	states map[string][]byte
	locked map[string]bool
}

func newRemoteState(t *testing.T) *remoteState {
	r := &remoteState{states: map[string][]byte{}, locked: map[string]bool{}}
	r.Server = httptest.NewServer(r)
	t.Cleanup(r.Close)
	return r
}

// put stores a state.
func (r *remoteState) put(t *testing.T, path, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.states[path] = text
}

// lose removes a state. It reports whether there was one, and nobody holds its lock.
func (r *remoteState) lose(path string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, there := r.states[path]
	delete(r.states, path)
	return there && !r.locked[path]
}

func (r *remoteState) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	path := request.URL.Path
	switch request.Method {
	case "LOCK":
		if r.locked[path] {
			w.WriteHeader(http.StatusLocked)
			return
		}
		r.locked[path] = true
	case "UNLOCK":
		delete(r.locked, path)
	case http.MethodPost:
		r.states[path], _ = io.ReadAll(request.Body)
	default:
		state, ok := r.states[path]
		if !ok {
			w.WriteHeader(http.StatusNotFound)
		}
		_, _ = w.Write(state)
	}
}

// TestImportsRemoteState: the state is in a backend that locks. It is rebuilt there, and no lock is left.
func TestImportsRemoteState(t *testing.T) {
	t.Parallel()
	service := acctest.StartEmulator(t, emulator.Options{})
	remote := newRemoteState(t)
	e := newImports(t, service)
	for _, name := range []string{"address", "lock_address", "unlock_address"} {
		e.env = append(e.env, "TF_HTTP_"+strings.ToUpper(name)+"="+remote.URL+"/web")
	}
	e.write("main.tf", requirement+"terraform {\n  backend \"http\" {}\n}\n"+service.ProviderBlock()+
		machineBlock("web", "  count = 2\n  name  = \"web${count.index}\"\n  group = cloudserver_group.web.name")+"resource \"cloudserver_group\" \"web\" {\n  name = \"web\"\n}\n")
	e.must("init")
	e.must("apply", "-auto-approve")
	if !remote.lose("/web") {
		t.Fatal("there is no state, or a lock")
	}
	service.ResetJournal()
	e.imports(false, []string{"import blocks for 3 objects", "3 to import, 0 to add, 0 to change, 0 to destroy"})
	e.must("apply", "-auto-approve")
	e.loses("imports.tf")
	e.must("plan", "-detailed-exitcode")
	if !remote.lose("/web") {
		t.Error("the state is not rebuilt, or a lock is left")
	}
	acctest.ExpectCalls(t, service)
}

// machineBlock returns a machine with a disc.
func machineBlock(name, arguments string) string {
	return fmt.Sprintf("resource \"cloudserver_vm\" %q {\n%s\n  disc {\n    label = \"vda\"\n    size  = 25600\n  }\n}\n", name, arguments)
}

// TestImportsLists: what needs a decision is listed and not imported, also if the first plan fails.
func TestImportsLists(t *testing.T) {
	t.Parallel()
	service := acctest.StartEmulator(t, emulator.Options{})
	for _, name := range []string{"web1", "twice", "deleted", "unknown", "moved"} {
		id := service.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{
			Name: name, Cores: 1, Memory: 1024, Discs: []emulator.Disc{{Label: "vda", Size: 25600, StorageGrade: "sata"}},
		})
		if name == "deleted" {
			service.SoftDelete(id)
		}
	}
	e := newImports(t, service)
	// The root module has another name for the provider.
	renamed := func(blocks string) string {
		blocks = strings.Replace(strings.Replace(blocks, "    cloudserver = ", "    cs = ", 1), "provider \"cloudserver\"", "provider \"cs\"", 1)
		for _, block := range []string{"\"cloudserver_vm\"", "\"cloudserver_rdns\""} {
			blocks = regexp.MustCompile(`(?m)^((resource|data) `+block+`.*)$`).ReplaceAllString(blocks, "$1\n  provider = cs")
		}
		return blocks
	}
	blocks := requirement + service.ProviderBlock() + "resource \"terraform_data\" \"foreign\" {\n  input = \"a\"\n}\n"
	e.write("main.tf", renamed(requirement+service.ProviderBlock()+machineBlock("old", `  name = "moved"`)+"import {\n  provider = cs\n  to = cloudserver_vm.old\n  id = \"default/moved\"\n}\n"))
	e.must("init")
	e.must("apply", "-auto-approve")
	for name, arguments := range map[string]string{
		"web": `name = "web1"`, "one": `name = "twice"`, "two": `name = "twice"`, "deleted": `name = "deleted"`, "absent": `name = "absent"`,
		"unknown": `name = terraform_data.foreign.output`, "old": `name = "moved"`, "new": `name = "moved"`,
	} {
		blocks += machineBlock(name, "  "+arguments+"\n  memory = 1024\n  cores = 1")
	}
	// What depends on the import of a machine through a data source: the first plan fails.
	blocks += "data \"cloudserver_vm\" \"web\" {\n  name = \"web1\"\n  depends_on = [cloudserver_vm.web]\n}\n" +
		"resource \"cloudserver_rdns\" \"each\" {\n  for_each = toset([data.cloudserver_vm.web.ipv4_address])\n  address = each.key\n  hostname = \"a.example.com\"\n}\n"
	e.write("main.tf", renamed(blocks))
	service.ResetJournal()
	output := e.imports(true, []string{
		"Wrote imports.tf with import blocks for 1 object in the workspace \"default\"", `- cloudserver_vm.web: virtual machine "web1" of group "default", account "demo" (import ID `,
		`- cloudserver_vm.deleted: virtual machine "deleted" of group "default", account "demo" (ID `, "Undelete each first",
		"- cloudserver_vm.one: ", "which cloudserver_vm.one and cloudserver_vm.two describe", "- cloudserver_vm.two: ",
		"- cloudserver_vm.new: ", "which the state has as cloudserver_vm.old", "- cloudserver_vm.unknown: name is known only after apply",
		"- cloudserver_vm.absent: ", "- terraform_data.foreign\n", "Plan 2 found nothing new",
	})
	if text, err := os.ReadFile(e.path("imports.tf")); err != nil || strings.Count(string(text), "import {") != 1 {
		t.Errorf("%v\n%s", err, text)
	}
	if strings.Contains(output, "- cloudserver_vm.old:") {
		t.Errorf("an object of the state is listed:\n%s", output)
	}
	e.imports(true, []string{"never overwritten"})

	// A plan that fails although everything was found: the file is taken away.
	e.loses("imports.tf")
	e.write("broken.tf", "resource \"terraform_data\" \"broken\" {\n  lifecycle {\n    precondition {\n      condition = terraform.workspace == \"prod\"\n      error_message = \"not here\"\n    }\n  }\n}\n")
	e.imports(true, []string{"imports.tf is removed again", `cloudserver_vm.web: virtual machine "web1"`, "plan 2 failed"})
	if _, err := os.Stat(e.path("imports.tf")); err == nil {
		t.Error("imports.tf is still there")
	}
	acctest.ExpectCalls(t, service)
}

// TestImportsChain: each plan finds one more group, and there are more groups than plans. If the last plan fails, its
// find does not count either.
func TestImportsChain(t *testing.T) {
	t.Parallel()
	service := acctest.StartEmulator(t, emulator.Options{})
	e := newImports(t, service)
	blocks := requirement + service.ProviderBlock()
	for i, name := range []string{"chain", "c-${data.cloudserver_group.g0.id}", "c-${data.cloudserver_group.g1.id}", "c-${data.cloudserver_group.g2.id}", "c-${data.cloudserver_group.g3.id}"} {
		blocks += fmt.Sprintf("resource \"cloudserver_group\" \"g%d\" {\n  name = \"%s\"\n}\ndata \"cloudserver_group\" \"g%[1]d\" {\n  name       = cloudserver_group.g%[1]d.name\n  depends_on = [cloudserver_group.g%[1]d]\n}\n", i, name)
	}
	e.write("main.tf", blocks)
	e.must("init")
	e.must("apply", "-auto-approve")
	e.loses("terraform.tfstate")
	service.ResetJournal()
	e.imports(true, []string{
		"Plan 4 found 1 more existing object", "import blocks for 4 objects", "Each of 4 plans has found more, so there may be still more",
		"- cloudserver_group.g4: name is known only after apply",
	})
	e.loses("imports.tf")
	e.write("broken.tf", "resource \"terraform_data\" \"broken\" {\n  lifecycle {\n    precondition {\n      condition     = terraform.workspace == \"prod\"\n      error_message = \"not here\"\n    }\n  }\n}\n")
	e.imports(true, []string{"plan 4 failed", "imports.tf is removed again", "The plans found 4 objects"})
	if _, err := os.Stat(e.path("imports.tf")); err == nil {
		t.Error("imports.tf is still there")
	}
	acctest.ExpectCalls(t, service)
}

// TestImportsInterrupted: a signal during the second plan ends the CLI, and leaves neither a plan nor imports.tf. The
// second signal ends a CLI that ignores the first.
func TestImportsInterrupted(t *testing.T) {
	t.Parallel()
	for name, plan := range map[string]string{
		"once":  "kill -INT $PPID; exec sleep 60",
		"twice": "trap '' INT; while sleep 0.2; do kill -INT $PPID; done",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service := acctest.StartEmulator(t, emulator.Options{})
			service.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "web1", Discs: []emulator.Disc{{Label: "vda", Size: 25600}}})
			e := newImports(t, service)
			e.write("main.tf", requirement+service.ProviderBlock()+machineBlock("web", `  name = "web1"`))
			e.must("init")
			e.write("cli", fmt.Sprintf("#!/bin/sh\nif [ \"$1\" = plan ] && [ -e imports.tf ]; then\n  %s\nfi\nexec %q \"$@\"\n", plan, acctest.CLI()))
			output, err := e.tool("imports", "--cli", e.path("cli"))
			if err == nil || !strings.Contains(output, "plan 2 failed: interrupted\nimports.tf is removed again") || !strings.Contains(output, `cloudserver_vm.web: virtual machine "web1" of group "default", account "demo"`) {
				t.Errorf("%v\n%s", err, output)
			}
			left, _ := filepath.Glob(e.path("tmp/*"))
			if _, err := os.Stat(e.path("imports.tf")); err == nil || len(left) > 0 {
				t.Errorf("left behind: imports.tf %v, %v", err, left)
			}
		})
	}
}

// TestImportsElsewhere: the plan was made elsewhere. What has credentials of its own is not looked for.
func TestImportsElsewhere(t *testing.T) {
	t.Parallel()
	service := acctest.StartEmulator(t, emulator.Options{})
	service.AddGroup(emulator.DemoAccount, "web", false)
	for _, name := range []string{"web1", "mine"} {
		service.AddMachine(emulator.DemoAccount, "web", emulator.Machine{Name: name, Discs: []emulator.Disc{{Label: "vda", Size: 25600}}})
	}
	e := newImports(t, service)
	alias := fmt.Sprintf("provider \"cloudserver\" {\n  account = \"demo\"\n}\nprovider \"cloudserver\" {\n  alias = \"own\"\n  account = \"demo\"\n  token = %q\n}\n", emulator.DemoAPIKey)
	e.write("main.tf", requirement+alias+"resource \"cloudserver_group\" \"web\" {\n  name = \"web\"\n}\n"+
		machineBlock("named", "  name = \"web1\"\n  group = cloudserver_group.web.name")+
		machineBlock("own", "  provider = cloudserver.own\n  name = \"mine\"\n  group = \"web\"")+
		machineBlock("later", "  name = \"mine\"\n  group_id = cloudserver_group.web.id"))
	e.must("init")
	plan := func() {
		e.must("plan", "-out=plan")
		e.write("plan.json", e.must("show", "-json", "plan"))
	}
	plan()
	service.ResetJournal()
	run := func(fails bool, want ...string) {
		t.Helper()
		output, err := e.tool("imports", "--plan", "plan.json")
		if (err != nil) != fails {
			t.Errorf("%v\n%s", err, output)
		}
		for _, text := range want {
			if !strings.Contains(output, text) {
				t.Errorf("%q is not in\n%s", text, output)
			}
		}
	}
	run(true, "import blocks for 2 objects", `- cloudserver_group.web: group "web" of account "demo"`, `- cloudserver_vm.named: virtual machine "web1" of group "web", account "demo"`,
		"- cloudserver_vm.own: its provider block sets token", "- cloudserver_vm.later: group is known only after apply", "until it finds nothing more")
	e.must("apply", "-auto-approve", "-target=cloudserver_group.web", "-target=cloudserver_vm.named")
	e.loses("imports.tf")
	plan()
	run(true, "import blocks for 1 object", "- cloudserver_vm.later: virtual machine \"mine\" of group \"web\"", "- cloudserver_vm.own: its provider block sets token")
	e.loses("imports.tf")
	e.write("plan.json", `{"format_version":"1.2","errored":true}`)
	run(true, "the plan in plan.json failed")
	e.write("plan.json", "{}")
	run(true, "is not the output of `terraform show -json` of a plan")
	acctest.ExpectCalls(t, service)
}

// TestForget: blocks are moved to another directory by hand, imported there, and forgotten in the old one. Nothing is
// destroyed on the way, although all machines are protected.
func TestForget(t *testing.T) {
	t.Parallel()
	service := acctest.StartEmulator(t, emulator.Options{})
	objects := addEstate(t, service, 8)
	e := newImports(t, service)
	e.adopt("--deletion-protection")
	e.must("init")
	e.must("apply", "-auto-approve")
	e.loses("imports.tf")
	service.ResetJournal()
	web, err := os.ReadFile(e.path("web.tf"))
	if err != nil {
		t.Fatal(err)
	}
	fresh := &estate{workspace: &workspace{t: t, dir: t.TempDir(), service: service, env: e.env}}
	fresh.write("web.tf", string(web))
	for _, name := range []string{"provider.tf", "terraform.tf"} {
		text, err := os.ReadFile(e.path(name))
		if err != nil {
			t.Fatal(err)
		}
		fresh.write(name, string(text))
	}
	fresh.must("init")
	fresh.imports(false, []string{" 0 to add", " 0 to destroy"})
	fresh.must("apply", "-auto-approve")
	fresh.loses("imports.tf")
	fresh.must("plan", "-detailed-exitcode")

	e.loses("web.tf")
	if output, err := e.run("plan"); err == nil || !strings.Contains(output, "deletion_protection") {
		t.Fatalf("a plan without the blocks of protected machines: %v\n%s", err, output)
	}
	output, err := e.tool("forget", "--cli", acctest.CLI())
	if err != nil || !strings.Contains(output, `- cloudserver_group.web: group "web" of account "demo"`) || strings.Contains(output, "state rm") {
		t.Fatalf("forget: %v\n%s", err, output)
	}
	e.must("fmt", "-check", "-diff", "removed.tf")
	if output := e.must("apply", "-auto-approve"); !strings.Contains(output, " 0 destroyed") {
		t.Errorf("the apply of the removed blocks:\n%s", output)
	}
	e.loses("removed.tf")
	e.must("plan", "-detailed-exitcode")
	if moved, left := len(strings.Fields(fresh.must("state", "list"))), len(strings.Fields(e.must("state", "list"))); moved+left != objects {
		t.Errorf("%d objects went and %d are left, of %d", moved, left, objects)
	}
	acctest.ExpectCalls(t, service)
}
