package main

import (
	"fmt"
	"runtime"
	"strings"
	"time"
)

// results holds everything that was measured.
type results struct {
	cli   string
	sizes []sized
}

// oneHeading is the heading of the section about one state.
const oneHeading = "## One state"

// section returns the section as Markdown: a row for each step, and a column for each count of machines.
func (r *results) section() string {
	var p strings.Builder
	line := func(format string, arguments ...any) { fmt.Fprintf(&p, format+"\n", arguments...) }
	line("%s\n", oneHeading)
	line("Measured by `make bench` on %s with %s, on %d cores (%s/%s).\n", time.Now().Format(time.DateOnly), r.cli, runtime.NumCPU(), runtime.GOOS, runtime.GOARCH)
	header, rule := "| |", "|---|"
	for _, size := range r.sizes {
		header += " " + size.title() + " |"
		rule += "--:|"
	}
	line("%s\n%s", header, rule)
	for _, step := range steps {
		times, asked := "| "+step.name+" |", "| — requests |"
		for _, size := range r.sizes {
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
	return p.String()
}

// details returns everything that was measured, for a reader of the output.
func (r *results) details() string {
	var p strings.Builder
	for _, size := range r.sizes {
		fmt.Fprintf(&p, "\n%s\n%-18s %-12s %9s %7s %8s %9s %9s %7s %8s\n",
			size.title(), "step", "subject", "wall", "÷ peer", "requests", "CPU", "provider", "memory", "state")
		for _, step := range size.steps() {
			for _, who := range subjects {
				took := size.of(step, who)
				fmt.Fprintf(&p, "%-18s %-12s %7.2f s %7.2f %8d %7.2f s %7.2f s %4d MB %6d B\n",
					step.name, who.title, wall(took).Seconds(), ratio(took, size.of(step, peer)),
					median(collect(took, requests)), median(collect(took, totalCPU)), median(collect(took, providerCPU)), median(collect(took, peakMB)),
					median(collect(took, stateSize))/int64(size.n))
			}
		}
	}
	return strings.TrimSpace(p.String())
}

func requests(t timing) int        { return t.requests }
func totalCPU(t timing) float64    { return t.cpu.Seconds() }
func providerCPU(t timing) float64 { return t.provider.CPUSeconds }
func peakMB(t timing) int64        { return t.provider.PeakKB / 1024 }
func stateSize(t timing) int64     { return t.state }
