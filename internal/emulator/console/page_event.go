package console

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// How many events the page shows, and how many before the rest is folded.
const (
	shownEvents  = 60
	latestEvents = 16
)

// history is the list of events, oldest first.
type history struct {
	all       []emulator.Event
	byMachine map[int64][]emulator.Event
	now       time.Time
}

func newHistory(events []emulator.Event, now time.Time) history {
	h := history{events, map[int64][]emulator.Event{}, now}
	for _, e := range events {
		if e.Machine != 0 {
			h.byMachine[e.Machine] = append(h.byMachine[e.Machine], e)
		}
	}
	return h
}

// since returns how long a machine has been in its current state, or 0 if that is unknown.
func (h history) since(machine int64) time.Duration {
	for _, e := range slices.Backward(h.byMachine[machine]) {
		if changesState(e) {
			return max(h.now.Sub(e.Time), 0)
		}
	}
	return 0
}

// changesState reports whether an event changed the state of its machine.
func changesState(e emulator.Event) bool {
	return slices.ContainsFunc(e.Changed, func(what string) bool {
		return slices.Contains([]string{"created", "deleted", "power_on", "guest"}, what)
	})
}

// stateAfter returns the state of a machine after an event.
func stateAfter(e emulator.Event) state {
	switch {
	case e.Power == "" || slices.Contains(e.Changed, "deleted") && !strings.Contains(e.Text, "brought back"):
		return deleted
	case e.Power == "off":
		return off
	case e.Power == "starting" || e.Power == "installing":
		return booting
	case e.Power == "on" && !e.Answers && e.Trouble:
		return silent
	case e.Power == "on" && !e.Answers:
		return booting
	}
	return on
}

// purpose returns what a machine was taken down for, judging by its later events, or "" if they do not show it.
func (h history) purpose(stop emulator.Event) string {
	if !slices.Contains(stop.Changed, "power_on") || stop.By == emulator.ByStaff || stop.Power == "on" {
		return ""
	}
	for _, e := range h.byMachine[stop.Machine] {
		if e.Number < stop.Number {
			continue
		}
		for _, changed := range e.Changed {
			switch changed {
			case "cores", "memory", "hardware_profile":
				return "for an update"
			case "image":
				return "for a reimage"
			case "discs":
				return "for a change of its discs"
			case "deleted":
				return "before it was deleted"
			}
		}
		if e.Power == "on" {
			break
		}
	}
	return ""
}

// feedItem is an event, with the requests that belong to it.
type feedItem struct {
	Key     string
	Time    time.Time
	Machine string // its name, "" for none
	Class   string // a state, "bad" or "plain"
	Text    string
	By      string
	Count   int // how often, if it was repeated
	Writes  []shownRequest
	Reads   []shownRequest   // the last of them
	Asked   int              // number of the reads
	Call    string           // the request of another process
	Steps   []emulator.Event // that led to the event, oldest first
	order   int64
	machine int64
}

// Title describes the event in one line.
func (i feedItem) Title() string { return strings.TrimSpace(i.Machine + " " + i.Text) }

// feed lists what happened, newest first.
type feed struct{ Latest, Older []feedItem }

// newFeed returns the events that match a filter, and the requests that went wrong.
func newFeed(h history, log requestLog, f fleet, by filter) feed {
	var items []feedItem
	if by.Show != "faults" {
		for _, e := range slices.Backward(h.all) {
			if item := h.item(e); !h.passed(e) && item.wanted(f, by) && len(items) < shownEvents {
				items = append(items, item)
			}
		}
	}
	for _, r := range slices.Backward(log.all) {
		if r.trouble() == "" || !r.wanted(f, by) {
			continue
		}
		if item := failedItem(r, f); len(items) < 2*shownEvents {
			items = append(items, item)
		}
	}
	slices.SortStableFunc(
		items, func(a, b feedItem) int { return cmp.Or(b.Time.Compare(a.Time), cmp.Compare(b.order, a.order)) },
	)
	items = fold(items)
	items = items[:min(len(items), shownEvents)]
	for n := range items {
		items[n].attach(h, log)
	}
	latest := min(len(items), latestEvents)
	return feed{items[:latest], items[latest:]}
}

