package main

import (
	"fmt"
	"strings"
)

// Measures of the chart, in pixels.
const (
	chartWidth  = 720
	labelWidth  = 110
	barHeight   = 11
	groupGap    = 14
	valueWidth  = 130
	chartMargin = 44
)

// chart returns an SVG of the empty plan, with a bar for each subject and count of machines. It follows the reader's
// colour scheme.
func (r *results) chart() string {
	type bar struct {
		seconds  float64
		requests int
	}
	type group struct {
		label string
		bars  []bar // by subject
	}
	var groups []group
	longest, step := 0.0, stepNamed("empty plan")
	for _, s := range r.plain() {
		if s.others > 0 || s.backend {
			continue
		}
		g := group{label: s.title()}
		for _, who := range subjects {
			b := bar{wall(s.of(step, who)).Seconds(), median(collect(s.of(step, who), requests))}
			g.bars = append(g.bars, b)
			longest = max(longest, b.seconds)
		}
		groups = append(groups, g)
	}

	groupHeight := len(subjects)*barHeight + groupGap
	height := chartMargin + len(groups)*groupHeight
	var svg strings.Builder
	line := func(format string, arguments ...any) { fmt.Fprintf(&svg, format+"\n", arguments...) }
	line(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%[1]d" height="%[2]d" role="img" font-family="system-ui, sans-serif" font-size="11">`, chartWidth, height)
	line(`<title>Seconds and requests of an empty plan</title>`)
	line(`<style>text{fill:#1f2328}.ours{fill:#0969da}.peer{fill:#8c959f}.floor{fill:#d0d7de}@media(prefers-color-scheme:dark){text{fill:#e6edf3}.ours{fill:#4493f8}.peer{fill:#9198a1}.floor{fill:#484f58}}</style>`)
	line(`<text x="0" y="14" font-size="13" font-weight="600">An empty plan (shorter is better)</text>`)
	for i, who := range subjects {
		line(`<rect class="%s" x="%d" y="23" width="10" height="10"/><text x="%d" y="32">%s</text>`, who.name, labelWidth+i*130, labelWidth+i*130+15, who.title)
	}
	for i, g := range groups {
		top := chartMargin + i*groupHeight
		line(`<text x="%d" y="%d" text-anchor="end">%s</text>`, labelWidth-8, top+len(subjects)*barHeight/2+4, g.label)
		for j, b := range g.bars {
			width := b.seconds / max(longest, 0.001) * (chartWidth - labelWidth - valueWidth)
			y := top + j*barHeight
			line(`<rect class="%s" x="%d" y="%d" width="%.1f" height="%d"/><text x="%.1f" y="%d" font-size="10">%.1f s, %s</text>`,
				subjects[j].name, labelWidth, y, width, barHeight-2, labelWidth+width+4, y+barHeight-3, b.seconds, counted(b.requests))
		}
	}
	line("</svg>")
	return svg.String()
}

func counted(requests int) string {
	if requests == 1 {
		return "1 request"
	}
	return fmt.Sprintf("%d requests", requests)
}
