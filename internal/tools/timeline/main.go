// Command timeline draws an SVG of which machines were down when, from the emulator's record (GET /_emulator/power).
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"
)

func main() {
	guestBoot := flag.Duration("guest-boot", time.Second, "how long a guest boots before it answers, as in the emulator's --guest-boot")
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
	machines, end, err := rows(power.Changes, guestBoot)
	if err != nil {
		return err
	}
	_, err = io.WriteString(to, draw(machines, end))
	return err
}

// change is a change of a machine's power in the emulator's record.
type change struct {
	Time       time.Time
	Hostname   string
	On         bool
	Image      string
	HTTPStatus int `json:"http_status"`
}

// machine is a row of the picture: the states of a machine since the start of the rollout.
type machine struct {
	name  string
	parts []part
}

// part is a period in which a machine was down, booting, or answering with an error. Between parts it served.
type part struct {
	class, text string
	from, to    time.Duration
}

// rows returns the rows, in the order in which machines went down first, and the end of the rollout.
func rows(changes []change, guestBoot time.Duration) (machines []*machine, end time.Duration, err error) {
	if len(changes) == 0 {
		return nil, 0, errors.New("no machine went off")
	}
	end = changes[len(changes)-1].Time.Sub(changes[0].Time) + guestBoot
	for _, c := range changes {
		name, _, _ := strings.Cut(c.Hostname, ".")
		at := c.Time.Sub(changes[0].Time)
		i := slices.IndexFunc(machines, func(m *machine) bool { return m.name == name })
		if i < 0 {
			i, machines = len(machines), append(machines, &machine{name: name})
		}
		m := machines[i]
		isDown := len(m.parts) > 0 && m.parts[len(m.parts)-1].class == "down"
		switch {
		case c.On != isDown:
			return nil, 0, fmt.Errorf("%s came on and had not gone off, or the other way round", name)
		case !c.On:
			if n := len(m.parts); n > 0 {
				m.parts[n-1].to = min(m.parts[n-1].to, at)
			}
			m.parts = append(m.parts, part{class: "down", from: at, to: end})
		default:
			m.parts[len(m.parts)-1].to = at
			m.parts = append(m.parts, part{class: "boots", from: at, to: at + guestBoot})
			if c.HTTPStatus >= http.StatusBadRequest {
				m.parts = append(m.parts, part{class: "bad", text: fmt.Sprintf("%s: %d", c.Image, c.HTTPStatus), from: at + guestBoot, to: end})
			}
		}
	}
	if slices.ContainsFunc(machines, func(m *machine) bool { return m.parts[len(m.parts)-1].class == "down" }) {
		return nil, 0, errors.New("not every machine came on again")
	}
	return machines, end, nil
}

// Dimensions of the picture, in pixels.
const (
	width, left, top = 720, 60, 40
	row, bar         = 22, 14
)

func draw(machines []*machine, last time.Duration) string {
	at := func(d time.Duration) float64 { return left + (width-left-10)*d.Seconds()/last.Seconds() }
	var svg strings.Builder
	line := func(format string, values ...any) { fmt.Fprintf(&svg, format+"\n", values...) }
	height := top + len(machines)*row + 26
	line(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%[1]d" height="%[2]d" role="img" font-family="system-ui, sans-serif" font-size="11">`,
		width, height)
	line(`<title>Which machine was down when</title>`)
	line(`<style>text{fill:#1f2328}.down{fill:#cf222e}.boots{fill:#d4a72c}.bad{fill:#8250df}.on{fill:#dafbe1}.in{fill:#fff}` +
		`@media(prefers-color-scheme:dark){text{fill:#e6edf3}.on{fill:#12261e}}</style>`)
	legend := [][2]string{{"on", "serves"}, {"down", "down"}, {"boots", "on, not ready yet"}}
	if slices.ContainsFunc(machines, func(m *machine) bool {
		return slices.ContainsFunc(m.parts, func(p part) bool { return p.class == "bad" })
	}) {
		legend = append(legend, [2]string{"bad", "answers with an error"})
	}
	for i, entry := range legend {
		line(`<rect class="%s" x="%d" y="10" width="10" height="10"/><text x="%d" y="19">%s</text>`, entry[0], left+i*110, left+i*110+15, entry[1])
	}
	for i, m := range machines {
		y := top + i*row
		line(`<text x="%d" y="%d" text-anchor="end">%s</text>`, left-8, y+bar-3, m.name)
		for _, p := range append([]part{{class: "on", to: last}}, m.parts...) {
			line(`<rect class="%s" x="%.1f" y="%d" width="%.1f" height="%d"/>`, p.class, at(p.from), y, at(p.to)-at(p.from), bar)
			if p.text != "" {
				line(`<text class="in" x="%.1f" y="%d">%s</text>`, at(p.from)+4, y+bar-3, p.text)
			}
		}
	}
	for second := time.Duration(0); second <= last; second += 10 * time.Second {
		line(`<text x="%.1f" y="%d" text-anchor="middle">%.0f s</text>`, at(second), height-8, second.Seconds())
	}
	line("</svg>")
	return svg.String()
}
