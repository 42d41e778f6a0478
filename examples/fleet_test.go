package examples_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// fleetStates are the states of the example, and fleetMachines how many machines each has here.
var fleetStates = []string{"blog", "shop"}

const fleetMachines = 3

// runFleet runs the example of many states where TERRAGRUNT names that program. Elsewhere its blocks count as executed:
// the gate runs them, and a machine without Terragrunt or PostgreSQL has all other tests.
func runFleet(t *testing.T, c *cli) {
	terragrunt := os.Getenv("TERRAGRUNT")
	if terragrunt != "" {
		runStates(t, c, terragrunt)
		return
	}
	for _, path := range files(t, "fleet") {
		c.book.executed(read(t, path))
	}
}

// runStates takes the states of the example through their life by Terragrunt, ten at a time, and by the jobs of GitLab,
// on a PostgreSQL of their own and a service that limits the rate of all.
func runStates(t *testing.T, c *cli, terragrunt string) {
	w := newWorkspace(t, c, acctest.StartEmulator(t, emulator.Options{RateLimit: 30}), "fleet/machines")
	w.example, w.dir = "fleet", t.TempDir()
	for _, path := range files(t, "fleet") {
		copyFile(t, path, filepath.Join(w.dir, strings.TrimPrefix(path, "fleet")))
	}
	output(t, filepath.Join("..", "internal", "tools", "postgres.sh"))
	bin := t.TempDir()
	if err := os.Symlink(terragrunt, filepath.Join(bin, "terragrunt")); err != nil {
		t.Fatal(err)
	}
	w.useACLIWithPostgres(bin)
	w.env = append(w.env, "PATH="+bin+string(os.PathListSeparator)+c.programs+string(os.PathListSeparator)+os.Getenv("PATH"))
	w.servePostgres()
	w.set("machines", fmt.Sprint(fleetMachines))

	w.fleet("all", "apply")
	w.expectFleet(fleetMachines)
	w.fleet("each", "plan", "-detailed-exitcode", "-input=false")
	w.refusesWhileLocked()
	w.set("machines", fmt.Sprint(fleetMachines+1))
	w.runFleetJobs()
	w.expectFleet(fleetMachines + 1)
	w.fleet("all", "destroy")
	if left := w.e.Machines(); len(left) > 0 || len(w.e.GroupNames(emulator.DemoAccount)) > 2 {
		t.Errorf("left are %v and %v", left, w.e.GroupNames(emulator.DemoAccount))
	}
	w.expectOneUnit()
}

// useACLIWithPostgres puts a CLI into a folder of PATH that has the backend pg: this one, unless it is the Terraform of
// internal/tools, which is built without.
func (w *workspace) useACLIWithPostgres(bin string) {
	w.Helper()
	if !strings.HasPrefix(filepath.Base(w.cli.path), "terraform-") {
		return
	}
	tofu := strings.TrimSpace(output(w.T, filepath.Join("..", "internal", "tools", "tool.sh"), "opentofu"))
	err := errors.Join(os.Symlink(tofu, filepath.Join(bin, "terraform")),
		os.CopyFS(filepath.Join(w.cli.mirror, "registry.opentofu.org"), os.DirFS(filepath.Join(w.cli.mirror, "registry.terraform.io"))))
	if err != nil {
		w.Fatal(err)
	}
	w.env = append(w.env, "TERRAFORM="+tofu)
}

// fleet runs the script of the example.
func (w *workspace) fleet(args ...string) {
	w.Helper()
	if output, err := w.try("./fleet.sh", append(args, "-no-color")...); err != nil {
		w.Fatalf("fleet.sh %s: %v\n%s", strings.Join(args, " "), err, output)
	}
}

// servePostgres starts the server of the example's script until the test ends.
func (w *workspace) servePostgres() {
	w.Helper()
	server := exec.CommandContext(context.WithoutCancel(w.Context()), "./postgres.sh", "sh", "-c", "env | grep ^PG; echo; cat")
	server.Dir, server.Env, server.Stderr = w.dir, w.env, os.Stderr
	input, err := server.StdinPipe() // it ends with its input
	if err != nil {
		w.Fatal(err)
	}
	printed, err := server.StdoutPipe()
	if err == nil {
		err = server.Start()
	}
	if err != nil {
		w.Fatal(err)
	}
	w.Cleanup(func() {
		_ = input.Close()
		if err := server.Wait(); err != nil {
			w.Errorf("postgres.sh: %v", err)
		}
	})
	lines := bufio.NewScanner(printed)
	for lines.Scan() && lines.Text() != "" {
		w.env = append(w.env, lines.Text())
	}
	if !slices.ContainsFunc(w.env, func(v string) bool { return strings.HasPrefix(v, "PGPORT=") }) {
		w.Fatal("postgres.sh did not start a server")
	}
}

