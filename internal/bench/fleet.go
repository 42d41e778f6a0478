package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// fleet is what `make bench-fleet` measures: many states, each with a group of its own or all with one, by Terragrunt
// or in a loop, the state in PostgreSQL, and a service that limits the rate of all. It is examples/fleet with more
// states.
type fleet struct {
	states, machines int  // machines of each state
	rate             int  // requests a second; 0: no limit
	shared           bool // all states have one group
	loop             bool // one state after the other
	steps            []fleetStep
}

// fleetStep is one command in all states.
type fleetStep struct {
	name string
	timing
	emulator time.Duration // its CPU time
	refused  int           // of the requests
	planning time.Duration // until the first request that changes something; 0: there is none
	ends     []time.Duration
}

// fleetWays are the ways in which many states are measured.
var fleetWays = map[string]func(*fleet){
	"own":    func(*fleet) {},
	"shared": func(f *fleet) { f.shared = true },
	"loop":   func(f *fleet) { f.loop = true },
}

// fleetHeading is the heading of the section.
const fleetHeading = "## Many states"

// runFleet measures many states in each of the ways, and writes the section into the page.
func runFleet(ctx context.Context, o options, dir string) error {
	b, err := build(ctx, o.cli, o.root, dir)
	if err != nil {
		return err
	}
	cli, err := b.version(ctx)
	if err != nil {
		return err
	}
	section := fmt.Sprintf("%s\n\n"+fleetIntroduction,
		fleetHeading, o.fleet.states, o.fleet.machines, o.fleet.rate, time.Now().Format(time.DateOnly), cli, runtime.NumCPU())
	for way := range strings.SplitSeq(o.ways, ",") {
		set, ok := fleetWays[way]
		if !ok {
			return fmt.Errorf("-fleet: there is no way %q", way)
		}
		f := o.fleet
		set(&f)
		if err := b.measureFleet(ctx, &f); err != nil {
			return err
		}
		section += f.row()
	}
	if o.out == "" {
		_, err = os.Stdout.WriteString(section)
		return err
	}
	return replaceSection(o.out, fleetHeading, section)
}

const fleetIntroduction = "`examples/fleet`: %d states of %d machines, each with a database of PostgreSQL, " +
	"against one service that answers after 50 ms and takes %d requests a second from all together. " +
	"Seconds, and in brackets requests for each machine. Measured by `make bench-fleet` on %s with %s, on %d cores.\n\n" +
	"| | apply | empty plan | destroy |\n|---|--:|--:|--:|\n"

// fleetVersion is the version under which the CLI finds the provider in a mirror.
const fleetVersion = "1.99.0"

func (f *fleet) title() string {
	switch {
	case f.loop:
		return "one after the other"
	case f.shared:
		return "side by side, all in one group"
	default:
		return "side by side, a group each"
	}
}

// measureFleet runs an apply, a plan that must be empty, and a destroy.
func (b *bench) measureFleet(ctx context.Context, f *fleet) (err error) {
	dir := filepath.Join(b.dir, "fleet")
	if err := b.layOut(dir, f); err != nil {
		return err
	}
	emulator, err := b.serve(ctx, "--rate-limit", fmt.Sprint(f.rate))
	if err != nil {
		return err
	}
	postgres, stop, err := servePostgres(ctx, dir)
	if err != nil {
		_ = emulator.stop()
		return err
	}
	defer func() {
		stop()
		_ = emulator.stop()
		if err == nil {
			err = os.RemoveAll(dir)
		}
	}()
	env := slices.Concat(b.env(), emulator.env, postgres, []string{
		"TF_CLI_CONFIG_FILE=" + filepath.Join(dir, "cli.tfrc"), "TERRAFORM=" + b.cli, "TF_INPUT=0", fmt.Sprintf("TF_VAR_machines=%d", f.machines),
		"TF_VAR_ssh_public_key=ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBDEcVOF9T6JTvtpHHEpzVeRKPicDToJM8d3QYI9jjrM bench@example",
	})
	if f.shared {
		if err := b.command(ctx, dir, env, "curl", "-fsS", "-X", "POST", emulator.variable("CLOUDSERVER_ENDPOINT")+"/accounts/demo/groups",
			"-H", "Authorization: Bearer "+emulator.variable("CLOUDSERVER_TOKEN"), "-H", "Content-Type: application/json", "-d", `{"name": "all"}`); err != nil {
			return err
		}
	}
	for _, args := range [][]string{{"apply", "-auto-approve"}, {"plan", "-detailed-exitcode"}, {"destroy", "-auto-approve"}} {
		step, err := b.fleetStep(ctx, dir, env, emulator, f, args)
		if err != nil {
			return fmt.Errorf("%s: %s: %w", f.title(), args[0], err)
		}
		f.steps = append(f.steps, step)
		fmt.Fprintln(os.Stderr, f.title()+" "+step.details(f))
	}
	return nil
}

