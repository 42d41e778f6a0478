package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

// The files of the section, and its heading.
const (
	growthText    = "growth.md"
	growthChart   = "growth.svg"
	growthHeading = "## From one machine to thousands"
)

// runGrowth measures states of different sizes in a backend, and writes the section and its chart to a folder, and the section
// into the page.
func runGrowth(ctx context.Context, o options, home, dir string) error {
	b, err := build(ctx, o.cli, o.root, dir)
	if err != nil {
		return err
	}
	r := &results{}
	if r.cli, err = b.version(ctx); err != nil {
		return err
	}
	if b.states, err = keepStates(ctx); err != nil {
		return err
	}
	if b.peer, err = servePeer(ctx); err != nil {
		return err
	}
	for _, n := range o.sizes {
		size := sized{n: n, backend: true, brief: true}
		if err := b.rounds(ctx, &size, o.rounds(size)); err != nil {
			return fmt.Errorf("%s: %w", size.title(), err)
		}
		r.sizes = append(r.sizes, size)
		if err := r.writeGrowth(home, o.out); err != nil { // what was measured is kept if a larger state fails
			return err
		}
	}
	return nil
}

// writeGrowth writes the section and its chart, and replaces the section of the page, if there is a page.
func (r *results) writeGrowth(home, page string) error {
	section := r.growth()
	if page == "" {
		_, err := os.Stdout.WriteString(section)
		return err
	}
	if err := os.WriteFile(filepath.Join(home, growthChart), []byte(r.growthChart()), 0o644); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(home, growthText), []byte(section), 0o644); err != nil {
		return err
	}
	return replaceSection(page, growthHeading, section)
}

// replaceSection replaces the section of a page that has the heading.
func replaceSection(page, heading, section string) error {
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	before, after, ok := strings.Cut(string(text), "\n"+heading+"\n")
	if !ok {
		return fmt.Errorf("%s has no section %q", page, heading)
	}
	rest := ""
	if _, next, ok := strings.Cut(after, "\n## "); ok {
		rest = "\n## " + next
	}
	return os.WriteFile(page, []byte(before+"\n"+strings.TrimSpace(section)+"\n"+rest), 0o644)
}

