package examples_test

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

// runElsewhere says of blocks of shell commands where they are run, or why they cannot be.
var runElsewhere = map[string]string{
	"-invoke=":                               "needs Terraform 1.14; TestExamples invokes the action through it, or in process",
	"terraform query":                        "needs Terraform 1.14; TestExamples runs the query through it, or in process",
	"-generate-config-out":                   "the example guides/import",
	"ansible-playbook":                       "the recipe ansible-inventory, without Ansible",
	"terraform test":                         "the recipe mocks",
	"after each changed line":                "the recipe rolling-replacement",
	"terraform plan\n":                       "the example guides/move-from-bigv",
	"gpg --verify":                           "needs a release",
	"terraform providers mirror":             "asks the registry, whatever the configuration says",
	"make mirror":                            "make demo",
	"-fault 'POST":                           "the tests of the emulator's flags",
	"cloudserver -emulator 127.0.0.1:8787\n": "the quick start, which runs it from where init has put it",
	"CLOUDSERVER_ENDPOINT=https:/":           "names no service",
}

// tour runs the blocks of the pages on one emulator, from the quick start on.
type tour struct {
	*workspace
	blocks map[string]bool // and whether they were run
	at     string          // the emulator's address
	ids    *strings.Replacer
}

// Every block of shell commands on the pages is run as it stands, or is the file of an example, or runElsewhere names it.
func TestShellBlocks(t *testing.T) {
	t.Parallel()
	c, files := newCLI(t), exampleFiles(t)
	run := &tour{workspace: newWorkspace(t, c, &acctest.Emulator{}, "quickstart"), blocks: map[string]bool{}, at: "127.0.0.1:0", ids: strings.NewReplacer()}
	for _, page := range pages(t) {
		for _, block := range fenced.FindAllStringSubmatch(page, -1) {
			if block[1] == "shell" && !slices.Contains(files, strings.TrimSpace(block[2])) {
				run.blocks[block[2]] = false
			}
		}
	}
	programs := t.TempDir()
	for name, program := range map[string]string{"terraform": c.path, "terraform-provider-cloudserver": c.provider} {
		if err := os.Symlink(program, filepath.Join(programs, name)); err != nil {
			t.Fatal(err)
		}
	}
	run.env = append(run.env, "PATH="+programs+string(os.PathListSeparator)+os.Getenv("PATH"), "TF_CLI_ARGS_apply=-auto-approve", "TF_CLI_ARGS_destroy=-auto-approve")

	run.quickStart()
	run.lookAround()
	run.withCurl()
	run.end()
	for block, ran := range run.blocks {
		elsewhere := false
		for part := range runElsewhere {
			elsewhere = elsewhere || strings.Contains(block, part)
		}
		if ran == elsewhere {
			t.Errorf("run: %t, named in runElsewhere: %t:\n%s", ran, elsewhere, block)
		}
	}
}

// block marks the one block that has the text as run, and returns it with the emulator's own address and IDs.
func (r *tour) block(text string) string {
	r.Helper()
	for block := range r.blocks {
		if strings.Contains(block, text) {
			r.blocks[block] = true
			return r.ids.Replace(strings.ReplaceAll(block, "127.0.0.1:8787", r.at))
		}
	}
	r.Fatalf("no page has a block with %s", text)
	return ""
}

// sh runs the block that has the text. Its last command must succeed, and it must print what is wanted.
func (r *tour) sh(text, want string) string {
	r.Helper()
	commands := strings.ReplaceAll(r.block(text), "curl -s", "curl -fs") // a refusal fails
	output, err := r.try("sh", "-c", commands)
	if err != nil || !strings.Contains(output, want) {
		r.Fatalf("%s\n%v; it should print %q:\n%s", commands, err, want, output)
	}
	return output
}

