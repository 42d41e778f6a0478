package console

import (
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

// worlds are kept in memory, by name.
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

func (d *desk) listWorlds(w http.ResponseWriter, _ *http.Request) {
	d.worlds.mu.Lock()
	defer d.worlds.mu.Unlock()
	list := []shownWorld{}
	for _, name := range slices.Sorted(maps.Keys(d.worlds.kept)) {
		kept := d.worlds.kept[name]
		list = append(list, shownWorld{name, kept.Clock, len(kept.State)})
	}
	answer(w, http.StatusOK, list)
}

func (d *desk) keepWorld(w http.ResponseWriter, r *http.Request) {
	name, kept := r.PathValue("name"), d.emulator.Snapshot()
	if err := d.worlds.keep(name, kept); err != nil {
		http.Error(w, err.Error(), http.StatusInsufficientStorage)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// keep keeps a world, in place of one of the same name.
func (s *worlds) keep(name string, world emulator.Snapshot) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	number, bytes := 1, len(world.State)
	for other, kept := range s.kept {
		if other != name {
			number, bytes = number+1, bytes+len(kept.State)
		}
	}
	if number > maxWorlds || bytes > maxWorldBytes {
		return fmt.Errorf("at most %d worlds of %d MiB together are kept: delete one with DELETE /_emulator/worlds/NAME", maxWorlds, maxWorldBytes>>20)
	}
	if s.kept == nil {
		s.kept = map[string]emulator.Snapshot{}
	}
	s.kept[name] = world
	return nil
}

// world returns the kept world that a request names; ok is false when the request was refused.
func (s *worlds) world(w http.ResponseWriter, r *http.Request) (world emulator.Snapshot, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if world, ok = s.kept[r.PathValue("name")]; !ok {
		http.Error(w, "no such world", http.StatusNotFound)
	}
	return world, ok
}

func (d *desk) showWorld(w http.ResponseWriter, r *http.Request) {
	if kept, ok := d.worlds.world(w, r); ok {
		w.Header().Set("Content-Type", "application/json")
		// The client may be gone.
		_, _ = w.Write(kept.State)
	}
}

func (d *desk) loadKeptWorld(w http.ResponseWriter, r *http.Request) {
	if kept, ok := d.worlds.world(w, r); ok {
		done(w, d.emulator.Commit(func() error { return d.emulator.Restore(kept) }))
	}
}

func (d *desk) deleteWorld(w http.ResponseWriter, r *http.Request) {
	if _, ok := d.worlds.world(w, r); ok {
		d.worlds.mu.Lock()
		delete(d.worlds.kept, r.PathValue("name"))
		d.worlds.mu.Unlock()
		w.WriteHeader(http.StatusNoContent)
	}
}

func (d *desk) clock(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, map[string]time.Time{"now": d.emulator.Now().UTC()})
}

// setClock advances the clock, or sets it.
func (d *desk) setClock(w http.ResponseWriter, r *http.Request) {
	var wanted struct{ Advance, Set string }
	if !readObject(w, r, &wanted) {
		return
	}
	move, err := clockMove(wanted.Advance, wanted.Set)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if err := d.emulator.Commit(func() error { move(d.emulator); return nil }); err != nil {
		done(w, err)
		return
	}
	d.clock(w, r)
}

// clockMove returns what moves a clock, by a duration or to a time.
func clockMove(advance, set string) (func(*emulator.Emulator), error) {
	by, err := time.ParseDuration(advance)
	if set == "" && err == nil && by >= 0 {
		return func(e *emulator.Emulator) { e.Advance(by) }, nil
	}
	to, err := parseClock(set)
	if advance == "" && err == nil {
		return func(e *emulator.Emulator) { e.SetClock(to) }, nil
	}
	return nil, errors.New(`send {"advance": "48h"} with a duration that is not negative, or {"set": "2026-01-01T00:00:00Z"}`)
}

// parseClock reads a time of the emulator's clock, between the years 2000 and 2200: beyond, backups would be due without end.
func parseClock(written string) (time.Time, error) {
	at, err := time.Parse(time.RFC3339, written)
	if err == nil && (at.Year() < 2000 || at.Year() >= 2200) {
		err = fmt.Errorf("the year %d is not between 2000 and 2200", at.Year())
	}
	return at, err
}
