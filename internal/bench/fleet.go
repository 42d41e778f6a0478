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

// fleet is what `make bench-fleet` measures: many states, each with a group of its own or all with one, by Terragrunt or in a
// loop, the state in PostgreSQL, and a service that limits the rate of all. It is examples/fleet with more states.
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

// The file of the section, and its heading.
const (
	fleetText    = "fleet.md"
	fleetHeading = "## Many states side by side"
)

// runFleet measures many states in each of the ways, and writes the section, also into the page.
func runFleet(ctx context.Context, o options, dir string) error {
	b, err := build(ctx, o.cli, o.root, dir)
	if err != nil {
		return err
	}
	cli, err := b.version(ctx)
	if err != nil {
		return err
	}
	section := fmt.Sprintf(fleetHeading+"\n\n"+fleetIntroduction, time.Now().Format(time.DateOnly), cli, runtime.NumCPU())
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
		section += "\n" + f.table()
		if o.out == "" {
			continue
		}
		if err := os.WriteFile(filepath.Join(o.root, "internal", "bench", fleetText), []byte(section), 0o644); err != nil {
			return err
		}
		if err := replaceSection(o.out, fleetHeading, section); err != nil {
			return err
		}
	}
	_, err = os.Stdout.WriteString(section)
	return err
}

const fleetIntroduction = "`make bench-fleet` runs `examples/fleet`: many states by Terragrunt, ten at a time, each with a database of PostgreSQL, against one emulator " +
	"that answers after 50 ms and limits the rate of all. Measured on %s with %s, on %d cores. *The rate's limit* is the time that so many requests take at that rate, " +
	"without the start of ten CLIs. *The cores' limit* is the time that they need for the CPU of the CLIs, the providers and the emulator; " +
	"PostgreSQL's is not measured. What takes longer than the larger of the two is lost elsewhere: at the start and the end of a command, " +
	"or because a process waits. *Planning* ends with the first request that changes something; until then only the cores are the limit. " +
	"A destroy uses little CPU afterwards, so *sending ÷ the rate's limit* shows what pacing costs it. For an apply it mostly shows the CPU. " +
	"In simulated time, without CPU, `TestPaceOfSeveral` holds ten processes to the rate. The first twenty machines of a process are read one by one, " +
	"so the requests per machine fall as states grow.\n"

// fleetVersion is the version under which the CLI finds the provider in a mirror.
const fleetVersion = "1.99.0"

func (f *fleet) title() string {
	text := fmt.Sprintf("%d states of %d machines", f.states, f.machines)
	if f.shared {
		text += ", one group"
	}
	if f.loop {
		return text + ", one after the other"
	}
	return text
}

// measureFleet runs an apply, a plan that must be empty, and a destroy.
func (b *bench) measureFleet(ctx context.Context, f *fleet) (err error) {
	dir := filepath.Join(b.dir, "fleet")
	if err := b.layOut(dir, f); err != nil {
		return err
	}
	emulator, err := b.serve(ctx, 0, "--rate-limit", fmt.Sprint(f.rate))
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
		"TF_VAR_ssh_public_key=ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBench bench@example",
	})
	if f.shared {
		if err := b.command(ctx, dir, env, "curl", "-fsS", "-X", "POST", emulator.variable("CLOUDSERVER_ENDPOINT")+"/accounts/demo/groups", "-H", "Authorization: Bearer "+emulator.variable("CLOUDSERVER_TOKEN"),
			"-H", "Content-Type: application/json", "-d", `{"name": "all"}`); err != nil {
			return err
		}
	}
	for _, args := range [][]string{{"apply", "-auto-approve"}, {"plan", "-detailed-exitcode"}, {"destroy", "-auto-approve"}} {
		step, err := b.fleetStep(ctx, dir, env, emulator, f, args)
		if err != nil {
			return fmt.Errorf("%s: %s: %w", f.title(), args[0], err)
		}
		f.steps = append(f.steps, step)
		fmt.Fprintln(os.Stderr, f.title()+" "+step.row(f))
	}
	return nil
}

// layOut copies the example, with as many states, and makes a mirror in which the CLI finds the provider behind its meter.
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

const fleetHeader = `| step | wall | the rate's limit | the cores' limit | ÷ the larger | planning | sending ÷ the rate's limit | requests | per machine | answered 429 | last state ÷ mean | CPU | provider's CPU | emulator's CPU | a process's memory |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|`

// row is a line of the table.
func (s fleetStep) row(f *fleet) string {
	accepted := s.requests - s.refused
	limit, fairness := 0.0, "–"
	if f.rate > 0 {
		limit = float64(accepted) / float64(f.rate)
	}
	cores := (s.cpu + s.emulator).Seconds() / float64(runtime.NumCPU())
	if len(s.ends) > 0 {
		fairness = fmt.Sprintf("%.2f", s.fairness())
	}
	planning, sending := "–", "–"
	if s.planning > 0 {
		planning = fmt.Sprintf("%.1f s", s.planning.Seconds())
		if limit > 0 {
			sending = fmt.Sprintf("%.2f", (s.wall-s.planning).Seconds()/limit)
		}
	}
	return fmt.Sprintf(
		"| %s | %.1f s | %.1f s | %.1f s | %.2f | %s | %s | %d | %.2f | %d | %s | %.0f s | %.0f s | %.0f s | %d MB |", s.name,
		s.wall.Seconds(), limit, cores, s.wall.Seconds()/max(limit, cores, 0.001), planning, sending, accepted,
		float64(accepted)/float64(f.states*f.machines), s.refused, fairness,
		s.cpu.Seconds(), s.provider.CPUSeconds, s.emulator.Seconds(), s.provider.PeakKB/1024,
	)
}

// table is what was measured, as Markdown.
func (f *fleet) table() string {
	text := "### " + f.title()
	if f.rate > 0 {
		text += fmt.Sprintf(", %d requests a second", f.rate)
	}
	text += "\n\n" + fleetHeader + "\n"
	for _, s := range f.steps {
		text += s.row(f) + "\n"
	}
	return text
}
