package examples_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// runJobs runs the commands of the pages' jobs, for each event, in the order in which the CI would run them, with the
// variables that it would set.
func runJobs(t *testing.T, c *cli) {
	for name, run := range map[string]func(*workspace){"GitHub": runsOnGitHub, "GitLab": runsOnGitLab, "cancelled": isCancelled, "killed": isKilled} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			options := emulator.Options{}
			if name == "cancelled" || name == "killed" {
				options.BootTime = time.Minute
			}
			w := newWorkspace(t, c, acctest.StartEmulator(t, options), "guides/ci")
			w.env = slices.DeleteFunc(w.env, func(v string) bool { return strings.HasPrefix(v, "CLOUDSERVER_TOKEN=") })
			hasABackend(w)
			run(w)
		})
	}
}

// hasABackend replaces the backend of the page by a file that all jobs share.
func hasABackend(w *workspace) {
	write(w.T, w.dir, "backend_override.tf", fmt.Sprintf("terraform {\n  backend \"local\" {\n    path = %q\n  }\n}\n", filepath.Join(w.dir, "terraform.tfstate")))
}

// checkout creates a separate directory for the next job, as a runner does, with the committed files, and the plan that
// a job passes on.
func (w *workspace) checkout() {
	w.Helper()
	last := w.dir
	w.dir = w.TempDir()
	copyExample(w.T, w.example, w.dir)
	for _, name := range []string{"backend_override.tf", ".terraform.lock.hcl", "tfplan", "summary.md"} {
		if content, err := os.ReadFile(filepath.Join(last, name)); err == nil {
			write(w.T, w.dir, name, string(content))
		}
	}
}

// job returns the definition of jobs in a file of the example. Those of GitHub are checked as this repository's own
// are, those of GitLab by its own schema.
func (w *workspace) job(file string) map[string]any {
	w.Helper()
	source := w.shown(file)
	w.cli.book.executed(source)
	parsed := w.parseYAML(source)
	if _, isGitHub := parsed["jobs"]; isGitHub {
		linter := strings.TrimSpace(output(w.T, "../internal/tools/tool.sh", "actionlint"))
		output(w.T, linter, "-shellcheck=", "-pyflakes=", filepath.Join(w.example, file))
	} else if name := strings.TrimSpace(output(w.T, "../internal/tools/gitlab-schema.sh")); name != "" {
		text, err := json.Marshal(parsed)
		if err = errors.Join(err, allows(read(w.T, name), string(text))); err != nil {
			w.Errorf("%s: %v", file, err)
		}
	}
	return parsed
}

// parseYAML parses YAML with the CLI, which can.
func (w *workspace) parseYAML(source string) map[string]any {
	w.Helper()
	elsewhere := *w
	elsewhere.dir = w.T.TempDir() // where there is no configuration that init has not seen
	write(w.T, elsewhere.dir, "page.yml", source)
	output, err := elsewhere.try("sh", "-ec", `echo 'base64encode(jsonencode(yamldecode(file("page.yml"))))' | terraform console`)
	if err == nil {
		var text []byte
		var parsed map[string]any
		if text, err = base64.StdEncoding.DecodeString(strings.Trim(strings.TrimSpace(output), `"`)); err == nil {
			err = json.Unmarshal(text, &parsed)
		}
		if err == nil {
			return parsed
		}
	}
	w.Fatalf("%v\n%s\n%s", err, output, source)
	return nil
}

// step runs a command of a job with its own variables.
func (w *workspace) step(command string, env ...string) {
	w.Helper()
	job := *w
	job.env = slices.Concat(w.env, env)
	if output, err := job.try("sh", "-ec", command); err != nil {
		w.Fatalf("%s: %v\n%s", command, err, output)
	}
}

// at returns the value in parsed YAML at a path of keys.
func at[T any](w *workspace, value any, keys ...string) T {
	w.Helper()
	for _, key := range keys {
		object, _ := value.(map[string]any)
		value = object[key]
	}
	found, ok := value.(T)
	if !ok {
		w.Fatalf("%q is %T", keys, value)
	}
	return found
}

func texts(values []any) []string {
	found := make([]string, len(values))
	for i, value := range values {
		found[i], _ = value.(string)
	}
	return found
}

// apiKeyFile writes the key into a file, as GitLab does: others may read it until the job narrows it.
func (w *workspace) apiKeyFile() string {
	w.Helper()
	write(w.T, w.dir, "api-key", emulator.DemoAPIKey)
	return filepath.Join(w.dir, "api-key")
}

// tasks are the tasks of the guide, in the order in which they run for a change, with the job of each.
var tasks = []struct{ task, onGitHub string }{{"plan", "look"}, {"plan", "comment"}, {"save", "look"}, {"apply", "apply"}, {"drift", "look"}}

