package examples_test

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// story has the claims of a page about an example that are not tested for all examples.
type story struct {
	before, then, after func(*workspace) // before init, before and after destroy
	guests              bool             // whether machines answer over TCP
}

var stories = map[string]story{
	"ephemeral-resources/cloudserver_session": {before: hasAPassword, then: hasNoSession},
	"fleet/machines":                        {before: isOneOfAFleet},
	"guides/adopt":                          {before: hasAnEstate, then: isAdopted, after: isPurged},
	"guides/deleting":                       {before: withoutActions, then: getsBack, after: isUndeleted},
	"guides/ci":                             {before: hasABackend, then: runsInCI},
	"guides/modules":                        {then: passesItsTests},
	"guides/rolling-updates":                {before: answersOverHTTP, then: rollsCoresOut, guests: true},
	"guides/images":                         {before: hasAKey, then: setsAnotherPassword},
	"guides/several-services":               {before: hasTwoServices, then: areHeldApart},
	"resources/cloudserver_backup_schedule": {then: replacesInOrder},
	"resources/cloudserver_vm":              {before: hasAKey, then: tellsOfTakenNames},
	"resources/cloudserver_vm/full":         {before: hasKeys, then: tellsWhatChangesCost, guests: true},
}

func isOneOfAFleet(w *workspace) {
	hasABackend(w)
	w.set("state", "shop")
}

func answersOverHTTP(w *workspace) {
	hasAKey(w)
	w.set("port", strconv.Itoa(int(w.e.ServeGuests(w.T))))
}

// rollsCoresOut changes all machines as the page does: at most one of them is down at any time. A bad release stops at
// the first one.
func rollsCoresOut(w *workspace) {
	const page = "docs/guides/rolling-updates.md"
	w.edit("main.tf", `"3m"`, `"3s"`)
	if output := w.run("apply", "-auto-approve"); strings.Count(output, "127.77.") < 3 {
		w.Errorf("the backends: %s", output)
	}
	w.rollOut(page, "terraform apply -var cores=2\n", 3)
	w.set("cores", "2")
	w.expectNoChange()

	w.e.SetImageStatus("noble", http.StatusServiceUnavailable)
	output, err := w.try("sh", "-ec", w.cli.book.block(w.T, page, "distribution=noble"))
	if err == nil || strings.Count(output, "but it is not ready") != 1 || strings.Count(output, "Not updated: the rollout ended with") != 2 || !strings.Contains(output, "answered 503") {
		w.Errorf("the bad release: %v\n%s", err, output)
	}
	images, ill := map[string]int{}, ""
	for _, m := range w.e.Machines() {
		if images[m.LastImagedWith]++; !m.PowerOn {
			w.Errorf("%s is off", m.Name)
		}
		if m.LastImagedWith == "noble" {
			ill = m.Name
		}
	}
	if images["noble"] != 1 || images["bookworm"] != 2 {
		w.Errorf("the images after the bad release: %v", images)
	}
	w.rollOut(page, "-target=", 1, "web1", ill)
	w.rollOut(page, "terraform apply -var cores=2 -var distribution=trixie", 2)
	w.set("distribution", "trixie")
	w.expectNoChange()
}

// rollOut runs a command of a page that restarts the given number of machines one after the other.
func (w *workspace) rollOut(page, command string, machines int, replace ...string) {
	w.Helper()
	w.e.ResetPower()
	w.env = append(w.env, "TF_CLI_ARGS_apply=-auto-approve -parallelism=10")
	w.sh(page, command, replace...)
	if power := w.e.Power(); power.MaxDown != 1 || power.MaxOutOfService > 1 || len(power.Changes) != 2*machines {
		w.Errorf("%d were down at once, %d out of service, after %d changes of power", power.MaxDown, power.MaxOutOfService, len(power.Changes))
	}
}