// layOut copies the example, with as many states, and makes a mirror in which the CLI finds the provider behind its
// meter.
func (b *bench) layOut(dir string, f *fleet) error {
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(b.root, "examples", "fleet"))); err != nil {
		return err
	}
	unit, err := os.ReadFile(filepath.Join(dir, "units", "shop", "terragrunt.hcl"))
	if err == nil {
		err = os.RemoveAll(filepath.Join(dir, "units"))
	}
	if err != nil {
		return err
	}
	for n := range f.states {
		if err := writeFile(filepath.Join(dir, "units", fmt.Sprintf("state%d", n)), "terragrunt.hcl", string(unit)); err != nil {
			return err
		}
	}
	if f.shared {
		if err := shareGroup(filepath.Join(dir, "machines", "main.tf")); err != nil {
			return err
		}
	}
	mirror := filepath.Join(dir, "mirror")
	for _, registry := range []string{"registry.terraform.io", "registry.opentofu.org"} {
		home := filepath.Join(mirror, registry, "cloudserver", "cloudserver", fleetVersion, runtime.GOOS+"_"+runtime.GOARCH)
		name := "terraform-provider-cloudserver_v" + fleetVersion
		if err := os.MkdirAll(filepath.Join(home, "metered"), 0o700); err != nil {
			return err
		}
		for link, program := range map[string]string{
			filepath.Join(home, name):            filepath.Join(b.dir, "providers", "cloudserver", "terraform-provider-cloudserver"),
			filepath.Join(home, "metered", name): b.providers["cloudserver"],
		} {
			if err := os.Link(program, link); err != nil {
				return err
			}
		}
	}
	return writeFile(dir, "cli.tfrc", fmt.Sprintf("disable_checkpoint = true\nprovider_installation {\n  filesystem_mirror {\n    path = %q\n  }\n}\n", mirror))
}

// shareGroup puts the machines of a configuration into a group that exists.
func shareGroup(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	const own, reference = "resource \"cloudserver_group\" \"this\" {\n  name = var.state\n}\n", "cloudserver_group.this.name"
	if !strings.Contains(string(text), own) || !strings.Contains(string(text), reference) {
		return fmt.Errorf("%s has no group that can be replaced", file)
	}
	return os.WriteFile(file, []byte(strings.NewReplacer(own, "", reference, `"all"`).Replace(string(text))), 0o600)
}

// servePostgres starts the server of the example's script, and returns the variables by which clients find it.
func servePostgres(ctx context.Context, dir string) (env []string, stop func(), err error) {
	server := exec.CommandContext(context.WithoutCancel(ctx), "./postgres.sh", "sh", "-c", "env | grep ^PG; echo; cat")
	server.Dir, server.Stderr = dir, os.Stderr
	input, err := server.StdinPipe() // it ends with its input
	if err != nil {
		return nil, nil, err
	}
	printed, err := server.StdoutPipe()
	if err == nil {
		err = server.Start()
	}
	if err != nil {
		return nil, nil, err
	}
	for lines := bufio.NewScanner(printed); lines.Scan() && lines.Text() != ""; {
		env = append(env, lines.Text())
	}
	return env, func() { _ = input.Close(); _ = server.Wait() }, nil
}

// command runs a program, and returns what it prints if it fails.
func (b *bench) command(ctx context.Context, dir string, env []string, name string, args ...string) error {
	command := exec.CommandContext(ctx, name, args...)
	command.Dir, command.Env = dir, env
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, tail(string(output)))
	}
	return nil
}

