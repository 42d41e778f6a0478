// Command timeline draws which machine was down when, as an SVG, from what the emulator counted (GET /_emulator/power).
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
)

func main() {
	guestBoot := flag.Duration("guest-boot", time.Second, "how long a guest boots before it answers, as the emulator was told")
	flag.Parse()
	if err := run(os.Stdin, os.Stdout, *guestBoot); err != nil {
		fmt.Fprintln(os.Stderr, "timeline:", err)
		os.Exit(1)
	}
}

func run(from io.Reader, to io.Writer, guestBoot time.Duration) error {
	var power struct{ Changes []change }
	if err := json.NewDecoder(from).Decode(&power); err != nil {
		return err
	}
	downs, err := downtimes(power.Changes)
	if err != nil {
		return err
	}
	_, err = io.WriteString(to, draw(downs, guestBoot))
	return err
}

// change is a change of a machine's power, as the emulator has counted it.
type change struct {
	Time     time.Time
	Hostname string
	On       bool
}

// downtime is when a machine was down, counted from the first moment of the rollout.
type downtime struct {
	machine string
	off, on time.Duration
}

// downtimes pairs each stop with the start that follows, in the order of the stops.
func downtimes(changes []change) ([]downtime, error) {
	var downs []downtime
	for _, c := range changes {
		name, _, _ := strings.Cut(c.Hostname, ".")
		at := c.Time.Sub(changes[0].Time)
		if !c.On {
			downs = append(downs, downtime{machine: name, off: at})
			continue
		}
		i := slices.IndexFunc(downs, func(d downtime) bool { return d.machine == name && d.on == 0 })
		if i < 0 {
			return nil, fmt.Errorf("%s came on and had not gone off", name)
		}
		downs[i].on = at
	}
	if len(downs) == 0 || slices.ContainsFunc(downs, func(d downtime) bool { return d.on == 0 }) {
		return nil, errors.New("not every machine went off and came on again")
	}
	return downs, nil
}

// Measures of the picture, in pixels.
const (
	width, left, top = 720, 60, 40
	row, bar         = 22, 14
)

func draw(downs []downtime, guestBoot time.Duration) string {
	last := downs[len(downs)-1].on + guestBoot
	at := func(d time.Duration) float64 { return left + (width-left-10)*d.Seconds()/last.Seconds() }
	var svg strings.Builder
	line := func(format string, values ...any) { fmt.Fprintf(&svg, format+"\n", values...) }
	height := top + len(downs)*row + 26
	line(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%[1]d" height="%[2]d" role="img" font-family="system-ui, sans-serif" font-size="11">`, width, height)
	line(`<title>Which machine was down when</title>`)
	line(`<style>text{fill:#1f2328}.down{fill:#cf222e}.boots{fill:#d4a72c}.on{fill:#dafbe1}@media(prefers-color-scheme:dark){text{fill:#e6edf3}.on{fill:#12261e}}</style>`)
	for i, label := range []string{"on", "down", "on, not ready yet"} {
		line(`<rect class="%s" x="%d" y="10" width="10" height="10"/><text x="%d" y="19">%s</text>`, []string{"on", "down", "boots"}[i], left+i*110, left+i*110+15, label)
	}
	for i, d := range downs {
		y := top + i*row
		line(`<text x="%d" y="%d" text-anchor="end">%s</text>`, left-8, y+bar-3, d.machine)
		part := func(class string, from, to time.Duration) {
			line(`<rect class="%s" x="%.1f" y="%d" width="%.1f" height="%d"/>`, class, at(from), y, at(to)-at(from), bar)
		}
		part("on", 0, last)
		part("down", d.off, d.on)
		part("boots", d.on, d.on+guestBoot)
	}
	for second := time.Duration(0); second <= last; second += 10 * time.Second {
		line(`<text x="%.1f" y="%d" text-anchor="middle">%.0f s</text>`, at(second), height-8, second.Seconds())
	}
	line("</svg>")
	return svg.String()
}