func runsOnGitHub(w *workspace) {
	w.run("init") // the lock file is committed
	file := w.job(".github/workflows/terraform.yml")
	temp, bin := w.T.TempDir(), w.T.TempDir()
	summary := filepath.Join(temp, "summary")
	write(w.T, bin, "gh", "#!/bin/sh\n[ \"$*\" = 'pr comment 7 --edit-last --create-if-none --body-file summary.md' ] && cp summary.md \"$RUNNER_TEMP/comment\"\n")
	if err := os.Chmod(filepath.Join(bin, "gh"), 0o700); err != nil { //nolint:gosec // a program
		w.Fatal(err)
	}
	w.env = append(w.env, "PATH="+bin+string(os.PathListSeparator)+w.cli.programs+string(os.PathListSeparator)+os.Getenv("PATH"))
	for _, run := range tasks {
		w.checkout()
		job := at[map[string]any](w, file, "jobs", run.onGitHub)
		// What GitHub makes of the expressions.
		values := strings.NewReplacer("${{ vars.CLOUDSERVER_ENDPOINT }}", w.e.URL, "${{ secrets.ROOT_PASSWORD }}", rootPassword,
			"${{ secrets.CLOUDSERVER_API_KEY }}", emulator.DemoAPIKey, "${{ secrets.CLOUDSERVER_READ_KEY }}", emulator.DemoAPIKey,
			"${{ secrets.AWS_ACCESS_KEY_ID }}", "", "${{ secrets.AWS_SECRET_ACCESS_KEY }}", "", "${{ secrets.AWS_READ_KEY_ID }}", "", "${{ secrets.AWS_READ_SECRET }}", "",
			"${{ github.token }}", "", "${{ github.repository }}", "demo/estate", "${{ github.event.number }}", "7",
			at[string](w, file, "jobs", "look", "env", "TASK"), run.task)
		environment := func(of map[string]any) (env []string) {
			for name, value := range of {
				text, _ := value.(string)
				if env = append(env, name+"="+values.Replace(text)); strings.Contains(env[len(env)-1], "${{") {
					w.Errorf("%s has an expression that this test does not know", text)
				}
			}
			return env
		}
		if _, ofWorkflow := file["env"]; ofWorkflow {
			w.Error("the variables of the workflow reach the actions of other people")
		}
		common, _ := job["env"].(map[string]any)
		env := append(environment(common), "RUNNER_TEMP="+temp, "GITHUB_STEP_SUMMARY="+summary)
		for _, step := range at[[]any](w, job, "steps") {
			fields, _ := step.(map[string]any)
			command, ok := fields["run"].(string)
			if condition, _ := fields["if"].(string); !ok || condition != "" && !strings.Contains(condition, "'"+run.task+"'") {
				continue
			}
			own, _ := fields["env"].(map[string]any)
			w.step(command, slices.Concat(env, environment(own))...)
		}
		w.expectMachines(run.task)
	}
	for file, says := range map[string]string{summary: "No changes.", filepath.Join(temp, "comment"): "Plan: 1 to add"} {
		if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), says) {
			w.Errorf("%s should say %q: %v\n%s", file, says, err, text)
		}
	}
}

func runsOnGitLab(w *workspace) {
	w.run("init") // the lock file is committed
	file := w.job(".gitlab-ci.yml")
	key := w.apiKeyFile()
	for _, run := range tasks {
		w.checkout()
		job := at[map[string]any](w, file, run.task)
		before, inherits := job["before_script"].([]any)
		if !inherits {
			before = at[[]any](w, file, at[string](w, job, "extends"), "before_script")
		}
		// One shell runs all lines, as that of a runner does.
		w.step(strings.Join(append(texts(before), texts(at[[]any](w, job, "script"))...), "\n"), "CLOUDSERVER_READ_KEY="+key, "CLOUDSERVER_API_KEY="+key)
		w.expectMachines(run.task)
	}
	w.expectGitLabRules(file)
}

// isCancelled interrupts a job's step while the machine boots, as GitHub does: one process, and 7.5 seconds later once
// more, which ends Terraform at once. The state has the machine.
func isCancelled(w *workspace) {
	step, looked := w.beginsToApply()
	select {
	case <-looked:
	case <-time.After(time.Minute):
	}
	interrupted := step.Process.Signal(os.Interrupt)
	killer := time.AfterFunc(7500*time.Millisecond, func() { _ = syscall.Kill(-step.Process.Pid, syscall.SIGKILL) })
	defer killer.Stop()
	if err := step.Wait(); err == nil || interrupted != nil {
		w.Errorf("the step ends with %v, %v", err, interrupted)
	}
	if id := strconv.FormatInt(w.e.Machines()[0].ID, 10); w.id("cloudserver_vm.web") != id {
		w.Errorf("the state does not have machine %s", id)
	}
}

