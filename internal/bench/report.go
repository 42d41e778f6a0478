package main

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"
)

// results is everything that was measured.
type results struct {
	cli       string
	sizes     []sized
	startups  []startup
	simulated []measured
}

// page is the results as Markdown.
func (r *results) page() string {
	var p strings.Builder
	line := func(format string, arguments ...any) { p.WriteString(fmt.Sprintf(format, arguments...) + "\n") }
	line("# Benchmarks\n")
	line("%s, %d cores, %s/%s, %s. `make bench` writes this page; the service is the emulator with a latency of %s and machines that are ready at once.\n",
		time.Now().Format(time.DateOnly), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, r.cli, latency)
	line("Ratios are wall times in one round, the subjects in turns; the median of all rounds. CPU *in all* is that of the CLI and its providers. *Floor* is a provider of one resource with one attribute " +
		"on the same framework that calls nothing; `terraform_data` is built into Terraform. A state in a file is compared and written after each change; one in a backend, as a CI has it, now and then.\n")
	for _, size := range r.sizes {
		size.table(line)
	}
	line("## Growth\n\nWall time in milliseconds a machine, ours and the floor's.\n")
	r.growth(line, false)
	r.growth(line, true)
	r.limits(line)
	r.startupTable(line)
	r.simulatedTable(line)
	return strings.TrimSpace(p.String()) + "\n"
}

type printer func(format string, arguments ...any)

// table is the table of one count of machines.
func (s sized) table(line printer) {
	rounds := len(s.timings[steps[0].name][subjects[0].name])
	line("## %s\n\nRounds: %d.\n", s.title(), rounds)
	line("| step | wall | × floor | × terraform_data | CPU in all | provider's | floor in all | floor's | provider peak | requests | a machine |")
	line("|---|---|---|---|---|---|---|---|---|---|---|")
	for _, step := range steps {
		timings := s.timings[step.name]
		ours, floor, data := timings[subjects[0].name], timings[subjects[1].name], timings[subjects[2].name]
		requests := median(collect(ours, func(t timing) int { return t.requests }))
		line("| %s | %.2f s | %.2f | %.2f | %.2f s | %.2f s | %.2f s | %.2f s | %d MB | %d | %.3f |", step.name, wall(ours).Seconds(), ratio(ours, floor), ratio(ours, data),
			median(collect(ours, totalCPU)), median(collect(ours, providerCPU)), median(collect(floor, totalCPU)), median(collect(floor, providerCPU)),
			median(collect(ours, peakMB)), requests, float64(requests)/float64(s.n))
	}
	line("")
}

func totalCPU(t timing) float64    { return t.cpu.Seconds() }
func providerCPU(t timing) float64 { return t.provider.CPUSeconds }
func peakMB(t timing) int64        { return t.provider.PeakKB / 1024 }

// growth is how the wall time of one machine grows with their count.
func (r *results) growth(line printer, backend bool) {
	header, rule := "| state in a file |", "|---|"
	if backend {
		header = "| state in a backend |"
	}
	sizes := slices.DeleteFunc(slices.Clone(r.sizes), func(s sized) bool { return s.backend != backend })
	for _, s := range sizes {
		header += fmt.Sprintf(" n = %d | floor |", s.n)
		rule += "---|---|"
	}
	line("%s\n%s", header, rule)
	for _, step := range steps {
		row := "| " + step.name + " |"
		for _, s := range sizes {
			for _, who := range subjects[:2] {
				row += fmt.Sprintf(" %.1f |", float64(wall(s.timings[step.name][who.name]).Microseconds())/1000/float64(s.n))
			}
		}
		line("%s", row)
	}
	line("")
}

// limits is what the ratios could not be less than, whatever the provider did:
// the CLI's own share, and the answers that a machine has to wait for.
func (r *results) limits(line printer) {
	line("## Limits\n")
	line("What no provider of this schema can go below, as multiples of the floor. *CLI's own* is the CPU that the CLI takes for our resources, "+
		"the provider's left out, over all that the floor takes: it grows with the attributes and with the state. *Latency* is that of the requests which each machine waits for one after the other, "+
		"%d machines at a time, over the wall time of the floor.\n", parallelism)
	line("| machines | step | CLI's own | CLI's own × floor | latency | latency × floor |")
	line("|---|---|---|---|---|---|")
	for _, size := range r.sizes {
		for _, step := range steps {
			ours, floor := size.timings[step.name][subjects[0].name], size.timings[step.name][subjects[1].name]
			own := median(collect(ours, func(t timing) float64 { return totalCPU(t) - providerCPU(t) }))
			waited := time.Duration(step.inTurn*size.n/parallelism) * latency
			line("| %s | %s | %.2f s | %.2f | %.1f s | %.2f |", size.title(), step.name, own, own/median(collect(floor, totalCPU)), waited.Seconds(), waited.Seconds()/wall(floor).Seconds())
		}
	}
	line("")
}

func (r *results) startupTable(line printer) {
	if len(r.startups) == 0 {
		return
	}
	line("## Start-up\n")
	line("| provider | process start to schema | schema | binary |")
	line("|---|---|---|---|")
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
	line("In simulated time: the provider in process, without the CLI, the same latency. *Late* is from the moment that the last machine is on to the moment that the apply says so.\n")
	line("| apply of | takes | late | requests |")
	line("|---|---|---|---|")
	for _, m := range r.simulated {
		line("| %s | %.1f s | %.1f s | %d |", m.What, m.Seconds, m.Late, m.Requests)
	}
}
