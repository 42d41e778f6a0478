package console

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// Limits of kept worlds.
const (
	maxWorlds     = 100
	maxWorldBytes = 128 << 20 // of all together
)

// worlds are worlds kept in memory, by name.
type worlds struct {
	mu   sync.Mutex // guards kept
	kept map[string]emulator.Snapshot
}

// shownWorld is a kept world in a list.
type shownWorld struct {
	Name  string    `json:"name"`
	Clock time.Time `json:"clock"`
	Bytes int       `json:"bytes"`
}

// list returns the kept worlds, sorted by name.
func (s *worlds) list() []shownWorld {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := []shownWorld{}
	for _, name := range slices.Sorted(maps.Keys(s.kept)) {
		kept := s.kept[name]
		list = append(list, shownWorld{name, kept.Clock, len(kept.State)})
	}
	return list
}

// keepWorld keeps the current world, and replaces one with the same name.
func (d *desk) keepWorld(r *http.Request) (any, error) {
	name, world, s := r.PathValue("name"), d.emulator.Snapshot(), &d.worlds
	s.mu.Lock()
	defer s.mu.Unlock()
	number, bytes := 1, len(world.State)
	for other, kept := range s.kept {
		if other != name {
			number, bytes = number+1, bytes+len(kept.State)
		}
	}
	if number > maxWorlds || bytes > maxWorldBytes {
		return nil, failure{http.StatusInsufficientStorage, fmt.Errorf("at most %d worlds of %d MiB together are kept: "+
			"delete one with DELETE /_emulator/worlds/NAME", maxWorlds, maxWorldBytes>>20)}
	}
	if s.kept == nil {
		s.kept = map[string]emulator.Snapshot{}
	}
	s.kept[name] = world
	return nil, nil
}

// withWorld returns a handler that calls f with the kept world that the request names.
func (d *desk) withWorld(f func(name string, world emulator.Snapshot) (any, error)) handler {
	return func(r *http.Request) (any, error) {
		name := r.PathValue("name")
		d.worlds.mu.Lock()
		world, ok := d.worlds.kept[name]
		d.worlds.mu.Unlock()
		if !ok {
			return nil, failure{http.StatusNotFound, errors.New("no such world")}
		}
		return f(name, world)
	}
}

func showWorld(_ string, world emulator.Snapshot) (any, error) {
	return json.RawMessage(world.State), nil
}

func (d *desk) loadKeptWorld(name string, world emulator.Snapshot) (any, error) {
	if err := d.emulator.Restore(world); err != nil {
		return nil, err
	}
	d.emulator.Note("the world " + name + " was loaded")
	return nil, nil
}

func (d *desk) deleteWorld(name string, _ emulator.Snapshot) (any, error) {
	d.worlds.mu.Lock()
	defer d.worlds.mu.Unlock()
	delete(d.worlds.kept, name)
	return nil, nil
}

func (d *desk) clock() map[string]time.Time {
	return map[string]time.Time{"now": d.emulator.Now().UTC()}
}

// setClock advances the clock, or sets it.
func (d *desk) setClock(r *http.Request) (any, error) {
	var wanted struct{ Advance, Set string }
	if err := readObject(r, &wanted); err != nil {
		return nil, err
	}
	by, err := time.ParseDuration(wanted.Advance)
	to := d.emulator.Now().Add(by)
	if wanted.Set != "" {
		to, err = time.Parse(time.RFC3339, wanted.Set)
	}
	if err != nil || by < 0 || wanted.Advance != "" && wanted.Set != "" || checkClock(to) != nil {
		return nil, errors.New(`send {"advance": "48h"} with a duration that is not negative, or {"set": "2026-01-01T00:00:00Z"}, up to the year 2199`)
	}
	d.emulator.SetClock(to)
	d.emulator.Note("the clock was put to " + to.UTC().Format(time.DateTime))
	return d.clock(), nil
}

// parseClock parses a time of the emulator's clock.
func parseClock(written string) (time.Time, error) {
	at, err := time.Parse(time.RFC3339, written)
	if err == nil {
		err = checkClock(at)
	}
	return at, err
}

// checkClock refuses times before the year 2000 and from 2200 on: with a later time, backups would be due endlessly.
func checkClock(at time.Time) error {
	if at.Year() < 2000 || at.Year() >= 2200 {
		return fmt.Errorf("the year %d is not between 2000 and 2200", at.Year())
	}
	return nil
}
