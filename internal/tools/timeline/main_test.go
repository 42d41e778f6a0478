package main

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"
)

// TestPicture: this command draws the pictures on the page from the records beside them, in which never more than one
// machine was down. internal/tools/timeline.sh makes both.
func TestPicture(t *testing.T) {
	t.Parallel()
	for name, bad := range map[string]int{"timeline": 0, "bad-release": 1} {
		file := "../../../examples/guides/rolling-updates/" + name
		counted, err := os.ReadFile(file + ".json")
		if err != nil {
			t.Fatal(err)
		}
		picture, err := os.ReadFile(file + ".svg")
		if err != nil {
			t.Fatal(err)
		}
		var power struct {
			MaxDown int `json:"max_down"`
		}
		if err := json.Unmarshal(counted, &power); err != nil {
			t.Fatal(err)
		}
		if power.MaxDown != 1 {
			t.Errorf("%s: %d machines were down at the same time, want 1", name, power.MaxDown)
		}
		var drawn bytes.Buffer
		if err := run(bytes.NewReader(counted), &drawn, time.Second); err != nil {
			t.Fatal(err)
		}
		if drawn.String() != string(picture) {
			t.Errorf("%s.svg is not what is drawn from %[1]s.json", name)
		}
		if n := strings.Count(drawn.String(), `class="bad" x`) - strings.Count(drawn.String(), "answers with an error"); n != bad {
			t.Errorf("%s: %d machines answer with an error, want %d", name, n, bad)
		}
	}
}

func TestRunRefusesAMachineThatStaysOff(t *testing.T) {
	t.Parallel()
	for _, changes := range []string{
		`[]`, `[{"time":"2030-01-01T00:00:00Z","hostname":"web1.x","on":true}]`, `[{"time":"2030-01-01T00:00:00Z","hostname":"web1.x"}]`,
		`[{"time":"2030-01-01T00:00:00Z","hostname":"web1.x"},{"time":"2030-01-01T00:00:01Z","hostname":"web1.x"}]`,
	} {
		if err := run(strings.NewReader(`{"changes":`+changes+`}`), &bytes.Buffer{}, time.Second); err == nil {
			t.Errorf("%s is drawn", changes)
		}
	}
}
