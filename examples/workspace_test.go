package examples_test

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// rootPassword is the value of every secret in the examples.
const rootPassword = "only-for-the-emulator"

// workspace is a copy of an example with an emulator of its own.
type workspace struct {
	*testing.T
	example string
	dir     string
	cli     *cli
	e       *acctest.Emulator
	env     []string
}

func newWorkspace(t *testing.T, c *cli, e *acctest.Emulator, example string) *workspace {
	t.Helper()
	w := &workspace{T: t, example: example, dir: t.TempDir(), cli: c, e: e}
	copyExample(t, example, w.dir)
	w.env = append(os.Environ(),
		"PATH="+c.programs+string(os.PathListSeparator)+os.Getenv("PATH"),
		"TF_CLI_CONFIG_FILE="+c.config, "TF_CLI_ARGS=-no-color", "TF_INPUT=0", "TERRAFORM="+c.path,
		"CLOUDSERVER_ENDPOINT="+e.URL, "CLOUDSERVER_TOKEN="+emulator.DemoAPIKey, "CLOUDSERVER_ACCOUNT="+emulator.DemoAccount,
		"TF_VAR_root_password="+rootPassword, "TF_VAR_enrolment_token="+rootPassword, "TF_VAR_ssh_public_key=ssh-ed25519 AAAA")
	return w
}

// set changes a variable of the configuration.
func (w *workspace) set(variable, value string) { w.env = append(w.env, "TF_VAR_"+variable+"="+value) }

// run runs the CLI, which must succeed, and returns what it prints.
func (w *workspace) run(args ...string) string {
	w.Helper()
	output, err := w.try(w.cli.path, args...)
	if err != nil {
		w.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, output)
	}
	return output
}

// sh runs the block of a page that contains the text, after the given replacements. It must succeed.
func (w *workspace) sh(page, contains string, replace ...string) string {
	w.Helper()
	commands := strings.NewReplacer(replace...).Replace(w.cli.book.block(w.T, page, contains))
	output, err := w.try("sh", "-ec", commands)
	if err != nil {
		w.Fatalf("%s: %s\n%v\n%s", page, commands, err, output)
	}
	return output
}

// expectRefusal runs the CLI, which must fail and print the reason, on one line or on several.
func (w *workspace) expectRefusal(why string, args ...string) {
	w.Helper()
	output, err := w.try(w.cli.path, args...)
	if err == nil || !strings.Contains(strings.Join(strings.Fields(output), " "), why) {
		w.Fatalf("%s: %v, which should be a refusal that says %q\n%s", strings.Join(args, " "), err, why, output)
	}
}

// expectNoChange expects an empty plan.
func (w *workspace) expectNoChange() {
	w.Helper()
	w.run("plan", "-detailed-exitcode")
}

func (w *workspace) try(name string, args ...string) (string, error) {
	program := exec.CommandContext(w.Context(), name, args...)
	program.Dir, program.Env = w.dir, w.env
	output, err := program.CombinedOutput()
	w.cli.book.record.add(string(output))
	return string(output), err
}

// id returns the ID of a resource in the state.
func (w *workspace) id(address string) string {
	w.Helper()
	text, err := os.ReadFile(filepath.Join(w.dir, "terraform.tfstate"))
	if err != nil {
		w.Fatal(err)
	}
	var state struct {
		Resources []struct {
			Mode, Type, Name string
			Instances        []struct{ Attributes struct{ ID string } }
		}
	}
	if err := json.Unmarshal(text, &state); err != nil {
		w.Fatal(err)
	}
	for _, r := range state.Resources {
		if r.Mode == "managed" && r.Type+"."+r.Name == address && len(r.Instances) == 1 {
			return r.Instances[0].Attributes.ID
		}
	}
	w.Fatalf("%s is not in the state", address)
	return ""
}

// copyExample copies the files that a user would have, except for the ways to import, which importEachWay adds one at a
// time. A part of a configuration gets the blocks that every configuration has.
func copyExample(t *testing.T, example, to string) {
	t.Helper()
	declared := false
	others := exampleDirs(t)
	for _, path := range files(t, example) {
		relative, err := filepath.Rel(example, path)
		if err != nil {
			t.Fatal(err)
		}
		if of := filepath.ToSlash(filepath.Dir(path)); of != example && slices.Contains(others, of) || importExample.MatchString(filepath.Base(path)) {
			continue // an example of its own, or a way to import
		}
		declared = declared || strings.Contains(read(t, path), "required_providers")
		copyFile(t, path, filepath.Join(to, relative))
	}
	if !declared {
		copyExample(t, "provider", to)
	}
}

// copyFile copies a file, which remains a program if it is one.
func copyFile(t *testing.T, from, to string) {
	t.Helper()
	kind, err := os.Stat(from)
	if err == nil {
		err = errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, []byte(read(t, from)), kind.Mode()))
	}
	if err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, dir, name, content string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}