// The script of the jobs notices drift; runJobs runs it as the jobs do.
func runsInCI(w *workspace) {
	before := w.env
	defer func() { w.env = before }()
	w.env = append(slices.DeleteFunc(slices.Clone(w.env), func(v string) bool { return strings.HasPrefix(v, "CLOUDSERVER_TOKEN=") }), "CLOUDSERVER_TOKEN_FILE="+w.apiKeyFile())
	ci := func(task string) (status int, output string) {
		output, err := w.try("sh", "ci.sh", task)
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			w.Fatalf("ci.sh %s: %v\n%s", task, err, output)
		}
		if exit != nil {
			return exit.ExitCode(), output
		}
		return 0, output
	}
	expect := func(now string, want int, says string) {
		w.Helper()
		if status, output := ci("drift"); status != want || !strings.Contains(output, says) {
			w.Errorf("%s: exit status %d of ci.sh drift, want %d; it should say %q\n%s", now, status, want, says, output)
		}
	}
	id := w.e.Machines()[0].ID
	for _, step := range []struct {
		now  string
		make func(*emulator.Machine)
		want int
		says string
	}{
		{now: "as it was applied", make: func(*emulator.Machine) {}, says: "No changes."},
		{now: "renamed", make: func(m *emulator.Machine) { m.Name = "renamed" }, want: 2, says: `"renamed" -> "web1"`},
		{now: "named as it was", make: func(m *emulator.Machine) { m.Name = "web1" }, says: "No changes."},
		{now: "another keymap", make: func(m *emulator.Machine) { m.Keymap = "de" }, want: 2, says: `+ keymap `},
		{
			now:  "off",
			make: func(m *emulator.Machine) { m.Keymap, m.PowerOn, m.AutorebootOn = "", false, false },
			want: 2,
			says: "has gone off",
		},
	} {
		w.change(id, step.make)
		expect(step.now, step.want, step.says)
	}
	w.change(id, func(m *emulator.Machine) { m.PowerOn, m.AutorebootOn = true, true })
	w.summarises()
	w.change(id, func(m *emulator.Machine) { m.PowerOn, m.AutorebootOn = false, false })
	remove := w.e.Inject(emulator.Fault{
		Match: func(r emulator.Request) bool { return strings.HasPrefix(r.Path, "/virtual_machines/") }, Skip: 1, Status: http.StatusForbidden,
	})
	expect("the second plan fails", 1, "403 Forbidden")
	remove()
	undo := w.edit("main.tf", "25600", "1024")
	expect("an error beside what has changed", 1, "Error: ")
	undo()
	for _, task := range []string{"save", "apply"} {
		if status, output := ci(task); status != 0 {
			w.Errorf("%s: %s", task, output)
		}
	}
	expect("started again by an apply", 0, "No changes.")
	w.change(id, func(m *emulator.Machine) {
		m.Discs = append(m.Discs, emulator.Disc{ID: 4711, Label: "strange", Size: 5120, StorageGrade: "sata"})
	})
	expect("with a disc of somebody else", 2, `"strange" (ID 4711`)
	for key, says := range map[string]string{"": "no key in", "apikey.wrong": "does not accept the API key in"} {
		write(w.T, w.dir, "api-key", key)
		expect("with the key "+key, 1, says)
	}
	w.cli.book.executed(w.shown("ci.sh"))
}

// summarises checks that the summary of a plan begins with what is destroyed, is text to a browser, and contains no
// commands to GitHub.
func (w *workspace) summarises() {
	w.Helper()
	undo := w.edit("main.tf", `"bookworm"`, `"trixie"`)
	write(w.T, w.dir, "more.tf", "resource \"cloudserver_group\" \"a\" {\n  name = \"a\"\n}\n\noutput \"a\" {\n  value = \"</pre>\\n::error::a\"\n}\n")
	job := *w
	job.env = append(slices.Clone(w.env), "GITHUB_ACTIONS=true")
	output, err := job.try("sh", "ci.sh", "plan")
	summary, readErr := os.ReadFile(filepath.Join(w.dir, "summary.md"))
	if err = errors.Join(err, readErr); err != nil {
		w.Fatalf("%v\n%s", err, output)
	}
	if !regexp.MustCompile(`^::stop-commands::[0-9a-f]{32}\n`).MatchString(output) {
		w.Errorf("commands are read from\n%s", output)
	}
	shown, everything, _ := strings.Cut(string(summary), "<details>")
	if !strings.HasPrefix(shown, "<pre>\n  # cloudserver_vm.web must be replaced\nPlan: 2 to add, 0 to change, 1 to destroy.\n") ||
		!strings.Contains(shown, "\n  # cloudserver_group.a will be created\n") || strings.Contains(everything, "</pre>\\n") || !strings.Contains(everything, "&lt;/pre>") {
		w.Errorf("the summary is\n%s", summary)
	}
	undo()
	if err := os.Remove(filepath.Join(w.dir, "more.tf")); err != nil {
		w.Fatal(err)
	}
}

