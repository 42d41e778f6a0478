package examples_test

import (
	"bufio"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

var number = regexp.MustCompile(`\d+`)

// tour runs the blocks of the pages on one emulator, from the quick start on.
type tour struct {
	*workspace
	at  string // the emulator's address
	ids *strings.Replacer
}

// runShellBlocks follows the quick start, and then the blocks of other pages for an existing machine.
func runShellBlocks(t *testing.T, c *cli) {
	run := &tour{workspace: newWorkspace(t, c, &acctest.Emulator{}, "quickstart"), at: "127.0.0.1:0", ids: strings.NewReplacer()}
	run.env = append(run.env, "TF_CLI_ARGS_apply=-auto-approve", "TF_CLI_ARGS_destroy=-auto-approve")

	run.quickStart()
	run.lookAround()
	run.withProgram()
	run.end()
	run.startEmulators()
	run.logIn()
}

// block returns the only block with the text, with the emulator's own IDs and, after them, address: its port may look like an ID.
func (r *tour) block(text string) string {
	r.Helper()
	return strings.ReplaceAll(r.ids.Replace(r.cli.book.block(r.T, "docs/", text)), "127.0.0.1:8787", r.at)
}

// sh runs the block with the text. Its last command must succeed, and the output must contain want.
func (r *tour) sh(text, want string) string {
	r.Helper()
	commands := r.block(text)
	output, err := r.try("sh", "-c", commands)
	if err != nil || !strings.Contains(output, want) {
		r.Fatalf("%s\n%v; it should print %q:\n%s", commands, err, want, output)
	}
	return output
}

// quickStart applies on the emulator in the provider, and serves its world from where init has put the program.
func (r *tour) quickStart() {
	r.Helper()
	r.sh("only-for-the-emulator\n\nterraform init", "Apply complete! Resources: 1 added")
	r.serve("exec " + strings.TrimSpace(r.block("--state world.json")) + " --boot-time 0s --copy-time 0s")
	r.sh("grep -c", "No changes.")
}

// serve runs a script that becomes the emulator, until it prints its address.
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
	var said strings.Builder
	for lines := bufio.NewScanner(printed); lines.Scan(); {
		said.WriteString(lines.Text() + "\n")
		if at, ok := strings.CutPrefix(lines.Text(), "The emulator is listening on http://"); ok {
			r.at, r.env = at, append(r.env, "CLOUDSERVER_ENDPOINT=http://"+at)
		}
		if strings.Contains(lines.Text(), "paste this") {
			r.cli.book.record.add(strings.ReplaceAll(said.String(), r.at, "127.0.0.1:8787"))
			return
		}
	}
	r.Fatal("the emulator ended")
}

// lookAround runs the blocks of the guides for an existing machine.
func (r *tour) lookAround() {
	r.Helper()
	r.expectLogLine(r.sh("TF_LOG_PROVIDER=DEBUG", "The service answered"))
	r.sh("_emulator/images/noble", "")
	r.run("taint", "cloudserver_vm.web")
	r.sh("terraform untaint", "untainted")
	r.sh("terraform init -upgrade", "No changes.")
	r.sh("terraform-provider-cloudserver check\n", "OK")
	if output, err := r.try("env", "PATH=/usr/bin:/bin", "sh", "-ec", r.block("alias ")+"terraform-provider-cloudserver check"); err != nil {
		r.Errorf("the program below .terraform: %v\n%s", err, output)
	}
	r.sh(`curl -sS "$CLOUDSERVER_ENDPOINT/definitions"`, "distributions")
}

// withProgram runs the blocks of the pages of actions for a CLI without actions, each with the flags of a script.
func (r *tour) withProgram() {
	r.Helper()
	hasAKey(r.workspace)
	machine := r.id("cloudserver_vm.web")
	state := r.run("state", "pull")
	disc := regexp.MustCompile(`"id":\s*"(\d+)",\s*"label":\s*"vda"`).FindStringSubmatch(state)
	name := regexp.MustCompile(`"name":\s*"(web\d+)",`).FindStringSubmatch(state)
	if disc == nil || name == nil {
		r.Fatalf("no disc or no name in %s", state)
	}
	ids := []string{"1234", machine, "1235", disc[1], "ledger1", name[1]}
	r.ids = strings.NewReplacer(ids...)
	r.invoke("vm_power", "state=stop")
	r.invoke("vm_power", "state=start", "state=restart") // it is off
	r.invoke("vm_power", "state=restart")
	r.invoke("vm_signal", "")
	reimage := strings.TrimSpace(r.block("invoke vm_reimage")) + " --yes"
	if output, err := r.try("sh", "-ec", reimage); err != nil || !strings.Contains(output, "vm_reimage: done\n") {
		r.Errorf("%v\n%s", err, output)
	}
	backup := regexp.MustCompile(`backup (\d+) is stored`).FindStringSubmatch(r.invoke("disc_backup", ""))
	if backup == nil {
		r.Fatal("no backup is stored")
	}
	r.ids = strings.NewReplacer(append(ids, "1301", backup[1])...)
	r.invoke("disc_restore", "")
	r.movesADisc(machine)
	r.call("DELETE", "virtual_machines/"+machine, "")
	r.invoke("vm_undelete", "")
	r.call("DELETE", "virtual_machines/"+machine, "")
	r.invoke("vm_purge", "")
}

