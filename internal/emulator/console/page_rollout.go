package console

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// A rollout, as far as the emulator can see it: requests take down one machine after another. Only the provider knows
// which machines wait for a slot; the emulator only knows which ones have not been taken down yet.
const (
	rolloutPause = time.Minute     // a machine that is taken down after such a pause belongs to another rollout
	rolloutShown = 2 * time.Minute // after the end
	rolloutRows  = 16
)

// downtime is a period in which a machine did not serve.
type downtime struct {
	machine    int64
	begin, end time.Time // end is zero while it goes on
	events     []emulator.Event
}

// rolloutView is what the page shows of the last rollout.
type rolloutView struct {
	Begin, End time.Time
	Title      string
	Counts     []rolloutCount
	Most       int // maximum number of machines that were down at the same time
	Rows       []rolloutRow
	More       int // number of rows that are not shown
}

// rolloutCount is the number of machines in a state.
type rolloutCount struct {
	Class, Label string
	Count        int
}

// rolloutRow is a machine in a rollout.
type rolloutRow struct {
	Machine int64
	Name    string
	Class   string
	Status  string
	Bars    []rolloutBar
}

// rolloutBar is a part of a row, in thousandths of the row's width.
type rolloutBar struct {
	Class string
	X     int
	Width int
}

// downtimes returns the periods in which machines were down because of a request, in the order of their start.
func (h history) downtimes(f fleet) []downtime {
	var list []downtime
	for machine, events := range h.byMachine {
		if is := f.states[machine]; is == "" || is == deleted {
			continue
		}
		var present *downtime
		running := !slices.Contains(events[0].Changed, "created") // the first start is not a downtime
		for _, e := range events {
			is := stateAfter(e)
			switch {
			case is == on && present != nil:
				present.end = e.Time
				list, present = append(list, *present), nil
			case is != on && running && present == nil && takenDown(e):
				present = &downtime{machine: machine, begin: e.Time}
			}
			if present != nil {
				present.events = append(present.events, e)
			}
			running = e.Power == "on" || e.Power == "shutting down"
		}
		if present != nil {
			list = append(list, *present)
		}
	}
	slices.SortFunc(
		list, func(a, b downtime) int { return cmp.Or(a.begin.Compare(b.begin), cmp.Compare(a.machine, b.machine)) },
	)
	return list
}

// takenDown reports whether a request took a machine down, directly or through its guest.
func takenDown(e emulator.Event) bool {
	return slices.Contains(e.Changed, "power_on") && e.By != emulator.ByStaff && !e.Trouble
}

// newRollout returns the last rollout, or nil if there is none to show.
func newRollout(f fleet, h history, now time.Time) *rolloutView {
	wave := lastWave(h.downtimes(f), now)
	machines := map[int64]bool{}
	for _, d := range wave {
		machines[d.machine] = true
	}
	if len(machines) < 2 {
		return nil
	}
	r := &rolloutView{Begin: wave[0].begin, Most: mostAtATime(wave)}
	for _, d := range wave {
		end := d.end
		if end.IsZero() {
			end = now
		}
		if end.After(r.End) {
			r.End = end
		}
	}
	if now.Sub(r.End) > rolloutShown || !r.End.After(r.Begin) {
		return nil
	}
	groups := map[string]bool{}
	for _, group := range f.Groups {
		if !slices.ContainsFunc(group.Machines, func(m shownMachine) bool { return machines[m.ID] }) {
			continue
		}
		groups[group.Account.Name+"/"+group.Name] = true
		for _, m := range group.Machines {
			if machines[m.ID] || m.State != deleted && m.State != off {
				r.Rows = append(r.Rows, r.row(m, wave, now))
			}
		}
	}
	r.finish(groups)
	return r
}

