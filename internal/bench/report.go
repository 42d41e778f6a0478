// SPDX-License-Identifier: MPL-2.0

package main

import (
	"cmp"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

// heading is the last heading of the page; the table is below it.
const heading = "## Figures\n"

// report returns a table with a row for each step of each count of machines, and a column for each subject: medians of
// the wall time, the CPU time and the number of requests, and the size of the state for each machine.
func report(version string, subjects []subject, results []result) string {
	var p strings.Builder
	fmt.Fprintf(&p, "Measured by `make bench` on %s with %s, on %d cores (%s/%s), medians of %d rounds. Seconds, in brackets those of the CPU, and the requests.\n\n",
		time.Now().Format(time.DateOnly), version, runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, len(results[0].rounds[key(subjects[0], steps[0])]))
	p.WriteString("| machines, state | step |")
	rule := "|---|---|"
	for _, s := range subjects {
		p.WriteString(" " + s.name + " |")
		rule += "--:|"
	}
	p.WriteString("\n" + rule + "\n")
	for _, r := range results {
		for i, st := range steps {
			group := ""
			if i == 0 {
				group = fmt.Sprintf("%d, %s", r.n, where(r.backend))
			}
			fmt.Fprintf(&p, "| %s | %s |", group, st.name)
			for _, s := range subjects {
				p.WriteString(" " + cell(r.rounds[key(s, st)]) + " |")
			}
			p.WriteString("\n")
		}
		p.WriteString("| | bytes of state for each machine |")
		for _, s := range subjects {
			afterApply := r.rounds[key(s, steps[1])]
			fmt.Fprintf(&p, " %d |", median(afterApply, func(f figures) int { return f.state })/r.n)
		}
		p.WriteString("\n")
	}
	return p.String()
}

// cell returns the medians of a step, such as "36.3 (31.0), 1248".
func cell(rounds []figures) string {
	wall := median(rounds, func(f figures) time.Duration { return f.wall })
	cpu := median(rounds, func(f figures) time.Duration { return f.cpu })
	text := fmt.Sprintf("%.2f (%.2f)", wall.Seconds(), cpu.Seconds())
	if requests := median(rounds, func(f figures) int { return f.requests }); requests > 0 {
		text += fmt.Sprintf(", %d", requests)
	}
	return text
}

// median returns the middle one of the values, or the mean of the two in the middle.
func median[T ~int | ~int64](rounds []figures, value func(figures) T) T {
	values := make([]T, len(rounds))
	for i, f := range rounds {
		values[i] = value(f)
	}
	slices.SortFunc(values, cmp.Compare[T])
	middle := len(values) / 2
	if len(values)%2 == 1 {
		return values[middle]
	}
	return (values[middle-1] + values[middle]) / 2
}

// writePage replaces what is below the heading of a page.
func writePage(page, table string) error {
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	before, _, ok := strings.Cut(string(text), heading)
	if !ok {
		return fmt.Errorf("%s has no heading %q", page, strings.TrimSpace(heading))
	}
	return os.WriteFile(page, []byte(before+heading+"\n"+table), 0o644)
}
