package examples_test

import (
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator/guest"
)

// story is what the page says of an example beyond what all examples go through.
type story struct {
	before, then, after func(*workspace) // before init, before and after destroy
	guests              bool             // whether machines answer over TCP
}

var stories = map[string]story{
	"data-sources/cloudserver_definitions":    {then: refusesWhatIsNotOffered},
	"ephemeral-resources/cloudserver_session": {before: hasAPassword, then: hasNoSession},
	"guides/adopt":             {before: hasAnEstate, then: isAdopted, after: isPurged},
	"guides/backups":           {before: withoutActions, then: backsUp},
	"guides/ci":                {before: hasABackend, then: runsInCI},
	"guides/lifetimes":         {then: goesWithTheMachine},
	"guides/modules":           {then: passesItsTests},
	"guides/web-tier":          {before: answers, then: rollsOut, guests: true},
	"guides/offline-tests":     {then: runsItsOwnTests},
	"guides/rolling-updates":   {before: answersOverHTTP, then: rollsCoresOut, guests: true},
	"guides/root-passwords":    {then: setsAnotherPassword},
	"resources/cloudserver_vm": {then: tellsWhatChangesCost},
	"resources/cloudserver_vm/deletion-protection": {then: staysProtected, after: isSoftDeleted},
}

// answers lets the machines answer on a port.
func answers(w *workspace) { w.set("port", strconv.Itoa(int(w.e.ServeGuests(w.T, guest.Greeting)))) }

func answersOverHTTP(w *workspace) {
	w.set("port", strconv.Itoa(int(w.e.ServeGuests(w.T, guest.HTTP))))
}

// rollsCoresOut changes all machines as the page does: never is more than one of them down. A bad release stops at the first one.
func rollsCoresOut(w *workspace) {
	const page = "docs/guides/rolling-updates.md"
	w.edit("main.tf", `"3m"`, `"3s"`)
	w.run("apply", "-auto-approve")
	w.rollOut(page, "terraform apply -var cores=2\n", 3, 0)
	w.set("cores", "2")
	w.expectNoChange()

	w.e.SetImageStatus("noble", http.StatusServiceUnavailable)
	output, err := w.try("sh", "-ec", w.cli.book.block(w.T, page, "distribution=noble"))
	if err == nil || strings.Count(output, "but it is not ready") != 1 || strings.Count(output, "It waited for a slot") != 2 || !strings.Contains(output, "answered 503") {
		w.Errorf("the bad release: %v\n%s", err, output)
	}
	images := map[string]int{}
	for _, m := range w.e.Machines() {
		if images[m.LastImagedWith]++; !m.PowerOn {
			w.Errorf("%s is off", m.Name)
		}
	}
	if images["noble"] != 1 || images["bookworm"] != 2 {
		w.Errorf("the images after the bad release: %v", images)
	}
	w.rollOut(page, "distribution=trixie", 3, 1)
	w.set("distribution", "trixie")
	w.expectNoChange()
}

// rollOut runs a command of a page that takes each of so many machines down and up again, one after the other. So many are ill before.
func (w *workspace) rollOut(page, command string, machines, ill int) {
	w.Helper()
	w.e.ResetPower()
	w.env = append(w.env, "TF_CLI_ARGS_apply=-auto-approve -parallelism=10")
	w.sh(page, command)
	if power := w.e.Power(); power.MaxDown != 1 || power.MaxOutOfService > 1+ill || len(power.Changes) != 2*machines {
		w.Errorf("%d were down at once, %d out of service, after %d changes of power", power.MaxDown, power.MaxOutOfService, len(power.Changes))
	}
}

func refusesWhatIsNotOffered(w *workspace) {
	w.set("distribution", "buzz")
	w.expectRefusal("buzz is not offered. Offered are: ", "plan")
	w.set("distribution", "bookworm")
	write(w.T, w.dir, "first.tf", w.cli.book.block(w.T, "docs/data-sources/definitions.md", "locals {")+"output \"first\" {\n  value = local.distribution\n}\n")
	if output := w.run("plan"); !strings.Contains(output, `+ first`) || !strings.Contains(output, `"trixie"`) {
		w.Errorf("the first distribution that is offered: %s", output)
	}
}

