// Package existing carries what the plans of creations find to the command imports: which of the objects that a plan
// would create exist. The command names a file in the environment, and each process of the provider appends lines to
// it.
package existing

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
)

// Variable is the environment variable that names the file. A provider that has it plans the creation of an object that
// exists with the values of that object, its ID among them, writes a line, and refuses to apply.
const Variable = "CLOUDSERVER_EXISTING"

// Creation is what the plan of one creation has found.
type Creation struct {
	Type string `json:"type"`
	// Planned are the planned values that identify the object, as text. Those of an object that exists include its ID, if
	// the resource has one.
	Planned map[string]string `json:"planned"`
	// ImportIDs are the IDs to import it by: none if there is no such object, several if several are as planned.
	ImportIDs []string `json:"import_ids,omitempty"`
	// SoftDeleted is the ID of the soft-deleted machine that has the name.
	SoftDeleted string `json:"soft_deleted,omitempty"`
}

// Group is a group of which a plan creates a machine, with everything in it.
type Group struct {
	Account  string    `json:"account"`
	Name     string    `json:"name"` // or its ID, if the configuration has that
	Machines []Machine `json:"machines"`
}

// Machine is a machine of a group.
type Machine struct {
	ID          string   `json:"id"`
	Name        string   `json:"name"`
	SoftDeleted bool     `json:"soft_deleted,omitempty"`
	Addresses   []string `json:"addresses,omitempty"`
	Schedules   []string `json:"schedules,omitempty"` // their import IDs
}

// line is a line of the file: what a creation or a group of a service is.
type line struct {
	Service  string    `json:"service"`
	Creation *Creation `json:"creation,omitempty"`
	Group    *Group    `json:"group,omitempty"`
}

// Log is where one process writes what it finds. It is safe for concurrent use.
type Log struct {
	Service string // distinguishes the objects of several services

	mu  sync.Mutex
	out io.Writer
}

// NewLog returns a log that writes to out.
func NewLog(out io.Writer) *Log { return &Log{out: out} }

// FromEnvironment opens the file that the environment names. It returns nil if it names none.
func FromEnvironment() (*Log, error) {
	name := os.Getenv(Variable)
	if name == "" {
		return nil, nil
	}
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return nil, fmt.Errorf("%s names a file for the command imports, which cannot be written: %w. The command sets the variable itself: unset it", Variable, err)
	}
	return NewLog(file), nil
}

// Creation writes what the plan of a creation has found.
func (l *Log) Creation(c Creation) error { return l.write(line{l.Service, &c, nil}) }

// Group writes what a group contains.
func (l *Log) Group(g Group) error { return l.write(line{l.Service, nil, &g}) }

// write appends a line in a single call, because other processes append to the same file.
func (l *Log) write(one line) error {
	text, err := json.Marshal(one)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	_, err = l.out.Write(append(text, '\n'))
	return err
}

// Findings is what all processes have written.
type Findings struct {
	Creations []FoundCreation
	Groups    []FoundGroup
}

// FoundCreation is what a creation at a service has found.
type FoundCreation struct {
	Service string
	Creation
}

// FoundGroup is a group of a service.
type FoundGroup struct {
	Service string
	Group
}

// Read reads the lines of a file. A group that several processes have written is returned once.
func Read(file io.Reader) (f Findings, err error) {
	in := bufio.NewReader(file)
	for {
		text, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return f, nil // a line without its end was not finished
		}
		if err != nil {
			return f, err
		}
		var one line
		if err := json.Unmarshal(text, &one); err != nil {
			return f, fmt.Errorf("the provider has written %q: %w", text, err)
		}
		if one.Creation != nil {
			f.Creations = append(f.Creations, FoundCreation{one.Service, *one.Creation})
		}
		if one.Group != nil {
			f.addGroup(FoundGroup{one.Service, *one.Group})
		}
	}
}

func (f *Findings) addGroup(group FoundGroup) {
	if !slices.ContainsFunc(f.Groups, func(g FoundGroup) bool {
		return g.Service == group.Service && g.Account == group.Account && g.Name == group.Name
	}) {
		f.Groups = append(f.Groups, group)
	}
}
