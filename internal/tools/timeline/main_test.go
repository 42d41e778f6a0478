package main

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"
)

// TestPicture: the picture of the page is what this command draws from the run beside it, in which never more than one machine
// was out of service. internal/tools/timeline.sh makes both.
func TestPicture(t *testing.T) {
	t.Parallel()
	const folder = "../../../examples/guides/rolling-updates/"
	run1, err := os.ReadFile(folder + "timeline.json")
	if err != nil {
		t.Fatal(err)
	}
	picture, err := os.ReadFile(folder + "timeline.svg")
	if err != nil {
		t.Fatal(err)
	}
	var power struct {
		MaxOutOfService int `json:"max_out_of_service"`
	}
	if err := json.Unmarshal(run1, &power); err != nil {
		t.Fatal(err)
	}
	if power.MaxOutOfService != 1 {
		t.Errorf("%d machines were out of service at the same time, want 1", power.MaxOutOfService)
	}
	var drawn bytes.Buffer
	if err := run(bytes.NewReader(run1), &drawn, time.Second); err != nil {
		t.Fatal(err)
	}
	if drawn.String() != string(picture) {
		t.Error("timeline.svg is not what is drawn from timeline.json")
	}
}

func TestRunRefusesAMachineThatStaysOff(t *testing.T) {
	t.Parallel()
	for _, changes := range []string{
		`[]`, `[{"time":"2030-01-01T00:00:00Z","hostname":"web1.x","on":true}]`, `[{"time":"2030-01-01T00:00:00Z","hostname":"web1.x"}]`,
	} {
		if err := run(strings.NewReader(`{"changes":`+changes+`}`), &bytes.Buffer{}, time.Second); err == nil {
			t.Errorf("%s is drawn", changes)
		}
	}
}
