package examples_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
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

// expectRefusal runs the CLI, which must fail and print the reason.
func (w *workspace) expectRefusal(why string, args ...string) {
	w.Helper()
	output, err := w.try(w.cli.path, args...)
	if err == nil || !strings.Contains(output, why) {
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
	err := filepath.WalkDir(example, func(path string, entry fs.DirEntry, err error) error {
		relative, relErr := filepath.Rel(example, path)
		if err = errors.Join(err, relErr); err != nil {
			return err
		}
		if entry.IsDir() {
			if relative != "." && (strings.HasPrefix(entry.Name(), ".") || isExample(path) && filepath.Base(filepath.Dir(path)) != "tests") {
				return fs.SkipDir
			}
			return os.MkdirAll(filepath.Join(to, relative), 0o755)
		}
		if importExample.MatchString(entry.Name()) {
			return nil
		}
		content, err := os.ReadFile(path)
		declared = declared || strings.Contains(string(content), "required_providers")
		return errors.Join(err, os.WriteFile(filepath.Join(to, relative), content, 0o600))
	})
	if err != nil {
		t.Fatal(err)
	}
	if !declared {
		copyExample(t, "provider", to)
	}
}

// isExample reports whether a directory is an example of its own.
func isExample(dir string) bool {
	configurations, err := filepath.Glob(filepath.Join(dir, "*.tf"))
	return err == nil && len(configurations) > 0
}

func write(t *testing.T, dir, name, content string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}