// quickStart starts the emulator from where init has put it, and applies.
func (r *tour) quickStart() {
	r.Helper()
	script := strings.ReplaceAll(r.block("$(find"), "$(find", "exec $(find")
	r.serve(strings.TrimSpace(script) + " -boot-time 0s -copy-time 0s")
	r.sh("only-for-the-emulator\n\nterraform apply", "Apply complete! Resources: 1 added")
	r.sh("grep -c", "No changes.")
}

// serve runs a script that becomes the emulator, until it says where it listens.
func (r *tour) serve(script string) {
	r.Helper()
	emulator := exec.CommandContext(r.Context(), "sh", "-c", script)
	emulator.Dir, emulator.Env = r.dir, r.env
	emulator.Cancel = func() error { return emulator.Process.Signal(syscall.SIGTERM) }
	printed, err := emulator.StdoutPipe()
	if err == nil {
		err = emulator.Start()
	}
	if err != nil {
		r.Fatal(err)
	}
	r.Cleanup(func() { _ = emulator.Wait() }) // the context has ended it
	for lines := bufio.NewScanner(printed); lines.Scan(); {
		if at, ok := strings.CutPrefix(lines.Text(), "The emulator is listening on http://"); ok {
			r.at, r.env = at, append(r.env, "CLOUDSERVER_ENDPOINT=http://"+at)
			return
		}
	}
	r.Fatal("the emulator ended")
}

// lookAround is what the guides show of a machine that exists.
func (r *tour) lookAround() {
	r.Helper()
	r.sh("TF_LOG_PROVIDER=DEBUG", "The service answered")
	r.run("taint", "cloudserver_vm.web")
	r.sh("terraform untaint", "untainted")
	r.sh("terraform init -upgrade", "No changes.")
	r.sh("terraform-provider-cloudserver -check\n", "OK")
	r.sh(`curl -sS "$CLOUDSERVER_ENDPOINT/definitions"`, "distributions")
	r.sh("virtual_machines?view=overview", "web1")
	r.ids = strings.NewReplacer("/srv/terraform/providers", r.cli.mirror, " -platform=linux_amd64 -platform=darwin_arm64", "")
	r.sh("providers lock", "")
}

// withCurl is what the pages of actions show for a CLI without actions.
func (r *tour) withCurl() {
	r.Helper()
	machine := r.id("cloudserver_vm.web")
	state := r.run("state", "pull")
	disc := regexp.MustCompile(`"id":\s*"(\d+)",\s*"label":\s*"vda"`).FindStringSubmatch(state)
	if disc == nil {
		r.Fatalf("no disc in %s", state)
	}
	r.ids = strings.NewReplacer("1234", machine, "1235", disc[1])
	var backup struct{ ID json.Number }
	if taken := r.sh("-d '{}'", `"id"`); json.Unmarshal([]byte(taken), &backup) != nil {
		r.Fatalf("the answer to a backup: %s", taken)
	}
	r.ids = strings.NewReplacer("1234", machine, "1235", disc[1], "1301", backup.ID.String())
	r.sh(`{"restore": true}`, "")
	purge := r.block("?purge=true")
	if output, err := r.try("sh", "-c", strings.Replace(purge, "?purge=true", "", 1)); err != nil {
		r.Fatalf("a soft delete: %v\n%s", err, output)
	}
	r.sh(`{"deleted": false}`, "")
	r.sh("?purge=true", "")
}

// end is the end of the quick start, and what is left: other secrets, faults and a reset.
func (r *tour) end() {
	r.Helper()
	r.run("apply")
	r.sh("terraform destroy", "Destroy complete! Resources: 1 destroyed.")

	app := *r
	app.workspace = newWorkspace(r.T, r.cli, r.e, "guides/root-passwords")
	app.env, app.ids = append(app.env, r.env...), strings.NewReplacer("…", rootPassword)
	app.run("init")
	app.sh("TF_VAR_enrolment_token=", "Apply complete! Resources: 1 added")
	app.sh("-var image_version=2", "Apply complete! Resources: 0 added, 1 changed")

	r.sh("_emulator/faults -d", "")
	r.sh("_emulator/reset", "")
	r.run("apply")
	r.run("destroy")
}
