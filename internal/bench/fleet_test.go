package main

import (
	"cmp"
	"os"
	"strings"
	"testing"
)

// TestFleet measures two small states side by side that share a group, at a rate that they cannot keep.
func TestFleet(t *testing.T) {
	ctx, dir := t.Context(), t.TempDir()
	b, err := build(ctx, cmp.Or(os.Getenv("TERRAFORM"), "terraform"), "../..", dir)
	if err != nil {
		t.Fatal(err)
	}
	f := fleet{states: 2, machines: 4, rate: 10, shared: true}
	if err := b.measureFleet(ctx, &f); err != nil {
		t.Fatal(err)
	}
	if len(f.steps) != 3 {
		t.Fatalf("%d steps", len(f.steps))
	}
	for _, s := range f.steps {
		if s.requests <= s.refused || len(s.ends) != f.states || s.fairness() < 1 || s.provider.PeakKB == 0 || s.wall <= 0 {
			t.Errorf("%s: %+v", s.name, s)
		}
	}
	for _, s := range []fleetStep{f.steps[0], f.steps[2]} {
		if s.planning <= 0 || s.planning >= s.wall {
			t.Errorf("%s planned for %s of %s", s.name, s.planning, s.wall)
		}
	}
	if f.steps[1].planning != 0 {
		t.Error("the empty plan sent a request that changes something")
	}
	if f.steps[0].refused == 0 {
		t.Error("no request was refused: the rate was not limited")
	}
	if row := f.row(); !strings.HasPrefix(row, "| side by side, all in one group | ") || strings.Count(row, " s (") != 3 {
		t.Errorf("the row: %s", row)
	}
}
