package examples_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
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

// runJobs runs what the jobs of the pages run, for each event, in the order in which the CI would, with the variables that it would set.
func runJobs(t *testing.T, c *cli) {
	for name, run := range map[string]func(*workspace){"GitHub": runsOnGitHub, "GitLab": runsOnGitLab, "cancelled": isCancelled} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			options := emulator.Options{}
			if name == "cancelled" {
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

// checkout gives the next job a directory of its own, as a runner does: with what is committed, and the plan that a job passes on.
func (w *workspace) checkout() {
	w.Helper()
	last := w.dir
	w.dir = w.TempDir()
	copyExample(w.T, w.example, w.dir)
	for _, name := range []string{"backend_override.tf", ".terraform.lock.hcl", "tfplan"} {
		if content, err := os.ReadFile(filepath.Join(last, name)); err == nil {
			write(w.T, w.dir, name, string(content))
		}
	}
}

// job returns the definition of jobs in a file of the example. Those of GitHub are checked as this repository's own are, those of
// GitLab by its own schema.
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

// at returns what is in parsed YAML under a path of keys.
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

// tasks are those of the guide, in the order in which a change meets them, with the job that runs each.
var tasks = []struct{ task, onGitHub string }{{"plan", "look"}, {"save", "look"}, {"apply", "apply"}, {"drift", "look"}}

func runsOnGitHub(w *workspace) {
	w.run("init") // the lock file is committed
	file := w.job(".github/workflows/terraform.yml")
	temp := w.T.TempDir()
	summary := filepath.Join(temp, "summary")
	for _, run := range tasks {
		w.checkout()
		job := at[map[string]any](w, file, "jobs", run.onGitHub)
		// What GitHub makes of the expressions.
		values := strings.NewReplacer("${{ vars.CLOUDSERVER_ENDPOINT }}", w.e.URL, "${{ secrets.ROOT_PASSWORD }}", rootPassword,
			"${{ secrets.CLOUDSERVER_API_KEY }}", emulator.DemoAPIKey, "${{ secrets.CLOUDSERVER_READ_KEY }}", emulator.DemoAPIKey,
			"${{ secrets.AWS_ACCESS_KEY_ID }}", "", "${{ secrets.AWS_SECRET_ACCESS_KEY }}", "",
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
		env := slices.Concat(environment(at[map[string]any](w, file, "env")), environment(at[map[string]any](w, job, "env")),
			[]string{"RUNNER_TEMP=" + temp, "GITHUB_STEP_SUMMARY=" + summary})
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
	if text, err := os.ReadFile(summary); err != nil || !strings.Contains(string(text), "No changes.") {
		w.Errorf("the summary: %v\n%s", err, text)
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

// isCancelled interrupts a job's step while the machine boots, as GitHub does: one process, and 7.5 seconds later once more, which
// ends Terraform at once. The state has the machine.
func isCancelled(w *workspace) {
	w.env = append(w.env, "CLOUDSERVER_TOKEN_FILE="+w.apiKeyFile())
	w.run("init")
	w.step("exec sh ci.sh save")
	looked := make(chan struct{})
	var once sync.Once
	w.e.Inject(emulator.Fault{Match: func(r emulator.Request) bool {
		if r.Method == http.MethodGet && strings.HasPrefix(r.Path, "/virtual_machines/") {
			once.Do(func() { close(looked) })
		}
		return false
	}})
	step := exec.CommandContext(w.Context(), "sh", "-ec", "exec sh ci.sh apply")
	step.Dir, step.Env = w.dir, w.env
	step.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := step.Start(); err != nil {
		w.Fatal(err)
	}
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

// expectGitLabRules checks what GitLab's schema cannot: each job has rules, needs and extends name jobs, and what is applied is
// approved, protected and alone.
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

// expectMachines expects that only the apply and what follows has a machine.
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

// testCommands returns what the two jobs of the guide about tests run, which is the same.
func (w *workspace) testCommands() []string {
	w.Helper()
	github := w.job("ci/github.yml")
	gitlab := w.job("ci/gitlab.yml")
	var commands []string
	for _, step := range at[[]any](w, github, "jobs", "module", "steps") {
		fields, _ := step.(map[string]any)
		if command, ok := fields["run"].(string); ok {
			commands = append(commands, command)
		}
	}
	if other := texts(at[[]any](w, gitlab, "module", "script")); !slices.Equal(commands, other) {
		w.Errorf("GitHub runs %q, and GitLab %q", commands, other)
	}
	return commands
}