// steps returns the preceding events that an event concludes, oldest first.
func (h history) steps(e emulator.Event) []emulator.Event {
	events := h.byMachine[e.Machine]
	at := slices.IndexFunc(events, func(other emulator.Event) bool { return other.Number == e.Number })
	begin := at
	for e.By == "" && begin > 0 && events[begin-1].Step && slices.Contains(e.Changed, "power_on") {
		begin--
	}
	if at < 0 {
		return nil
	}
	return events[begin:at]
}

// passed reports whether an event is a step of a later event.
func (h history) passed(e emulator.Event) bool {
	events := h.byMachine[e.Machine]
	at := slices.IndexFunc(events, func(other emulator.Event) bool { return other.Number == e.Number })
	return e.Step && at >= 0 && at+1 < len(events) && events[at+1].By == "" && slices.Contains(events[at+1].Changed, "power_on")
}

// item returns an event as it is shown on the page.
func (h history) item(e emulator.Event) feedItem {
	name, _, _ := strings.Cut(e.Hostname, ".")
	item := feedItem{
		Key: "event " + strconv.FormatInt(e.Number, 10), Time: e.Time, Machine: name, Class: "plain", Text: e.Text, By: e.By, Count: 1,
		Call: e.Call, order: e.Number, machine: e.Machine,
	}
	if item.Steps = h.steps(e); len(item.Steps) > 0 {
		item.By, item.Call = item.Steps[0].By, item.Steps[0].Call
		if took := e.Time.Sub(item.Steps[0].Time); e.Power == "on" && took >= time.Second {
			item.Text += " after " + spell(took)
		}
	}
	if purpose := h.purpose(e); purpose != "" && (e.Power == "off" || e.Power == "shutting down") {
		item.Text += " " + purpose
	}
	switch {
	case e.Trouble:
		item.Class = "bad"
	case e.Machine != 0 && changesState(e):
		item.Class = string(stateAfter(e))
	}
	return item
}

// failedItem returns a request that went wrong as it is shown on the page.
func failedItem(r shownRequest, f fleet) feedItem {
	return feedItem{
		Key: fmt.Sprint("request ", r.Number), Time: r.Time, Machine: r.machine(f), Class: "bad", Text: r.trouble(), Count: 1,
		Writes: []shownRequest{r.withBody()}, machine: r.Reached.Machine,
	}
}

// wanted reports whether the item matches a filter.
func (i feedItem) wanted(f fleet, by filter) bool {
	text := strings.ToLower(strings.Join([]string{i.Machine, i.Text, i.By, i.Call, strconv.FormatInt(i.machine, 10), f.names[i.machine]}, " "))
	return (by.state() == "" || f.states[i.machine] == by.state()) && by.found(text)
}

// fold merges equal items that follow each other.
func fold(items []feedItem) []feedItem {
	var folded []feedItem
	for _, item := range items {
		if n := len(folded) - 1; n >= 0 && item.Class == "bad" && folded[n].Title() == item.Title() && item.order == 0 {
			folded[n].Count++
			folded[n].Key = item.Key // keep the key of the oldest
			continue
		}
		folded = append(folded, item)
	}
	return folded
}

// attach finds the requests that belong to an event: those of its machine since the previous event.
func (i *feedItem) attach(h history, log requestLog) {
	if i.order == 0 || i.machine == 0 {
		if r, ok := log.byEvent[i.order]; ok && i.order != 0 {
			i.Writes = []shownRequest{r.withBody()}
		}
		return
	}
	events := h.byMachine[i.machine]
	at := slices.IndexFunc(events, func(e emulator.Event) bool { return e.Number == i.order })
	last, before := at == len(events)-1, at-len(i.Steps)-1
	mine := func(number int64) bool {
		return number == i.order ||
			slices.ContainsFunc(i.Steps, func(e emulator.Event) bool { return e.Number == number })
	}
	for _, r := range slices.Backward(log.byMachine[i.machine]) {
		switch {
		case r.Reached.Event != 0 && !mine(r.Reached.Event), r.Writes() && r.trouble() != "": // has a row of its own
			continue
		case mine(r.Reached.Event):
		case !last && r.Time.After(i.Time), before >= 0 && !r.Time.After(events[before].Time):
			continue
		}
		if r.Writes() {
			i.Writes = append(i.Writes, r.withBody())
			continue
		}
		if i.Asked++; len(i.Reads) < shownReads {
			i.Reads = append(i.Reads, r)
		}
	}
	if len(i.Writes) > 0 {
		i.Call = ""
	}
}
