package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// sized is everything that was measured for one count of machines: step →
// subject → rounds.
type sized struct {
	n       int
	timings map[string]map[string][]timing
}

// rounds takes the subjects through all steps, step by step in turns, as often
// as asked. Each round begins with another subject.
func (b *bench) rounds(ctx context.Context, n, rounds int) (result sized, err error) {
	emulator, err := b.serve(ctx)
	if err != nil {
		return sized{}, err
	}
	defer func() {
		if stopped := emulator.stop(); err == nil {
			err = stopped
		}
	}()
	result = sized{n: n, timings: map[string]map[string][]timing{}}
	for round := range rounds {
		for _, s := range steps {
			if result.timings[s.name] == nil {
				result.timings[s.name] = map[string][]timing{}
			}
			for turn := range subjects {
				who := subjects[(round+turn)%len(subjects)]
				took, err := b.step(ctx, emulator, who, s, n, round)
				if err != nil {
					return sized{}, err
				}
				result.timings[s.name][who.name] = append(result.timings[s.name][who.name], took)
			}
		}
	}
	return result, nil
}

// step takes one subject through one step, in the working directory of the
// round, and says so on stderr.
func (b *bench) step(ctx context.Context, emulator *service, who subject, s step, n, round int) (timing, error) {
	dir := filepath.Join(b.dir, fmt.Sprintf("%s-%d-%d", who.name, n, round))
	if err := who.write(dir); err != nil {
		return timing{}, err
	}
	before := emulator.requests.Load()
	took, err := b.run(ctx, dir, s, append(emulator.env, fmt.Sprintf("TF_VAR_n=%d", n)))
	took.requests = int(emulator.requests.Load() - before)
	fmt.Fprintf(os.Stderr, "%5d %d %-16s %-14s %7s  %6s CPU  provider %5.1f s, %4d MB  %5d requests\n", n, round+1, s.name, who.name,
		took.wall.Round(10*time.Millisecond), took.cpu.Round(100*time.Millisecond), took.provider.CPUSeconds, took.provider.PeakKB/1024, took.requests)
	return took, err
}