// expectFleet expects the given number of machines in the group of each state, all of which start again by themselves.
func (w *workspace) expectFleet(machines int) {
	w.Helper()
	counts := map[string]int{}
	for _, m := range w.e.Machines() {
		counts[m.Name[:strings.LastIndex(m.Name, "-")]]++
		if !m.AutorebootOn {
			w.Errorf("%s does not start again by itself", m.Name)
		}
	}
	for _, state := range fleetStates {
		if counts[state] != machines || !slices.Contains(w.e.GroupNames(emulator.DemoAccount), state) {
			w.Errorf("the machines are %v, and the groups %v", counts, w.e.GroupNames(emulator.DemoAccount))
		}
	}
}

// refusesWhileLocked checks that the backend locks: while somebody holds the lock of a state, its plan waits, and the
// others do not.
func (w *workspace) refusesWhileLocked() {
	w.Helper()
	plan := `psql -qtA dbname=shop -c 'SELECT pg_advisory_lock(id) FROM terraform_remote_state.states' -c 'SELECT pg_sleep(60)' >/dev/null 2>&1 & holder=$!
trap "psql -qtAc \"SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'\" dbname=shop; wait" EXIT
until psql -qtAc "SELECT 'held' FROM pg_locks WHERE locktype = 'advisory'" dbname=shop | grep -q held; do kill -0 $holder; done
cd machines
for state in blog shop; do
	code=0
	TF_VAR_state=$state PG_CONN_STR=dbname=$state TF_DATA_DIR=../units/$state/.terraform terraform plan -lock-timeout=0s || code=$?
	echo "$state: $code"
done`
	if output, err := w.try("sh", "-ec", plan); err != nil || !strings.Contains(output, "blog: 0") || !strings.Contains(output, "shop: 1") ||
		!strings.Contains(output, "Error acquiring the state lock") {
		w.Errorf("while the state shop is locked: %v\n%s", err, output)
	}
}

// runFleetJobs runs the jobs of each state of the matrix: first all plans, and then the applies that a person approves.
func (w *workspace) runFleetJobs() {
	w.Helper()
	file := w.job(".gitlab-ci.yml")
	matrix := at[map[string]any](w, at[[]any](w, file, ".state", "parallel", "matrix")[0])
	states := texts(at[[]any](w, matrix, "STATE"))
	if slices.Sort(states); !slices.Equal(states, fleetStates) {
		w.Errorf("the matrix has the states %v, and units/ %v", states, fleetStates)
	}
	variables := at[map[string]any](w, file, ".state", "variables")
	before := texts(at[[]any](w, file, ".state", "before_script"))
	key := w.apiKeyFile()
	for _, job := range []string{"plan", "apply"} {
		commands := strings.Join(append(before, texts(at[[]any](w, file, job, "script"))...), "\n")
		for _, state := range states {
			env := []string{"STATE=" + state, "CLOUDSERVER_TOKEN=", "CLOUDSERVER_TOKEN_FILE=" + key, "TF_DATA_DIR=" + filepath.Join(w.T.TempDir(), "data")}
			for name, value := range variables {
				env = append(env, name+"="+strings.ReplaceAll(value.(string), "$STATE", state)) //nolint:forcetypeassert // the schema says so
			}
			w.step(commands, env...)
		}
	}
	rule := at[[]any](w, file, "apply", "rules")[0]
	if at[string](w, rule, "when") != "manual" || at[[]any](w, file, "apply", "needs")[0] != "plan" {
		w.Error("an apply has to be approved, and to come after the plans")
	}
}

// expectOneUnit checks that the file is the same in each folder, as the example claims.
func (w *workspace) expectOneUnit() {
	w.Helper()
	found, err := filepath.Glob("fleet/units/*/terragrunt.hcl")
	if err != nil || len(found) != len(fleetStates) {
		w.Fatalf("the units are %v, %v", found, err)
	}
	for _, file := range found {
		if read(w.T, file) != read(w.T, found[0]) {
			w.Errorf("%s differs from %s", file, found[0])
		}
	}
	w.cli.book.executed(read(w.T, found[0]))
	w.cli.book.executed(read(w.T, "fleet/fleet.sh"))
	w.cli.book.executed(read(w.T, "fleet/postgres.sh"))
}
