package main

import (
	_ "embed" // what was measured by hand
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"
)

// profile is the end of the page: what was measured by hand.
//
//go:embed profile.md
var profile string

// manyStates is what `make bench-fleet` measured.
//
//go:embed fleet.md
var manyStates string

// growing is what `make bench-growth` measured.
//
//go:embed growth.md
var growing string

// results holds everything that was measured.
type results struct {
	cli       string
	sizes     []sized
	startups  []startup
	simulated []measured
	rolled    rollout
	emulated  []emulated
}

// chartFile is where the page expects the chart.
const chartFile = "internal/bench/chart.svg"

// page returns the results as Markdown: how long things take, beside what, and then how it was measured.
func (r *results) page() string {
	var p strings.Builder
	line := func(format string, arguments ...any) { p.WriteString(fmt.Sprintf(format, arguments...) + "\n") }
	line("# Benchmarks\n")
	line("How long Terraform takes with this provider, and in brackets as a multiple of what it takes with a provider that is shaped like the most used " +
		"one for virtual machines: below 1, this one is faster.\n")
	r.answers(line)
	line("![Seconds and requests of an empty plan, beside the peer-shaped provider and the floor](%s)\n", chartFile)
	r.rollout(line)
	r.startupTable(line)
	r.simulatedTable(line)
	r.protected(line)
	line("## How it was measured\n")
	line("On %s with %s, on %d cores (%s/%s). `make bench` measures again and writes this page.\n",
		time.Now().Format(time.DateOnly), r.cli, runtime.NumCPU(), runtime.GOOS, runtime.GOARCH)
	line("- **`cloudserver_vm`**: a machine with one disc and an image, against the emulator. Machines are on at once.")
	line("- **Peer-shaped**: a provider on the same framework, with one flat resource of 29 attributes and one block, with 4 requests in turn to create, " +
		"1 to read, 2 to change and 2 to destroy. Its plans ask nothing about what is new; those of this provider check a new name, its group and the definitions, and an apply plans first.")
	line("- **Floor**: a provider on the same framework with one attribute and no requests. This is what the CLI and the framework cost.\n")
	line("Both services answer after %s. Each step runs for all subjects in turn, several rounds; the figures are medians, and the ratios are "+
		"medians of the ratios within a round. *CPU* is that of the CLI and its providers together. With the state in a file the CLI copies, compares and "+
		"writes the whole state after each change.\n", latency)
	r.compared(line)
	for _, size := range r.sizes {
		size.table(line)
	}
	r.stateTable(line)
	r.limits(line)
	r.emulatorTable(line)
	line("\n%s\n\n%s\n", strings.TrimSpace(growing), strings.TrimSpace(manyStates))
	line("%s", strings.TrimSpace(profile))
	return strings.TrimSpace(p.String()) + "\n"
}

type printer func(format string, arguments ...any)

// largest returns the largest count of machines with the state in a file or in a backend, and whether there is one.
func (r *results) largest(backend bool) (sized, bool) {
	var found sized
	for _, s := range r.sizes {
		if s.backend == backend && s.n > found.n {
			found = s
		}
	}
	return found, found.n > 0
}

// answers is a row for each step and a column for each count of machines.
func (r *results) answers(line printer) {
	header, rule := "| |", "|---|"
	for _, size := range r.plain() {
		header += " " + size.title() + " |"
		rule += "--:|"
	}
	line("%s\n%s", header, rule)
	for _, step := range steps {
		times, asked := "| "+step.name+" |", "| — requests |"
		for _, size := range r.plain() {
			own, other := size.of(step, ours), size.of(step, peer)
			if len(own) == 0 {
				times, asked = times+" – |", asked+" – |"
				continue
			}
			times += fmt.Sprintf(" %.1f s (%.2f) |", wall(own).Seconds(), ratio(own, other))
			asked += fmt.Sprintf(" %d (%d) |", median(collect(own, requests)), median(collect(other, requests)))
		}
		line("%s\n%s", times, asked)
	}
	line("")
}

// plain are the counts of machines that are purged when they are destroyed, as almost all are.
func (r *results) plain() []sized {
	return slices.DeleteFunc(slices.Clone(r.sizes), func(s sized) bool { return s.kept })
}

// protected is the ratio where machines have private state, so that the framework answers their plans.
func (r *results) protected(line printer) {
	for _, size := range r.sizes {
		if size.kept {
			step := stepNamed("empty plan")
			line("## Machines that a plan walks through\n")
			line("The plan of a machine in which nothing changes is answered without the framework, unless it has `deletion_protection = true` or "+
				"`purge_on_destroy = false`. An empty plan of %s takes %.2f of the peer-shaped provider's time.\n", size.title(), ratio(size.of(step, ours), size.of(step, peer)))
		}
	}
}

// rollout is an update of many machines, a few at a time, beside what no scheduler could go below.
func (r *results) rollout(line printer) {
	if r.rolled.Seconds > 0 {
		line("## A few machines at a time\n")
		line("%s takes %.1f s, which is %.2f of the arithmetic limit of %.1f s (simulated time).\n", r.rolled.What, r.rolled.Seconds, r.rolled.Seconds/r.rolled.Limit, r.rolled.Limit)
	}
}

// shapedAfter is the provider that the peer-shaped one stands for: the wall time that it took for 1,000 machines with a latency
// of 50 ms, as a multiple of the floor on the machine that both were measured on.
var shapedAfter = []struct {
	step          string
	file, backend float64 // 0: not measured
}{
	{"empty plan", 7.3 / 1.25, 0},
	{"apply", 25.6 / 3.6, 23.7 / 1.7},
	{"destroy", 29.7 / 6.6, 15.2 / 2.9},
}

