package emulator

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// How many events are kept, in memory and in a state.
const (
	keptEvents  = 1000
	savedEvents = 100
)

// Event is something that happened: a change of a machine or a group, whoever made it. Requests that changed nothing are in the
// journal.
type Event struct {
	Number int64     `json:"number"`
	Time   time.Time `json:"time"`
	// Machine and Hostname are of the machine that it happened to, as it was called after it; 0 and "" for none.
	Machine  int64  `json:"id,omitempty"`
	Hostname string `json:"hostname,omitempty"`
	// Text says what happened to the machine, such as "was switched off".
	Text string `json:"text"`
	// Changed are the attributes that are different now.
	Changed []string `json:"changed,omitempty"`
	// Power is what the machine's power is since then, or is becoming; "" when there is no machine any more.
	Power string `json:"power,omitempty"`
	// Answers reports whether the machine's guest answers since then.
	Answers bool `json:"answers,omitempty"`
	// By is the program that asked for it, or "staff"; "" when the service did it by itself.
	By string `json:"by,omitempty"`
	// Call is the method and the path of the request that asked for it.
	Call string `json:"call,omitempty"`
	// Step is set for the beginning of what ends by itself, such as a start: the machine's next event tells the end.
	Step bool `json:"step,omitempty"`
	// Trouble is set when something has broken down.
	Trouble bool `json:"trouble,omitempty"`
}

// cause is what made a change; the zero cause is time.
type cause struct {
	by, call string
	host     bool // the machine's host has failed
}

// ByStaff is who changes something through the back door.
const ByStaff = "staff"

// events is what happened so far.
type events struct {
	kept   []Event
	number int64
	// touched has the machines that may be changing, as they were: nil is one that is being created.
	touched map[*machine]*picture
	// At one moment a machine has one event: it was shut down, not first asked to and then off.
	moment time.Time
	recent map[int64]recent // by machine
}

// recent is an event of the present moment.
type recent struct {
	number int64
	cause  cause
	before *picture
}

// touch remembers a machine as it is, because it may change now.
func (s *store) touch(m *machine) {
	if _, known := s.events.touched[m]; !known {
		s.events.touched[m] = s.picture(m)
	}
}

// touchNew remembers that a machine is being created.
func (s *store) touchNew(m *machine) { s.events.touched[m] = nil }

// settle adds an event for each machine that has changed since it was touched, and returns the number of the first: 0 for none.
func (s *store) settle(at time.Time, by cause) (first int64) {
	v := &s.events
	if len(v.touched) == 0 {
		return 0
	}
	if !at.Equal(v.moment) {
		v.moment = at
		clear(v.recent)
	}
	machines := slices.SortedFunc(maps.Keys(v.touched), func(a, b *machine) int { return cmp.Compare(a.ID, b.ID) })
	moves := s.movedDiscs(machines)
	for _, m := range machines {
		if number := s.happened(m, at, by, moves); first == 0 {
			first = number
		}
	}
	clear(v.touched)
	return first
}

// happened adds the event of a machine that was touched, if something about it has changed, and returns its number.
func (s *store) happened(m *machine, at time.Time, by cause, moves map[int64]move) int64 {
	v := &s.events
	now := recent{0, by, v.touched[m]}
	if earlier, ok := v.recent[m.ID]; ok && by == (cause{}) {
		now = earlier
	}
	told := story{before: now.before, after: s.picture(m), cause: now.cause, moves: moves}
	told.tell()
	e := Event{
		Number: now.number, Time: at, Machine: m.ID, Hostname: m.hostname(), Text: strings.Join(told.phrases, ", "), Changed: told.changed,
		By: now.cause.by, Call: now.cause.call, Trouble: told.trouble, Step: told.step && len(told.phrases) == 1,
	}
	if told.after != nil {
		e.Power, e.Answers = told.after.power, told.after.answers()
	}
	now.number = v.add(e)
	v.recent[m.ID] = now
	return now.number
}

// add adds an event, or replaces the one of its number, and returns its number. One without a text is none.
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

// world returns the events that a state has.
func (v *events) world() []Event { return slices.Clone(v.kept[max(0, len(v.kept)-savedEvents):]) }

// load takes over the events of a state. Their numbers go on after those of the present world.
func (v *events) load(list []Event, last int64) {
	v.kept, v.number = list[max(0, len(list)-keptEvents):], last
	for _, e := range list {
		v.number = max(v.number, e.Number)
	}
}

// loadOlder takes over events from before those that were loaded, which a state does not have any more.
func (v *events) loadOlder(list []Event) {
	if len(v.kept) > 0 {
		first := v.kept[0].Number
		older := slices.DeleteFunc(slices.Clone(list), func(e Event) bool { return e.Number >= first })
		v.kept = append(older, v.kept...)
	}
}

// Events returns what happened, the oldest first: at most the last thousand events. The caller may keep the result.
func (e *Emulator) Events() []Event {
	var list []Event
	e.update(func(s *store) { list = append([]Event{}, s.events.kept...) })
	return list
}

// Note adds an event that concerns no machine. It was made by staff.
func (e *Emulator) Note(text string) {
	e.update(func(s *store) { s.events.add(Event{Time: e.now(), Text: text, By: ByStaff}) })
}

// note adds an event of a request that concerns no machine.
func (c *call) note(format string, arguments ...any) {
	by := c.cause()
	c.reached.Event = c.store.events.add(Event{Time: c.now, Text: fmt.Sprintf(format, arguments...), By: by.by, Call: by.call})
}

// settle adds the events of a request.
func (c *call) settle() {
	if len(c.store.events.touched) == 0 {
		return
	}
	if first := c.store.settle(c.now, c.cause()); first != 0 {
		c.reached.Event = first
	}
}

// cause returns what makes the changes of a request.
func (c *call) cause() cause {
	return cause{by: c.program(), call: c.Method + " " + c.store.redact(c.URL.EscapedPath(), "/")}
}

// program returns what sends a request: the first product of its User-Agent, without the version.
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