// lastWave returns the last downtimes without a longer pause between them.
func lastWave(list []downtime, now time.Time) []downtime {
	begin, end := 0, time.Time{}
	for n, d := range list {
		if n > 0 && d.begin.Sub(end) > rolloutPause {
			begin, end = n, time.Time{}
		}
		until := d.end
		if until.IsZero() {
			if until = now; len(d.events) > 0 && d.asked(now) {
				until = d.begin
			}
		}
		if until.After(end) {
			end = until
		}
	}
	return list[begin:]
}

// asked reports whether a machine was switched off to stay off: nothing has happened to it for a while.
func (d downtime) asked(now time.Time) bool {
	last := d.events[len(d.events)-1]
	return last.Power == "off" && now.Sub(last.Time) > rolloutPause
}

// mostAtATime returns the maximum number of machines that were down at the same time.
func mostAtATime(wave []downtime) int {
	most := 0
	for _, d := range wave {
		at := 0
		for _, other := range wave {
			if !other.begin.After(d.begin) && (other.end.IsZero() || other.end.After(d.begin)) {
				at++
			}
		}
		most = max(most, at)
	}
	return most
}

// row returns the row of a machine in a rollout.
func (r *rolloutView) row(m shownMachine, wave []downtime, now time.Time) rolloutRow {
	row := rolloutRow{Machine: m.ID, Name: m.Name, Class: "waits", Status: "not taken down"}
	var down time.Duration
	for _, d := range wave {
		if d.machine != m.ID {
			continue
		}
		end := d.end
		row.Class, row.Status = string(on), "answers"
		if end.IsZero() {
			end = now
			row.Class, row.Status = string(m.State), m.Label
		}
		down += end.Sub(d.begin)
		row.Bars = append(row.Bars, r.bars(d, end)...)
	}
	if row.Class != "waits" {
		row.Status += ", " + spell(down)
		if row.Class == string(on) {
			row.Status = "was down " + spell(down)
		}
	}
	return row
}

// bars returns the parts of a downtime, one for each state.
func (r *rolloutView) bars(d downtime, end time.Time) []rolloutBar {
	var bars []rolloutBar
	begin := d.begin
	for n, e := range d.events {
		until := end
		if n+1 < len(d.events) {
			until = d.events[n+1].Time
			if stateAfter(e) == stateAfter(d.events[n+1]) {
				continue
			}
		}
		bars = append(bars, r.bar(stateAfter(e), begin, until))
		begin = until
	}
	return bars
}

// compare sorts rows: trouble first, then machines in the order in which they were taken down, then the others.
func (r rolloutRow) compare(other rolloutRow) int {
	begin := func(row rolloutRow) int {
		switch {
		case row.Class == string(silent):
			return -1
		case len(row.Bars) == 0:
			return 1001
		}
		return row.Bars[0].X
	}
	return cmp.Or(begin(r)-begin(other), natural(r.Name, other.Name))
}

// bar returns the part of a row between two times.
func (r *rolloutView) bar(is state, from, to time.Time) rolloutBar {
	whole := r.End.Sub(r.Begin)
	x := int(1000 * from.Sub(r.Begin) / whole)
	return rolloutBar{string(is), x, max(int(1000*to.Sub(r.Begin)/whole)-x, 3)}
}

// finish counts and sorts the rows.
func (r *rolloutView) finish(groups map[string]bool) {
	order := []string{string(silent), string(off), string(booting), string(on), "waits"}
	labels := []string{"not answering", "down", "booting", "back", "not taken down"}
	for n, class := range order {
		count := 0
		for _, row := range r.Rows {
			if row.Class == class {
				count++
			}
		}
		if count > 0 {
			r.Counts = append(r.Counts, rolloutCount{class, labels[n], count})
		}
	}
	slices.SortStableFunc(r.Rows, rolloutRow.compare)
	r.More = max(0, len(r.Rows)-rolloutRows)
	r.Rows = r.Rows[:len(r.Rows)-r.More]
	names := make([]string, 0, len(groups))
	for name := range groups {
		names = append(names, name)
	}
	slices.Sort(names)
	r.Title = strings.Join(names, ", ")
	if len(names) > 3 {
		r.Title = fmt.Sprintf("%d groups", len(names))
	}
}