// goesWithTheMachine follows the page, and purges what the soft delete has left.
func goesWithTheMachine(w *workspace) {
	const page = "docs/guides/lifetimes.md"
	w.sh(page, "terraform apply -auto-approve -var purge=false\n")
	machines := w.e.Machines()
	if len(machines) != 1 || !machines[0].Deleted || machines[0].Discs[0].Backups != nil && len(machines[0].Discs[0].Backups.Schedules) > 0 {
		w.Errorf("after the soft delete: %+v", machines)
	}
	if output := w.sh(page, "terraform plan -var purge=false\n"); !strings.Contains(output, "A soft-deleted machine holds the name") {
		w.Errorf("the plan does not warn:\n%s", output)
	}
	isSoftDeleted(w)
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
		status, output := ci("drift")
		if text, err := os.ReadFile(filepath.Join(w.dir, "drift.txt")); err != nil || status != want || !strings.Contains(output, says) || string(text) != output {
			w.Errorf("%s: exit status %d of ci.sh drift, want %d; it and drift.txt should say %q: %v\n%s\n\n%s", now, status, want, says, err, output, text)
		}
	}
	id := w.e.Machines()[0].ID
	for _, step := range []struct {
		now  string
		make func(*emulator.Machine)
		want int
		says string
	}{
		{"as it was applied", func(*emulator.Machine) {}, 0, "No changes."},
		{"renamed", func(m *emulator.Machine) { m.Name = "renamed" }, 2, `"renamed" -> "web1"`},
		{"named as it was", func(m *emulator.Machine) { m.Name = "web1" }, 0, "No changes."},
		{"another keymap", func(m *emulator.Machine) { m.Keymap = "de" }, 2, `+ keymap `},
		{"off", func(m *emulator.Machine) { m.Keymap, m.PowerOn, m.AutorebootOn = "", false, false }, 2, "has gone off"},
	} {
		w.change(id, step.make)
		expect(step.now, step.want, step.says)
	}
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
			w.Errorf("%s of an empty plan: %s", task, output)
		}
	}
	expect("off, and accepted by an apply", 0, "No changes.")
	w.change(id, func(m *emulator.Machine) {
		m.Discs = append(m.Discs, emulator.Disc{ID: 4711, Label: "strange", Size: 5120, StorageGrade: "sata"})
	})
	expect("with a disc of somebody else", 2, `a disc "strange"`)
	for key, says := range map[string]string{"": "no key in", "apikey.wrong": "does not accept the API key in"} {
		write(w.T, w.dir, "api-key", key)
		expect("with the key "+key, 1, says)
	}
	w.cli.book.executed(w.shown("ci.sh"))
}

func runsItsOwnTests(w *workspace) {
	w.run("destroy", "-auto-approve")
	for _, command := range w.testCommands() {
		output, err := w.try("sh", "-ec", command)
		if err != nil || command == "terraform test" && !strings.Contains(output, "6 passed, 0 failed") {
			w.Errorf("%s: %v\n%s", command, err, output)
		}
	}
	w.cli.book.block(w.T, "docs/guides/offline-tests.md", "terraform init\nterraform test") // what the jobs run
	w.cli.book.executedFiles(w.T, w.example, "seed.json")
	for _, dir := range []string{"tests", "tests/watch"} {
		w.cli.book.executedFiles(w.T, filepath.Join(w.example, dir), ".hcl", ".tf")
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

// What the pages quote of a restart, and of a machine whose name is taken.
func tellsWhatChangesCost(w *workspace) {
	undo := w.edit("resource.tf", "cores  = 2", "cores  = 4")
	w.expectRefusal("allow_stopping_for_update = true", "plan")
	undo()
	tellsOfTakenNames(w)
}

func tellsOfTakenNames(w *workspace) {
	state := w.run("state", "pull")
	write(w.T, w.dir, "terraform.tfstate", "")
	if output := w.run("plan"); !strings.Contains(output, "is taken in group") {
		w.Errorf("the plan does not say that the name is taken:\n%s", output)
	}
	w.expectRefusal("already exists in this group", "apply", "-auto-approve")
	write(w.T, w.dir, "terraform.tfstate", state)
}

func staysProtected(w *workspace) {
	w.expectRefusal("deletion_protection is true", "destroy", "-auto-approve")
	w.expectRefusal("deletion_protection is true", "apply", "-auto-approve", "-replace=cloudserver_vm.ledger")
	w.set("protected", "false")
	w.run("apply", "-auto-approve")
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
