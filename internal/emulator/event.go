package emulator

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// How many events are kept in memory and in a state.
const (
	keptEvents  = 1000
	savedEvents = 100
)

// Event is a change of a machine or a group, whoever caused it. Requests that changed nothing are in the journal only.
type Event struct {
	Number int64     `json:"number" minimum:"1" maximum:"9007199254740991" description:"Number of the event."`
	Time   time.Time `json:"time" description:"When it happened."`
	// Machine and Hostname identify the changed machine, under its name after the event. They are 0 and "" if there is
	// none.
	Machine  int64  `json:"id,omitempty" minimum:"0" maximum:"9007199254740991" description:"ID of the machine."`
	Hostname string `json:"hostname,omitempty" description:"Hostname of the machine."`
	// Text describes what happened to the machine, such as "was switched off".
	Text string `json:"text" description:"What happened to it."`
	// Changed are the attributes that have other values now.
	Changed []string `json:"changed,omitempty" description:"What is different since then."`
	// Power is the machine's power after the event, or the power that it is changing to; "" if the machine no longer
	// exists.
	Power string `json:"power,omitempty" description:"Power since then."`
	// Answers reports whether the machine's guest answers after the event.
	Answers bool `json:"answers,omitempty" description:"Whether the guest answers since then."`
	// By is the program that asked for the change, or "staff"; "" if the service did it by itself.
	By string `json:"by,omitempty" description:"Who asked for it."`
	// Call is the method and path of the request that asked for the change.
	Call string `json:"call,omitempty" description:"Method and path of the request that asked for it."`
	// Step is set for the start of something that ends by itself, such as booting. The machine's next event is the end.
	Step bool `json:"step,omitempty" description:"Whether it is the beginning of what ends by itself."`
	// Trouble is set if something has failed.
	Trouble bool `json:"trouble,omitempty" description:"Whether something has broken down."`
}

// cause is what made a change. The zero cause is the passage of time.
type cause struct {
	by, call string
	host     bool // the machine's host has failed
}

// ByStaff is the cause of changes through the back door.
const ByStaff = "staff"

// events are the events so far.
type events struct {
	kept   []Event
	number int64
	// touched are the machines that may be changing, as they were before. nil means a machine that is being created.
	touched map[*storedMachine]*picture
	// A machine has at most one event at the same instant: it "was shut down" instead of being asked to and then going
	// off.
	moment time.Time
	recent map[int64]recent // by machine
}

// recent is an event at the current instant.
type recent struct {
	number int64
	cause  cause
	before *picture
}

// touch records a machine's current values, because it may be about to change.
func (s *store) touch(m *storedMachine) {
	if _, known := s.events.touched[m]; !known {
		s.events.touched[m] = s.picture(m)
	}
}

// touchNew records that a machine is being created.
func (s *store) touchNew(m *storedMachine) { s.events.touched[m] = nil }

// record adds an event for each machine that has changed since it was touched. It returns the number of the first
// event, or 0.
func (s *store) record(at time.Time, by cause) (first int64) {
	v := &s.events
	if len(v.touched) == 0 {
		return 0
	}
	if !at.Equal(v.moment) {
		v.moment = at
		clear(v.recent)
	}
	machines := slices.SortedFunc(maps.Keys(v.touched), func(a, b *storedMachine) int { return cmp.Compare(a.ID, b.ID) })
	moves := s.movedDiscs(machines)
	for _, m := range machines {
		if number := s.happened(m, at, by, moves); first == 0 {
			first = number
		}
	}
	clear(v.touched)
	return first
}

// happened adds the event of a touched machine, if it has changed, and returns the event's number.
func (s *store) happened(m *storedMachine, at time.Time, by cause, moves map[int64]move) int64 {
	v := &s.events
	now := recent{0, by, v.touched[m]}
	if earlier, ok := v.recent[m.ID]; ok && by == (cause{}) {
		now = earlier
	}
	change := story{before: now.before, after: s.picture(m), cause: now.cause, moves: moves}
	change.describe()
	e := Event{
		Number: now.number, Time: at, Machine: m.ID, Hostname: m.hostname(), Text: strings.Join(change.phrases, ", "), Changed: change.changed,
		By: now.cause.by, Call: now.cause.call, Trouble: change.trouble, Step: change.step && len(change.phrases) == 1,
	}
	if change.after != nil {
		e.Power, e.Answers = change.after.power, change.after.answers()
	}
	now.number = v.add(e)
	v.recent[m.ID] = now
	return now.number
}

// add adds an event, or replaces the one with its number, and returns the number. An event without a text is dropped.
func (v *events) add(e Event) int64 {
	if e.Text == "" {
		return e.Number
	}
	if e.Number != 0 {
		if n := slices.IndexFunc(v.kept, func(old Event) bool { return old.Number == e.Number }); n >= 0 {
			v.kept[n] = e
		}
		return e.Number
	}
	v.number++
	e.Number = v.number
	v.kept = append(v.kept, e)
	if extra := len(v.kept) - keptEvents; extra >= keptEvents/10 {
		v.kept = append([]Event(nil), v.kept[extra:]...)
	}
	return e.Number
}

// world returns the events that a state contains.
func (v *events) world() []Event { return slices.Clone(v.kept[max(0, len(v.kept)-savedEvents):]) }

// load replaces the events by those of a state. New numbers continue after those of the current world.
func (v *events) load(list []Event, last int64) {
	v.kept, v.number = list[max(0, len(list)-keptEvents):], last
	for _, e := range list {
		v.number = max(v.number, e.Number)
	}
}

// loadOlder adds events from before the loaded ones, which the state no longer contains.
func (v *events) loadOlder(list []Event) {
	if len(v.kept) > 0 {
		first := v.kept[0].Number
		older := slices.DeleteFunc(slices.Clone(list), func(e Event) bool { return e.Number >= first })
		v.kept = append(older, v.kept...)
	}
}

// Events returns what happened, oldest first: at most the last thousand events. The caller may keep the result.
func (e *Emulator) Events() []Event {
	var list []Event
	e.update(func(s *store) { list = append([]Event{}, s.events.kept...) })
	return list
}

// Note adds an event of the staff that concerns no machine.
func (e *Emulator) Note(text string) {
	e.update(func(s *store) { s.events.add(Event{Time: e.now(), Text: text, By: ByStaff}) })
}

// note adds an event that a request caused and that concerns no machine.
func (c *call) note(format string, arguments ...any) {
	by := c.cause()
	c.reached.Event = c.store.events.add(
		Event{Time: c.now, Text: fmt.Sprintf(format, arguments...), By: by.by, Call: by.call},
	)
}

// recordEvents adds the events of a request.
func (c *call) recordEvents() {
	if len(c.store.events.touched) == 0 {
		return
	}
	if first := c.store.record(c.now, c.cause()); first != 0 {
		c.reached.Event = first
	}
}

// cause returns the cause of the changes made by a request.
func (c *call) cause() cause {
	return cause{by: c.program(), call: c.Method + " " + c.store.redact(c.URL.EscapedPath(), "/")}
}

// program returns the program that sent a request: the first product of its User-Agent, without the version.
func (c *call) program() string {
	agent, _, _ := strings.Cut(c.Header.Get("User-Agent"), "/")
	if strings.HasPrefix(agent, "terraform-provider-") {
		return "provider"
	}
	agent = strings.Map(func(r rune) rune {
		if r > ' ' && r < 0x7f {
			return r
		}
		return -1
	}, agent)
	return cmp.Or(agent[:min(len(agent), 40)], "API")
}
