package examples_test

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// runJobs runs what the jobs of the pages run, for each event, in the order in which the CI would, with the variables that it would set.
func runJobs(t *testing.T, c *cli) {
	for name, run := range map[string]func(*workspace){"GitHub": runsOnGitHub, "GitLab": runsOnGitLab} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorkspace(t, c, acctest.StartEmulator(t, emulator.Options{}), "guides/ci")
			w.env = slices.DeleteFunc(w.env, func(v string) bool { return strings.HasPrefix(v, "CLOUDSERVER_TOKEN=") })
			run(w)
		})
	}
}

// job returns the definition of jobs in a file of the example. Those of GitHub are checked as this repository's own are.
func (w *workspace) job(file string) map[string]any {
	w.Helper()
	source := w.shown(file)
	if strings.Contains(source, "\njobs:\n") {
		linter := strings.TrimSpace(output(w.T, "../internal/tools/tool.sh", "actionlint"))
		output(w.T, linter, "-shellcheck=", "-pyflakes=", filepath.Join(w.example, file))
	}
	w.cli.book.executed(source)
	return w.parseYAML(source)
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

func runsOnGitHub(w *workspace) {
	job := at[map[string]any](w, w.job(".github/workflows/terraform.yml"), "jobs", "terraform")
	home := w.T.TempDir()
	workspaceDir := filepath.Join(home, "work")
	for _, task := range []string{"plan", "apply", "drift"} {
		// What GitHub makes of the expressions.
		values := strings.NewReplacer("${{ vars.CLOUDSERVER_ENDPOINT }}", w.e.URL, "${{ github.workspace }}/..", home,
			"${{ secrets.CLOUDSERVER_API_KEY }}", emulator.DemoAPIKey, at[string](w, job, "env", "TASK"), task)
		environment := func(of map[string]any) (env []string) {
			for name, value := range of {
				text, _ := value.(string)
				if env = append(env, name+"="+values.Replace(text)); strings.Contains(env[len(env)-1], "${{") {
					w.Errorf("%s has an expression that this test does not know", text)
				}
			}
			return env
		}
		if err := os.MkdirAll(workspaceDir, 0o755); err != nil {
			w.Fatal(err)
		}
		env := environment(at[map[string]any](w, job, "env"))
		for _, step := range at[[]any](w, job, "steps") {
			fields, _ := step.(map[string]any)
			if command, ok := fields["run"].(string); ok {
				own, _ := fields["env"].(map[string]any)
				w.step(command, slices.Concat(env, environment(own))...)
			}
		}
		w.expectMachines(task)
	}
}

func runsOnGitLab(w *workspace) {
	file := w.job(".gitlab-ci.yml")
	token := filepath.Join(w.T.TempDir(), "token")
	if err := os.WriteFile(token, []byte(emulator.DemoAPIKey), 0o644); err != nil { //nolint:gosec // as GitLab writes it: the job narrows it
		w.Fatal(err)
	}
	for _, task := range []string{"plan", "apply", "drift"} {
		job := at[map[string]any](w, file, task)
		before := at[[]any](w, file, at[string](w, job, "extends"), "before_script")
		for _, command := range append(texts(before), texts(at[[]any](w, job, "script"))...) {
			w.step(command, "CLOUDSERVER_TOKEN_FILE="+token)
		}
		w.expectMachines(task)
	}
}

// expectMachines expects that only the apply and what follows has a machine.
func (w *workspace) expectMachines(task string) {
	w.Helper()
	want := 1
	if task == "plan" {
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
	if before := texts(at[[]any](w, gitlab, "module", "before_script")); !slices.Equal(before, []string{"apk add --no-cache curl"}) { // the image has none
		w.Errorf("nothing runs %q", before)
	}
	if other := texts(at[[]any](w, gitlab, "module", "script")); !slices.Equal(commands, other) {
		w.Errorf("GitHub runs %q, and GitLab %q", commands, other)
	}
	return commands
}
