package main

import (
	"fmt"
	"strings"
)

// Measures of the chart, in pixels.
const (
	chartWidth  = 720
	labelWidth  = 190
	barHeight   = 11
	groupGap    = 14
	valueWidth  = 60
	chartMargin = 44
)

// charted are the steps of the chart: those that take long.
var charted = []string{"apply", "empty plan", "destroy"}

// chart returns an SVG with a bar for each subject and step, for the largest count of machines. It follows the reader's
// colour scheme.
func (r *results) chart() string {
	type group struct {
		label string
		bars  []float64 // seconds, by subject
	}
	var groups []group
	longest, machines := 0.0, 0
	for _, backend := range []bool{false, true} {
		s, ok := r.largest(backend)
		if !ok {
			continue
		}
		machines = s.n
		for _, step := range s.steps() {
			if !strings.Contains(strings.Join(charted, ","), step.name) {
				continue
			}
			g := group{label: step.name + ", file"}
			if backend {
				g.label = step.name + ", backend"
			}
			for _, who := range subjects {
				seconds := wall(s.of(step, who)).Seconds()
				g.bars = append(g.bars, seconds)
				longest = max(longest, seconds)
			}
			groups = append(groups, g)
		}
	}

	groupHeight := len(subjects)*barHeight + groupGap
	height := chartMargin + len(groups)*groupHeight
	var svg strings.Builder
	line := func(format string, arguments ...any) { fmt.Fprintf(&svg, format+"\n", arguments...) }
	line(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%[1]d" height="%[2]d" role="img" font-family="system-ui, sans-serif" font-size="11">`, chartWidth, height)
	line(`<title>Seconds per step for %d machines</title>`, machines)
	line(`<style>text{fill:#1f2328}.ours{fill:#0969da}.peer{fill:#8c959f}.floor{fill:#d0d7de}@media(prefers-color-scheme:dark){text{fill:#e6edf3}.ours{fill:#4493f8}.peer{fill:#9198a1}.floor{fill:#484f58}}</style>`)
	line(`<text x="0" y="14" font-size="13" font-weight="600">Seconds for %d machines, by where the state is (shorter is better)</text>`, machines)
	for i, who := range subjects {
		line(`<rect class="%s" x="%d" y="23" width="10" height="10"/><text x="%d" y="32">%s</text>`, who.name, labelWidth+i*130, labelWidth+i*130+15, who.title)
	}
	for i, g := range groups {
		top := chartMargin + i*groupHeight
		line(`<text x="%d" y="%d" text-anchor="end">%s</text>`, labelWidth-8, top+len(subjects)*barHeight/2+4, g.label)
		for j, seconds := range g.bars {
			width := seconds / max(longest, 0.001) * (chartWidth - labelWidth - valueWidth)
			y := top + j*barHeight
			line(`<rect class="%s" x="%d" y="%d" width="%.1f" height="%d"/><text x="%.1f" y="%d" font-size="10">%.1f</text>`,
				subjects[j].name, labelWidth, y, width, barHeight-2, labelWidth+width+4, y+barHeight-3, seconds)
		}
	}
	line("</svg>")
	return svg.String()
}