// growth returns the section: a table for each step.
func (r *results) growth() string {
	var p strings.Builder
	line := func(format string, arguments ...any) { fmt.Fprintf(&p, format+"\n", arguments...) }
	line("%s\n", growthHeading)
	line("One state in a backend, measured by `make bench-growth` on %s with %s, on %d cores. *Each* is divided by the machines: what grows no faster than "+
		"they do falls or stays the same. The CPU of the services, which run on the same cores, is beside it.\n", time.Now().Format(time.DateOnly), r.cli, runtime.NumCPU())
	line("![Seconds and requests of an apply, an empty plan and a destroy, by the number of machines](internal/bench/%s)\n", growthChart)
	for _, step := range mainSteps {
		line("| %s | `cloudserver_vm` | peer-shaped | floor | ÷ peer | requests | peer's | provider's CPU each | peer's | CLI's CPU each | peer's | service's CPU | peer's | provider's memory |", step.name)
		line("|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
		for _, s := range r.sizes {
			own, other, least := s.of(step, ours), s.of(step, peer), s.of(step, floor)
			each := func(of []timing, figure func(timing) float64) string {
				return fmt.Sprintf("%.1f ms", 1000*median(collect(of, figure))/float64(s.n))
			}
			line("| %d | %.1f s | %.1f s | %.1f s | %.2f | %d | %d | %s | %s | %s | %s | %.1f s | %.1f s | %d MB |", s.n,
				wall(own).Seconds(), wall(other).Seconds(), wall(least).Seconds(), ratio(own, other),
				median(collect(own, requests)), median(collect(other, requests)), each(own, providerCPU), each(other, providerCPU), each(own, cliCPU), each(other, cliCPU),
				median(collect(own, servedCPU)), median(collect(other, servedCPU)), median(collect(own, peakMB)))
		}
		line("")
	}
	return strings.TrimSpace(p.String()) + "\n"
}

func cliCPU(t timing) float64    { return totalCPU(t) - providerCPU(t) }
func servedCPU(t timing) float64 { return t.served.Seconds() }

// ownCPU returns the CPU time of this process, which serves the peer-shaped subject and the backend.
func ownCPU() time.Duration {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// Measures of a panel of the chart of growth, in pixels.
const (
	panelWidth  = 210
	panelHeight = 150
	panelLeft   = 46
	panelTop    = 46
	panelGap    = 36 // between panels, and for the labels below them
)

// axis is a logarithmic axis from one power of ten to another.
type axis struct{ from, to float64 }

// axisOf returns the axis that has all values, of which zero is left out.
func axisOf(values []float64) axis {
	values = slices.DeleteFunc(values, func(v float64) bool { return v <= 0 })
	if len(values) == 0 {
		return axis{0, 1}
	}
	a := axis{math.Floor(math.Log10(slices.Min(values))), math.Ceil(math.Log10(slices.Max(values)))}
	a.to = max(a.to, a.from+1)
	return a
}

// at returns where a value is, from 0 to 1.
func (a axis) at(value float64) float64 { return (math.Log10(value) - a.from) / (a.to - a.from) }

// figures are what the chart of growth shows of each step.
var figures = []struct {
	name string
	of   func([]timing) float64
}{
	{"seconds", func(t []timing) float64 { return wall(t).Seconds() }},
	{"requests", func(t []timing) float64 { return float64(median(collect(t, requests))) }},
}

// growthChart returns an SVG: a panel for the seconds and one for the requests of each step, with logarithmic axes.
func (r *results) growthChart() string {
	var svg strings.Builder
	line := func(format string, arguments ...any) { fmt.Fprintf(&svg, format+"\n", arguments...) }
	width := panelLeft + len(mainSteps)*(panelWidth+panelGap)
	height := panelTop + len(figures)*(panelHeight+panelGap)
	line(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%[1]d" height="%[2]d" role="img" font-family="system-ui, sans-serif" font-size="11">`, width, height)
	line(`<title>Seconds and requests by the number of machines</title>`)
	line(`<style>text{fill:#1f2328}polyline{fill:none;stroke-width:2}line{stroke:#d0d7de;stroke-width:.5}.ours{stroke:#0969da}.peer{stroke:#8c959f}.floor{stroke:#bf8700}` +
		`@media(prefers-color-scheme:dark){text{fill:#e6edf3}line{stroke:#484f58}.ours{stroke:#4493f8}.peer{stroke:#9198a1}}</style>`)
	for i, who := range subjects {
		at := panelLeft + i*130
		line(`<polyline class="%s" points="%d,10 %d,10"/><text x="%d" y="14">%s</text>`, who.name, at, at+14, at+20, who.title)
	}
	machines := axisOf(collectFrom(r.sizes, func(s sized) float64 { return float64(s.n) }))
	for row, figure := range figures {
		of := func(step step, who subject) []float64 {
			return collectFrom(r.sizes, func(s sized) float64 { return figure.of(s.of(step, who)) })
		}
		var all []float64
		for _, step := range mainSteps {
			for _, who := range subjects {
				all = append(all, of(step, who)...)
			}
		}
		for column, step := range mainSteps {
			p := panel{panelLeft + column*(panelWidth+panelGap), panelTop + row*(panelHeight+panelGap), machines, axisOf(all)}
			p.grid(line, step.name+", "+figure.name)
			for _, who := range subjects {
				p.plot(line, who.name, r.sizes, of(step, who))
			}
		}
	}
	line("</svg>")
	return svg.String()
}

// panel is one of the drawings in the chart.
type panel struct {
	left, top int
	x, y      axis
}

func (p panel) atX(value float64) float64 { return float64(p.left) + p.x.at(value)*panelWidth }
func (p panel) atY(value float64) float64 { return float64(p.top) + (1-p.y.at(value))*panelHeight }

// grid draws the title, and a line with a label for each power of ten.
func (p panel) grid(line printer, title string) {
	bottom := p.top + panelHeight
	line(`<text x="%d" y="%d" font-weight="600">%s</text>`, p.left, p.top-6, title)
	for power := p.x.from; power <= p.x.to; power++ {
		value := math.Pow(10, power)
		at := p.atX(value)
		line(`<line x1="%.1f" y1="%d" x2="%.1f" y2="%d"/><text x="%.1f" y="%d" text-anchor="middle" font-size="9">%.0f</text>`, at, p.top, at, bottom, at, bottom+11, value)
	}
	for power := p.y.from; power <= p.y.to; power++ {
		value := math.Pow(10, power)
		at := p.atY(value)
		line(`<line x1="%d" y1="%.1f" x2="%d" y2="%.1f"/><text x="%d" y="%.1f" text-anchor="end" font-size="9">%g</text>`, p.left, at, p.left+panelWidth, at, p.left-4, at+3, value)
	}
}

// plot draws the values of a subject, of which zero is left out.
func (p panel) plot(line printer, class string, sizes []sized, values []float64) {
	var points []string
	for i, value := range values {
		if value > 0 {
			points = append(points, fmt.Sprintf("%.1f,%.1f", p.atX(float64(sizes[i].n)), p.atY(value)))
		}
	}
	if len(points) > 0 {
		line(`<polyline class="%s" points="%s"/>`, class, strings.Join(points, " "))
	}
}

// collectFrom returns one figure of each size.
func collectFrom(sizes []sized, figure func(sized) float64) []float64 {
	figures := make([]float64, len(sizes))
	for i, s := range sizes {
		figures[i] = figure(s)
	}
	return figures
}
