package console

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// maxShownMachines is how many machines of a group the page shows, those with trouble first.
const maxShownMachines = 100

// state is what a machine is doing. The page colours, counts and sorts machines by it.
type state string

// The states.
const (
	silent  state = "silent" // on, but does not answer
	booting state = "booting"
	off     state = "off"
	on      state = "on"
	deleted state = "deleted"
)

// rank returns the position of a state in lists: trouble comes first.
func (s state) rank() int { return slices.Index([]state{silent, booting, off, on, deleted}, s) }

// shownMachine is a machine with what the page shows about it.
type shownMachine struct {
	emulator.WorldMachine
	State state
	Label string        // the state for people
	For   time.Duration // how long it has been in this state; 0: unknown
	Doing *emulator.Task
	Text  string // the text that a search looks at
}

// shownGroup is a group with its machines.
type shownGroup struct {
	emulator.WorldGroup
	Account  emulator.WorldAccount
	Machines []shownMachine
	More     int // number of machines that are not shown
}

// fleet is the set of all machines.
type fleet struct {
	Groups   []shownGroup // groups with machines
	Empty    []shownGroup
	Count    map[state]int
	Several  bool // several accounts have machines
	Filtered bool
	names    map[int64]string
	states   map[int64]state
}

// Deleted returns the number of soft-deleted machines.
func (f fleet) Deleted() int { return f.Count[deleted] }

// Total returns the number of machines that are not deleted.
func (f fleet) Total() int { return f.Count[on] + f.Count[off] + f.Count[booting] + f.Count[silent] }

// newFleet returns the machines of a view.
func newFleet(v emulator.View, history history) fleet {
	f := fleet{Count: map[state]int{}, names: map[int64]string{}, states: map[int64]state{}}
	accounts := map[int64]bool{}
	for _, account := range v.Accounts {
		for _, group := range account.Groups {
			shown := shownGroup{WorldGroup: group, Account: account}
			for _, m := range group.Machines {
				machine := newShownMachine(m, history)
				shown.Machines = append(shown.Machines, machine)
				f.Count[machine.State]++
				f.names[m.ID], f.states[m.ID] = m.Name, machine.State
			}
			if len(shown.Machines) == 0 {
				f.Empty = append(f.Empty, shown)
				continue
			}
			slices.SortStableFunc(shown.Machines, shownMachine.compare)
			f.Groups, accounts[account.ID] = append(f.Groups, shown), true
		}
	}
	slices.SortStableFunc(
		f.Groups, func(a, b shownGroup) int { return a.Machines[0].State.rank() - b.Machines[0].State.rank() },
	)
	f.Several = len(accounts) > 1
	return f
}

// compare sorts machines: trouble first, then by name.
func (m shownMachine) compare(other shownMachine) int {
	return cmp.Or(m.State.rank()-other.State.rank(), natural(m.Name, other.Name))
}

// newShownMachine returns what the page shows about a machine.
func newShownMachine(m emulator.WorldMachine, history history) shownMachine {
	shown := shownMachine{WorldMachine: m, State: on, Label: m.Power, For: history.since(m.ID)}
	switch {
	case m.Deleted:
		shown.State, shown.Label = deleted, "deleted"
	case m.Power == "starting" || m.Power == "on" && m.GuestBooting:
		shown.State, shown.Label = booting, "booting"
	case m.Power == "installing":
		shown.State, shown.Label = booting, "installing"
		if m.Image != nil {
			shown.Label += " " + m.Image.Distribution
		}
	case m.PowerOn && m.Deaf:
		shown.State, shown.Label = silent, "does not answer"
	case m.Power == "off":
		shown.State = off
	}
	if len(m.Tasks) > 0 {
		shown.Doing = &m.Tasks[0]
	}
	texts := []string{
		m.Name, m.Hostname, strconv.FormatInt(m.ID, 10), shown.Label, m.LastImagedWith, m.HardwareProfile, m.ZoneName,
	}
	for _, face := range m.Interfaces {
		texts = append(texts, face.IPs...)
	}
	for _, d := range m.Discs {
		texts = append(texts, d.Label)
	}
	shown.Text = strings.ToLower(strings.Join(texts, " "))
	return shown
}

// Address returns the machine's first address.
func (m shownMachine) Address() string {
	for _, face := range m.Interfaces {
		for _, address := range face.IPs {
			return address
		}
	}
	return ""
}

// Installed describes the installed image.
func (m shownMachine) Installed() string {
	switch {
	case m.LastImagedWith != "":
		return m.LastImagedWith
	case m.Image != nil:
		return m.Image.Distribution
	}
	return "no image"
}

// chosen returns the machines that match a filter.
func (f fleet) chosen(by filter) fleet {
	f.Filtered = by.Query != "" || by.state() != ""
	var groups []shownGroup
	for _, group := range f.Groups {
		group.Machines = slices.DeleteFunc(
			slices.Clone(group.Machines), func(m shownMachine) bool { return !by.machine(m.State, m.Text) },
		)
		if len(group.Machines) == 0 {
			continue
		}
		group.More = max(0, len(group.Machines)-maxShownMachines)
		group.Machines = group.Machines[:len(group.Machines)-group.More]
		groups = append(groups, group)
	}
	f.Groups = groups
	return f
}

// filter is the filter in the page's query.
type filter struct {
	Show  string // a state, or "faults"
	Query string
}

// newFilter parses a query.
func newFilter(query url.Values) filter {
	f := filter{Show: query.Get("show"), Query: strings.TrimSpace(query.Get("q"))}
	if f.Show != "faults" && state(f.Show).rank() < 0 {
		f.Show = ""
	}
	return f
}

// state returns the state that machines must have, or "" for any.
func (f filter) state() state {
	if f.Show == "faults" {
		return ""
	}
	return state(f.Show)
}

// machine reports whether a machine matches, given its state and the text that a search looks at.
func (f filter) machine(is state, text string) bool {
	return (f.state() == "" || f.state() == is) && f.found(text)
}

// found reports whether the search finds a text, which must be in lower case.
func (f filter) found(text string) bool { return strings.Contains(text, strings.ToLower(f.Query)) }

// href returns the address of the page with this filter.
func (f filter) href() string {
	query := url.Values{}
	if f.Show != "" {
		query.Set("show", f.Show)
	}
	if f.Query != "" {
		query.Set("q", f.Query)
	}
	if len(query) == 0 {
		return "/"
	}
	return "/?" + query.Encode()
}

// tile is a count at the top of the page, which also works as a filter.
type tile struct {
	Name, Label string
	Count       int
	Href        string
	Chosen      bool
}

// newTiles returns the tiles.
func newTiles(f fleet, faults int, chosen filter) []tile {
	tiles := []tile{
		{Name: string(on), Label: "on", Count: f.Count[on]},
		{Name: string(off), Label: "off", Count: f.Count[off]},
		{Name: string(booting), Label: "booting", Count: f.Count[booting]},
		{Name: string(silent), Label: "not answering", Count: f.Count[silent]},
		{Name: "faults", Label: "faults armed", Count: faults},
	}
	if faults == 1 {
		tiles[4].Label = "fault armed"
	}
	for n := range tiles {
		t := &tiles[n]
		t.Chosen = chosen.Show == t.Name
		wanted := filter{Query: chosen.Query}
		if !t.Chosen { // choosing it again shows all machines
			wanted.Show = t.Name
		}
		t.Href = wanted.href()
	}
	return tiles
}
