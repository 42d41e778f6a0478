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

// results holds everything that was measured.
type results struct {
	cli       string
	sizes     []sized
	few       sized
	startups  []startup
	simulated []measured
	emulated  []emulated
}

// chartFile is where the page expects the chart.
const chartFile = "internal/bench/chart.svg"

// page returns the results as Markdown.
func (r *results) page() string {
	var p strings.Builder
	line := func(format string, arguments ...any) { p.WriteString(fmt.Sprintf(format, arguments...) + "\n") }
	line("# Benchmarks\n")
	line("Measured on %s with %s, on %d cores (%s/%s). `make bench` measures again and writes this page.\n",
		time.Now().Format(time.DateOnly), r.cli, runtime.NumCPU(), runtime.GOOS, runtime.GOARCH)
	line("![Seconds per step: the provider, the peer-shaped provider, the floor](%s)\n", chartFile)
	line("- **`cloudserver_vm`**: a machine with one disc and an image, against the emulator. Machines are ready at once.")
	line("- **Peer-shaped**: a provider on the same framework, shaped like the most used provider for virtual machines on it: one flat " +
		"resource of 29 attributes and one block, with 4 requests in turn to create, 1 to read and 2 to destroy.")
	line("- **Floor**: a provider on the same framework with one attribute and no requests. This is what the CLI and the framework cost.\n")
	line("Both services answer after %s. Each step runs for all subjects in turn, several rounds; the figures are medians, and the ratios are "+
		"medians of the ratios within a round. Below 1, `cloudserver_vm` is faster. *CPU* is that of the CLI and its providers together.\n", latency)
	r.summary(line)
	r.compared(line)
	for _, size := range append(r.sizes, r.few) {
		size.table(line)
	}
	r.stateTable(line)
	r.growth(line)
	r.limits(line)
	r.startupTable(line)
	r.simulatedTable(line)
	r.emulatorTable(line)
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

// summary is the ratio to the peer-shaped subject for the largest count of machines.
func (r *results) summary(line printer) {
	file, _ := r.largest(false)
	backend, ok := r.largest(true)
	if !ok || file.n != backend.n {
		return
	}
	line("## %d machines, ratio to the peer-shaped provider\n", file.n)
	line("| step | state in a file | state in a backend |")
	line("|---|--:|--:|")
	for _, step := range file.steps() {
		text := "–"
		if own := backend.of(step, ours); len(own) > 0 {
			text = fmt.Sprintf("%.2f", ratio(own, backend.of(step, peer)))
		}
		line("| %s | %.2f | %s |", step.name, ratio(file.of(step, ours), file.of(step, peer)), text)
	}
	line("")
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
		if size.backend {
			continue
		}
		row := fmt.Sprintf("| %d |", size.n)
		for _, who := range subjects {
			row += fmt.Sprintf(" %d |", median(collect(size.of(applyStep, who), func(t timing) int64 { return t.state }))/int64(size.n))
		}
		line("%s", row)
	}
	line("")
}

// growth shows how the time for one machine grows with their number.
func (r *results) growth(line printer) {
	line("## Growth\n\nMilliseconds per machine, by the number of machines.\n")
	for _, backend := range []bool{false, true} {
		sizes := slices.DeleteFunc(slices.Clone(r.sizes), func(s sized) bool { return s.backend != backend })
		if len(sizes) == 0 {
			continue
		}
		header, rule := "| state in a file |", "|---|"
		if backend {
			header = "| state in a backend |"
		}
		for _, s := range sizes {
			header += fmt.Sprintf(" %d | peer-shaped | floor |", s.n)
			rule += "--:|--:|--:|"
		}
		line("%s\n%s", header, rule)
		for _, step := range steps {
			row := "| " + step.name + " |"
			for _, s := range sizes {
				for _, who := range subjects {
					row += " " + s.perMachine(step, who) + " |"
				}
			}
			line("%s", row)
		}
		line("")
	}
}

// perMachine returns the milliseconds that a step takes for one machine.
func (s sized) perMachine(step step, who subject) string {
	timings := s.of(step, who)
	if len(timings) == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f", float64(wall(timings).Microseconds())/1000/float64(s.n))
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
	line("| provider | process start to schema | schema | binary |")
	line("|---|--:|--:|--:|")
	for _, s := range r.startups {
		line("| %s | %d ms | %d kB | %.1f MB |", s.name, s.median.Milliseconds(), s.schema/1000, float64(s.binary)/1e6)
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
}
