package main

import (
	"os"
	"path/filepath"
	"testing"
)

// It changes the working directory, so it does not run beside others.
func TestRunKeepsWhatItSumsUpLater(t *testing.T) {
	t.Chdir(t.TempDir())
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example\n\ngo 1.26\n")
	write("a_test.go", `package example

import "testing"

func TestGood(t *testing.T) {}
func TestBad(t *testing.T)  { t.Error("bad") }
func TestNot(t *testing.T)  { t.Skip("not here") }
`)
	events := filepath.Join(t.TempDir(), "events.json")
	const want = "1 passed, 1 failed, 1 skipped"

	var ran report
	if err := run(t.Context(), &ran, events, []string{"./..."}); err != nil || ran.summary() != want {
		t.Errorf("the run says %q, %v; want %q", ran.summary(), err, want)
	}
	var kept report
	if err := readFiles(&kept, []string{events, events}); err != nil || kept.summary() != want {
		t.Errorf("the sum says %q, %v; want %q", kept.summary(), err, want)
	}
}

func TestRunSaysWhyNothingRan(t *testing.T) {
	t.Chdir(t.TempDir())
	var r report
	if err := run(t.Context(), &r, "", []string{"./no-such-package"}); err == nil && r.count(failed) == 0 {
		t.Error("nothing ran, and nobody says so")
	}
	if r.passed() {
		t.Error("a run without tests is good")
	}
}