// shapedAfterState is the size of its state by machine.
const shapedAfterState = 1290

// compared shows how honestly the peer-shaped subject is shaped.
func (r *results) compared(line printer) {
	file, _ := r.largest(false)
	backend, ok := r.largest(true)
	if !ok || file.n != backend.n {
		return
	}
	line("## How the peer-shaped provider compares\n")
	line("The provider that it is shaped like was measured once, over 1,000 machines with the same latency, on another machine. Both are shown as multiples of "+
		"the floor on the same machine. Where the peer-shaped one has the smaller number, it is faster than the original, and the ratios above are strict. "+
		"A slower machine makes the steps in which much is waited for look faster, since the floor does not wait. The original takes %d bytes of state for a machine.\n", shapedAfterState)
	line("| step | original, file | peer-shaped | original, backend | peer-shaped |")
	line("|---|--:|--:|--:|--:|")
	for _, known := range shapedAfter {
		step, original := stepNamed(known.step), "–"
		if known.backend > 0 {
			original = fmt.Sprintf("%.1f", known.backend)
		}
		line("| %s | %.1f | %.1f | %s | %.1f |", known.step, known.file, ratio(file.of(step, peer), file.of(step, floor)),
			original, ratio(backend.of(step, peer), backend.of(step, floor)))
	}
	line("")
}

// table is the table of one count of machines.
func (s sized) table(line printer) {
	line("## %s\n\nRounds: %d.\n", s.title(), len(s.of(applyStep, ours)))
	line("| step | `cloudserver_vm` | peer-shaped | floor | ÷ peer | ÷ floor | requests | peer's | CPU | peer's | provider's CPU | peer's | provider's memory |")
	line("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
	for _, step := range s.steps() {
		own, other, least := s.of(step, ours), s.of(step, peer), s.of(step, floor)
		line("| %s | %.2f s | %.2f s | %.2f s | %.2f | %.2f | %d | %d | %.2f s | %.2f s | %.2f s | %.2f s | %d MB |", step.name,
			wall(own).Seconds(), wall(other).Seconds(), wall(least).Seconds(), ratio(own, other), ratio(own, least),
			median(collect(own, requests)), median(collect(other, requests)),
			median(collect(own, totalCPU)), median(collect(other, totalCPU)),
			median(collect(own, providerCPU)), median(collect(other, providerCPU)), median(collect(own, peakMB)))
	}
	line("")
}

func requests(t timing) int        { return t.requests }
func totalCPU(t timing) float64    { return t.cpu.Seconds() }
func providerCPU(t timing) float64 { return t.provider.CPUSeconds }
func peakMB(t timing) int64        { return t.provider.PeakKB / 1024 }

// stateTable shows the bytes that a machine takes in the state file. The CLI writes the whole file after each change, so every
// byte is paid for many times.
func (r *results) stateTable(line printer) {
	line("## State file\n\nBytes per machine after the apply: the size of the file divided by the number of machines.\n")
	line("| machines | `cloudserver_vm` | peer-shaped | floor |\n|---|--:|--:|--:|")
	for _, size := range r.sizes {
		if size.backend || size.kept || size.others > 0 {
			continue
		}
		if size.of(applyStep, ours)[0].state == 0 { // it was not looked at
			continue
		}
		row := fmt.Sprintf("| %d |", size.n)
		for _, who := range subjects {
			row += fmt.Sprintf(
				" %d |",
				median(collect(size.of(applyStep, who), func(t timing) int64 { return t.state }))/int64(size.n),
			)
		}
		line("%s", row)
	}
	line("")
}

// limits shows what part of the time no change of the provider could save.
func (r *results) limits(line printer) {
	line("## What the provider cannot change\n")
	line("*CLI's CPU* is the CPU that the CLI itself uses for our resources: it grows with the attributes and with the state. *Latency* is that of the "+
		"requests that each machine waits for one after the other, %d machines at a time.\n", parallelism)
	line("| machines | step | wall | CLI's CPU | latency | provider's CPU |")
	line("|---|---|--:|--:|--:|--:|")
	for _, size := range r.sizes {
		for _, step := range size.steps() {
			own := size.of(step, ours)
			cli := median(collect(own, func(t timing) float64 { return totalCPU(t) - providerCPU(t) }))
			waited := time.Duration(step.inTurn*size.n/parallelism) * latency
			line("| %s | %s | %.2f s | %.2f s | %.1f s | %.2f s |", size.title(), step.name, wall(own).Seconds(), cli, waited.Seconds(), median(collect(own, providerCPU)))
		}
	}
	line("")
}

func (r *results) startupTable(line printer) {
	if len(r.startups) == 0 {
		return
	}
	line("## Startup\n")
	line("| provider | process start to schema | ÷ floor | schema | binary |")
	line("|---|--:|--:|--:|--:|")
	for _, s := range r.startups {
		line("| %s | %.1f ms | %.2f | %d kB | %.1f MB |", s.name, 1000*wall(s.took).Seconds(),
			ratio(s.took, r.startups[slices.Index(subjects, floor)].took), s.schema/1000, float64(s.binary)/1e6)
	}
	line("")
}

func (r *results) simulatedTable(line printer) {
	if len(r.simulated) == 0 {
		return
	}
	line("## Waiting for machines\n")
	line("In simulated time: the provider in process, without the CLI, with the same latency. *Late* is the time from the moment at which the last machine " +
		"is on until the apply returns.\n")
	line("| apply of | takes | late | requests |")
	line("|---|--:|--:|--:|")
	for _, m := range r.simulated {
		line("| %s | %.1f s | %.1f s | %d |", m.What, m.Seconds, m.Late, m.Requests)
	}
	line("")
}