// invoke runs the block that invokes an action, with what replaces a part of it, and returns the output.
func (r *tour) invoke(action, with string, instead ...string) string {
	r.Helper()
	text := with
	if len(instead) > 0 {
		text = instead[0]
	}
	line := strings.TrimSpace(r.block(strings.TrimSpace("invoke " + action + " virtual_machine_id=1234 " + text)))
	if len(instead) > 0 {
		line = strings.Replace(line, text, with, 1)
	}
	output, err := r.try("sh", "-c", line+" --yes")
	if err != nil || !strings.Contains(output, action+": done\n") {
		r.Fatalf("%s: %v\n%s", line, err, output)
	}
	return output
}

// call makes a call of the service in the default group.
func (r *tour) call(method, path, body string) string {
	r.Helper()
	output, err := r.try("sh", "-c", `curl -fsS -X `+method+` -H "Authorization: Bearer $CLOUDSERVER_TOKEN" -H 'Content-Type: application/json' -d '`+body+
		`' "$CLOUDSERVER_ENDPOINT/accounts/$CLOUDSERVER_ACCOUNT/groups/default/`+path+`"`)
	if err != nil {
		r.Fatalf("%s %s: %v\n%s", method, path, err, output)
	}
	return output
}

// movesADisc moves a disc of another machine to this one.
func (r *tour) movesADisc(machine string) {
	r.Helper()
	var made struct {
		VirtualMachine struct{ ID json.Number } `json:"virtual_machine"`
		Discs          []struct{ ID json.Number }
	}
	answer := r.call("POST", "vm_create", `{"virtual_machine": {"name": "db1"}, "discs": [{"label": "vda", "size": 1024}, {"label": "data", "size": 1024}]}`)
	if err := json.Unmarshal([]byte(answer), &made); err != nil || len(made.Discs) != 2 {
		r.Fatalf("%v\n%s", err, answer)
	}
	before := r.ids
	r.ids = strings.NewReplacer("1240", machine, "1234", made.VirtualMachine.ID.String(), "1236", made.Discs[1].ID.String())
	r.invoke("disc_move", "")
	r.ids = before
	r.call("DELETE", "virtual_machines/"+made.VirtualMachine.ID.String()+"?purge=true", "")
}

// end follows the end of the quick start, and the remaining blocks: other secrets, faults and a reset.
func (r *tour) end() {
	r.Helper()
	r.run("apply")
	r.sh("terraform destroy", "Destroy complete! Resources: 1 destroyed.")

	app := *r
	app.workspace = newWorkspace(r.T, r.cli, r.e, "guides/images")
	app.env, app.ids = append(app.env, r.env...), strings.NewReplacer("…", rootPassword)
	hasAKey(app.workspace)
	app.run("init")
	app.sh("TF_VAR_enrolment_token=", "Apply complete! Resources: 1 added")
	app.set("image_revision", "2")
	app.sh("export TF_VAR_root_password=…\nterraform apply", "Apply complete! Resources: 0 added, 1 changed")

	r.sh("_emulator/faults -d", "")
	r.sh("curl -fsS -X POST http://127.0.0.1:8787/_emulator/reset", "")
	r.run("apply")
	r.run("destroy")
}

// startEmulators starts it in the two other ways that the pages show.
func (r *tour) startEmulators() {
	r.Helper()
	for _, rest := range []string{"\n", " --fault 'POST"} {
		r.at = "127.0.0.1:0"
		r.serve("exec " + strings.TrimSpace(r.block("terraform-provider-cloudserver emulator 127.0.0.1:8787"+rest)))
	}
	if faults, err := r.try("curl", "-fsS", "http://"+r.at+"/_emulator/faults"); err != nil || !strings.Contains(faults, "vm_create") {
		r.Errorf("the faults: %v\n%s", err, faults)
	}
}

// logIn exports the variables of the index, which names no service: the configuration is valid without one. Then it
// logs in, with the answers that a person would give in the environment.
func (r *tour) logIn() {
	r.Helper()
	if output, err := r.try("sh", "-ec", r.block("CLOUDSERVER_TOKEN=apikey.…")+"terraform validate"); err != nil {
		r.Errorf("%v\n%s", err, output)
	}
	file := filepath.Join(r.T.TempDir(), "token")
	r.ids = strings.NewReplacer("https://api.example.com", "http://"+r.at, "~/.cloudserver-token", file)
	var commands strings.Builder
	for line := range strings.Lines(r.block(" login\n")) {
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			commands.WriteString(command)
		}
	}
	const user = "unset CLOUDSERVER_TOKEN; export CLOUDSERVER_USERNAME=demo CLOUDSERVER_PASSWORD=demo\n"
	output, err := r.try("sh", "-ec", user+commands.String())
	if err != nil {
		r.Fatalf("%v\n%s", err, output)
	}
	r.cli.book.record.add(strings.ReplaceAll(output, file, "/home/demo/.cloudserver-token"))
	r.cli.book.record.add("Username: demo\nPassword:\nCode of the second factor:\n") // only on a terminal: see TestLogin
}

// expectLogLine expects the line that the page shows, except for what changes from run to run.
func (r *tour) expectLogLine(logged string) {
	r.Helper()
	fields := func(line string) []string {
		return strings.Fields(number.ReplaceAllString(strings.ReplaceAll(line, "_v"+localVersion, ""), "0"))
	}
	shown := fields(r.cli.book.block(r.T, "docs/guides/troubleshooting.md", "[DEBUG]"))
	for line := range strings.Lines(logged) {
		got := fields(line)
		if len(got) > 1 && !slices.ContainsFunc(shown[1:len(shown)-1], func(f string) bool { return !slices.Contains(got, f) }) {
			return
		}
	}
	r.Errorf("no line of the log is like %q:\n%s", shown, logged)
}