// fleetStep runs one command in all states.
func (b *bench) fleetStep(ctx context.Context, dir string, env []string, emulator *service, f *fleet, args []string) (fleetStep, error) {
	step := fleetStep{name: args[0]}
	usageDir, err := os.MkdirTemp(b.dir, "usage-")
	if err != nil {
		return step, err
	}
	how, report := "all", filepath.Join(usageDir, "report.txt")
	if f.loop {
		how = "each"
	}
	command := exec.CommandContext(ctx, "./fleet.sh", append([]string{how}, append(args, "-no-color", "-input=false")...)...)
	command.Dir = dir
	command.Env = append(slices.Clone(env), "BENCH_USAGE="+usageDir, "TG_REPORT_FILE="+report, "TG_REPORT_FORMAT=json")
	var output bytes.Buffer
	command.Stdout, command.Stderr = &output, &output
	requests, refused, cpu, began := emulator.requests.Load(), emulator.refused.Load(), emulator.cpu(), time.Now()
	emulator.written.Store(0)
	err = command.Run()
	step.wall = time.Since(began)
	step.requests, step.refused, step.emulator = int(emulator.requests.Load()-requests), int(emulator.refused.Load()-refused), emulator.cpu()-cpu
	if state := command.ProcessState; state != nil {
		step.cpu = state.UserTime() + state.SystemTime()
	}
	if err != nil {
		return step, fmt.Errorf("%w\n%s", err, tail(output.String()))
	}
	if step.provider, err = readUsage(usageDir); err != nil || f.loop {
		return step, err
	}
	began, step.ends, err = readEnds(report)
	step.wall = slices.Max(append(step.ends, 0))
	if written := emulator.written.Load(); written > 0 {
		step.planning = time.Unix(0, written).Sub(began)
	}
	return step, err
}

// readEnds returns when the first state has begun, and how long after that each has ended, as Terragrunt reports it.
func readEnds(report string) (began time.Time, ends []time.Duration, err error) {
	text, err := os.ReadFile(report)
	if err != nil {
		return began, nil, err
	}
	var units []struct{ Started, Ended time.Time }
	if err := json.Unmarshal(text, &units); err != nil {
		return began, nil, fmt.Errorf("%s: %w", report, err)
	}
	for _, unit := range units {
		if began.IsZero() || unit.Started.Before(began) {
			began = unit.Started
		}
	}
	for _, unit := range units {
		ends = append(ends, unit.Ended.Sub(began))
	}
	return began, ends, nil
}

// fairness is when the last state ends, as a multiple of the mean.
func (s fleetStep) fairness() float64 {
	var sum time.Duration
	for _, end := range s.ends {
		sum += end
	}
	if sum == 0 {
		return 0
	}
	return slices.Max(s.ends).Seconds() * float64(len(s.ends)) / sum.Seconds()
}

// details is all that was measured in a step, for a reader of the output.
func (s fleetStep) details(f *fleet) string {
	limit := 0.0
	if f.rate > 0 {
		limit = float64(s.accepted()) / float64(f.rate)
	}
	cores := (s.cpu + s.emulator).Seconds() / float64(runtime.NumCPU())
	return fmt.Sprintf("%s: %.1f s, at least %.1f s by the rate and %.1f s by the cores; planning %.1f s; %d requests, %d answered 429; "+
		"last state ÷ mean %.2f; CPU %.0f s, providers' %.0f s, emulator's %.0f s; a process's memory %d MB",
		s.name, s.wall.Seconds(), limit, cores, s.planning.Seconds(), s.accepted(), s.refused, s.fairness(),
		s.cpu.Seconds(), s.provider.CPUSeconds, s.emulator.Seconds(), s.provider.PeakKB/1024)
}

func (s fleetStep) accepted() int { return s.requests - s.refused }

// row is the line of a way in the table.
func (f *fleet) row() string {
	text := "| " + f.title() + " |"
	for _, s := range f.steps {
		text += fmt.Sprintf(" %.0f s (%.2f) |", s.wall.Seconds(), float64(s.accepted())/float64(f.states*f.machines))
	}
	return text + "\n"
}