// isKilled kills a job while the machine boots: its state is locked, and does not have the machine. The commands of the
// page import it.
func isKilled(w *workspace) {
	state := &lockedState{}
	server := httptest.NewServer(state)
	w.Cleanup(server.Close)
	if err := os.Remove(filepath.Join(w.dir, "backend_override.tf")); err != nil { // which adopt does not understand
		w.Fatal(err)
	}
	_, after, _ := strings.Cut(w.shown("main.tf"), "  backend \"s3\" {")
	backend, _, _ := strings.Cut(after, "\n  }\n")
	w.edit("main.tf", "  backend \"s3\" {"+backend, fmt.Sprintf("  backend \"http\" {\n    address        = %[1]q\n    lock_address   = %[1]q\n    unlock_address = %[1]q", server.URL))
	step, looked := w.beginsToApply()
	select {
	case <-looked:
	case <-time.After(time.Minute):
	}
	if err := syscall.Kill(-step.Process.Pid, syscall.SIGKILL); err != nil || step.Wait() == nil {
		w.Fatalf("the step was not killed: %v", err)
	}
	const page = "docs/guides/ci.md"
	w.run("init")
	w.run("force-unlock", "-force", state.id())
	shown := w.cli.book.block(w.T, page, "import {")
	id := strconv.FormatInt(w.e.Machines()[0].ID, 10)
	write(w.T, w.dir, "imports.tf", regexp.MustCompile(`id = "\d+"`).ReplaceAllString(shown, `id = "`+id+`"`))
	w.step("exec sh ci.sh save")
	if text, err := os.ReadFile(filepath.Join(w.dir, "summary.md")); err != nil || !strings.Contains(string(text), "Plan: 1 to import, 0 to add, 1 to change, 0 to destroy.") {
		w.Errorf("the plan: %v\n%s", err, text)
	}
	w.step("exec sh ci.sh apply")
	if err := os.Remove(filepath.Join(w.dir, "imports.tf")); err != nil {
		w.Fatal(err)
	}
	w.expectNoChange()
	w.expectMachines("apply")
}

// lockedState is a remote state with a lock, as Terraform's backend http uses it.
type lockedState struct {
	mu          sync.Mutex
	state, lock []byte
}

// ServeHTTP implements http.Handler.
func (s *lockedState) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	body, err := io.ReadAll(r.Body)
	switch {
	case err != nil:
		w.WriteHeader(http.StatusBadRequest)
	case r.Method == "LOCK" && s.lock != nil:
		w.WriteHeader(http.StatusLocked)
		_, _ = w.Write(s.lock)
	case r.Method == "LOCK":
		s.lock = body
	case r.Method == "UNLOCK":
		s.lock = nil
	case r.Method == http.MethodPost:
		s.state = body
	case s.state == nil:
		w.WriteHeader(http.StatusNoContent)
	default:
		_, _ = w.Write(s.state)
	}
}

// id returns the ID of the lock, which Terraform prints where it does not get it.
func (s *lockedState) id() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var lock struct{ ID string }
	if json.Unmarshal(s.lock, &lock) != nil {
		return "none"
	}
	return lock.ID
}

// beginsToApply starts the job that applies the saved plan. looked is closed when the machine has been created and
// boots.
func (w *workspace) beginsToApply() (step *exec.Cmd, looked chan struct{}) {
	w.Helper()
	w.env = append(w.env, "CLOUDSERVER_TOKEN_FILE="+w.apiKeyFile())
	w.run("init")
	w.step("exec sh ci.sh save")
	looked = make(chan struct{})
	var once sync.Once
	w.e.Inject(emulator.Fault{Match: func(r emulator.Request) bool {
		if r.Method == http.MethodGet && strings.HasPrefix(r.Path, "/virtual_machines/") {
			once.Do(func() { close(looked) })
		}
		return false
	}})
	step = exec.CommandContext(w.Context(), "sh", "-ec", "exec sh ci.sh apply")
	step.Dir, step.Env = w.dir, w.env
	step.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := step.Start(); err != nil {
		w.Fatal(err)
	}
	return step, looked
}

// expectGitLabRules checks what GitLab's schema cannot express: each job has rules, needs and extends name jobs, and an
// apply is approved, protected and never concurrent.
func (w *workspace) expectGitLabRules(file map[string]any) {
	w.Helper()
	for name, value := range file {
		job, _ := value.(map[string]any)
		if _, isJob := job["script"]; !isJob {
			continue
		}
		at[string](w, at[[]any](w, job, "rules")[0], "if")
		needs, _ := job["needs"].([]any)
		base, _ := job["extends"].(string)
		for _, other := range append(texts(needs), base) {
			if _, exists := file[other]; other != "" && !exists {
				w.Errorf("%s: there is no job %s", name, other)
			}
		}
	}
	apply := at[map[string]any](w, file, "apply")
	rule := at[[]any](w, apply, "rules")[0]
	if at[string](w, rule, "when") != "manual" || at[string](w, apply, "resource_group") == "" ||
		!strings.HasPrefix(at[string](w, rule, "if"), "$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH && ") {
		w.Error("an apply has to be of the default branch, approved, and alone")
	}
}

// expectMachines checks that machines exist only after the apply.
func (w *workspace) expectMachines(task string) {
	w.Helper()
	want := 1
	if task == "plan" || task == "save" {
		want = 0
	}
	if got := len(w.e.Machines()); got != want {
		w.Errorf("after %s there are %d machines, want %d", task, got, want)
	}
}