func setsAnotherPassword(w *workspace) {
	id := w.id("cloudserver_vm.app")
	w.set("root_password", "another-for-the-emulator")
	w.expectNoChange() // the CLI cannot see it
	w.set("image_revision", "2")
	w.run("plan")
	w.run("apply", "-auto-approve")
	w.expectNoChange()
	w.expectID("cloudserver_vm.app", id)
	if state := w.run("state", "pull"); strings.Contains(state, "for-the-emulator") {
		w.Error("a secret is in the state")
	}
}

// hasAKey is a user's key where the page expects it.
func hasAKey(w *workspace) {
	home := w.T.TempDir()
	w.env = append(w.env, "HOME="+home, "USERPROFILE="+home)
	if err := os.Mkdir(filepath.Join(home, ".ssh"), 0o700); err != nil {
		w.Fatal(err)
	}
	write(w.T, filepath.Join(home, ".ssh"), "id_ed25519.pub", "ssh-ed25519 AAAA\n")
}

func hasKeys(w *workspace) {
	w.set("ssh_public_keys", `["ssh-ed25519 AAAA", "ssh-ed25519 BBBB"]`)
	w.edit("main.tf", "port = 22", fmt.Sprintf("port = %d", w.e.ServeGuests(w.T)))
}

// tellsWhatChangesCost checks the page's quotes about a restart, and its alternatives.
func tellsWhatChangesCost(w *workspace) {
	if key := w.e.Machines()[0].SSHPublicKey; strings.Count(key, "ssh-ed25519") != 2 {
		w.Errorf("the machine has the keys %q", key)
	}
	offered := w.cli.book.block(w.T, "docs/resources/vm.md", "terraform console")
	if w.cli.openTofu {
		offered = strings.Replace(offered, " -plan", "", 1) // which it does not know; this is after an apply
	}
	if output, err := w.try("sh", "-ec", offered); err != nil || !strings.Contains(output, `"bookworm"`) || !strings.Contains(output, `"archive"`) {
		w.Errorf("what is offered: %v\n%s", err, output)
	}
	cores := w.edit("main.tf", "cores            = 2", "cores            = 4")
	defer cores()
	w.edit("main.tf", "allow_stopping_for_update = true", "allow_stopping_for_update = false")
	w.expectRefusal("allow_stopping_for_update = true", "plan")
}

func tellsOfTakenNames(w *workspace) {
	state := w.run("state", "pull")
	write(w.T, w.dir, "terraform.tfstate", "")
	if output := w.run("plan"); !strings.Contains(output, "The name of the machine is taken") {
		w.Errorf("the plan does not say that the name is taken:\n%s", output)
	}
	w.expectRefusal("in this group has the name", "apply", "-auto-approve")
	write(w.T, w.dir, "terraform.tfstate", state)
}

func isSoftDeleted(w *workspace) {
	machines := w.e.Machines()
	if len(machines) != 1 || !machines[0].Deleted {
		w.Errorf("one soft-deleted machine should be left: %+v", machines)
	}
	for _, machine := range machines {
		w.e.Purge(machine.ID)
	}
}

func (w *workspace) expectID(address, want string) {
	w.Helper()
	if got := w.id(address); got != want {
		w.Errorf("%s was %s and is %s", address, want, got)
	}
}

// replacesInOrder checks what the page says about create_before_destroy: the new schedule is created first, and the
// machine cannot be replaced.
func replacesInOrder(w *workspace) {
	undo := w.edit("resource.tf", "capacity         = 4\n", "capacity         = 5\n  lifecycle {\n    create_before_destroy = true\n  }\n")
	if output := w.run("apply", "-auto-approve"); !strings.Contains(output, "1 added, 0 changed, 1 destroyed") ||
		strings.Index(output, "Creating...") > strings.Index(output, "Destroying...") {
		w.Errorf("another capacity: %s", output)
	}
	w.expectRefusal("in this group has the name", "apply", "-auto-approve", "-replace=cloudserver_vm.db")
	undo()
	w.run("apply", "-auto-approve", "-replace=cloudserver_vm.db")
	w.expectNoChange()
}
