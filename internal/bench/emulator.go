package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// emulated is one figure of the emulator, with what it must not pass.
type emulated struct {
	what, measured, bound string
}

// laboratory is an emulator with many machines, and a client of it without sockets.
type laboratory struct {
	*emulator.Emulator
	client *http.Client
}

func newLaboratory(machines int, options emulator.Options) laboratory {
	e := emulator.New(options)
	for n := range machines {
		e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{
			Name: fmt.Sprintf("m%d", n), PowerOn: true, AutorebootOn: true,
			Discs: []emulator.Disc{{Label: "vda", Size: 25600, Backups: &emulator.Backups{
				Schedules: []emulator.BackupSchedule{
					{StartAt: "2026-01-01 00:00:00", IntervalSeconds: 3600, Capacity: 3},
				},
			}}},
		})
	}
	return laboratory{e, &http.Client{Transport: e.Transport()}}
}

// do makes a request of a machine.
func (l laboratory) do(ctx context.Context, method, machine, body string) error {
	url := "http://emulator/accounts/demo/groups/default/virtual_machines/" + machine
	r, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+emulator.DemoAPIKey)
	r.Header.Set("Content-Type", "application/json")
	answer, err := l.client.Do(r)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }() // it was read
	if _, err := io.Copy(io.Discard, answer.Body); err != nil || answer.StatusCode/100 != 2 {
		return fmt.Errorf("%s %s: %s, %w", method, machine, answer.Status, err)
	}
	return nil
}

// emulators measures the emulator: its memory, and its time on one core.
func emulators(ctx context.Context) ([]emulated, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var results []emulated
	add := func(what, bound, format string, value any) {
		results = append(results, emulated{what, fmt.Sprintf(format, value), bound})
	}

	before := heap()
	l := newLaboratory(10_000, emulator.Options{JournalBytes: 64 << 20})
	add("memory of 10,000 machines", "200 MB", "%.0f MB", heap()-before)

	const reads = 20_000
	began := time.Now()
	for n := range reads {
		if err := l.do(ctx, http.MethodGet, fmt.Sprintf("m%d?view=overview", n%10_000), ""); err != nil {
			return nil, err
		}
	}
	add("reads of one machine of 10,000, on one core", "2,000 a second", "%.0f a second", reads/time.Since(began).Seconds())

	l = newLaboratory(1, emulator.Options{JournalBytes: 64 << 20})
	before = heap()
	padding := `{"nothing":"` + strings.Repeat("x", 10_000) + `"}`
	for range 20_000 {
		if err := l.do(ctx, http.MethodPut, "m0", padding); err != nil {
			return nil, err
		}
	}
	add("memory of the journal after 20,000 requests of 10 kB", "64 MiB, and what is about them", "%.0f MB", heap()-before)
	runtime.KeepAlive(l)

	l = newLaboratory(1000, emulator.Options{BootTime: time.Minute, CopyTime: 10 * time.Minute, JournalBytes: 64 << 20})
	began = time.Now()
	for minute := range 24 * 60 {
		l.Advance(time.Minute)
		for n := minute % 60; n < 1000; n += 60 { // each machine restarts once an hour
			if err := l.do(ctx, http.MethodPut, fmt.Sprintf("m%d", n), `{"power_on":false}`); err != nil {
				return nil, err
			}
		}
	}
	add("24 simulated hours of 1,000 machines, each restarted and backed up every hour", "60 s", "%.1f s", time.Since(began).Seconds())
	return results, nil
}

// heap returns the megabytes that are in use.
func heap() float64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) / 1e6
}

// emulatorTable writes what was measured of the emulator.
func (r *results) emulatorTable(line printer) {
	if len(r.emulated) == 0 {
		return
	}
	line("\n## The emulator\n")
	line("| | measured | bound |")
	line("|---|--:|--:|")
	for _, m := range r.emulated {
		line("| %s | %s | %s |", m.what, m.measured, m.bound)
	}
	line("")
}
