package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// sized holds what was measured for one count of machines: step → subject → rounds.
type sized struct {
	n       int
	backend bool // the state is in a backend instead of a file
	timings map[string]map[string][]timing
}

// of returns the rounds of one subject and step.
func (s sized) of(step step, who subject) []timing { return s.timings[step.name][who.name] }

func (s sized) title() string {
	machines := fmt.Sprintf("%d machines", s.n)
	if s.n == 1 {
		machines = "1 machine"
	}
	if s.backend {
		machines += ", state in a backend"
	}
	return machines
}

// rounds runs the subjects through all steps, step by step in turns, as often as asked. Each round begins with another
// subject.
func (b *bench) rounds(ctx context.Context, result *sized, rounds int) (err error) {
	emulator, err := b.serve(ctx)
	if err != nil {
		return err
	}
	defer func() {
		if stopped := emulator.stop(); err == nil {
			err = stopped
		}
	}()
	result.timings = map[string]map[string][]timing{}
	for round := range rounds {
		for _, s := range result.steps() {
			if result.timings[s.name] == nil {
				result.timings[s.name] = map[string][]timing{}
			}
			for turn := range subjects {
				who := subjects[(round+turn)%len(subjects)]
				took, err := b.step(ctx, emulator, who, s, *result, round)
				if err != nil {
					return err
				}
				result.timings[s.name][who.name] = append(result.timings[s.name][who.name], took)
			}
		}
	}
	return nil
}

// step runs one step of one subject, in the working directory of the round, and reports it on stderr.
func (b *bench) step(
	ctx context.Context, emulator *service, who subject, s step, size sized, round int,
) (timing, error) {
	name := fmt.Sprintf("%s-%d-%d", who.name, size.n, round)
	env := append(emulator.env, fmt.Sprintf("TF_VAR_n=%d", size.n), "BENCH_PEER="+b.peer.url)
	if size.backend {
		name += "-backend"
		env = append(env, "TF_HTTP_ADDRESS="+b.states.url+"/"+name)
	}
	dir := filepath.Join(b.dir, name)
	if err := b.prepare(ctx, dir, who, size, env); err != nil {
		return timing{}, err
	}
	before := emulator.requests.Load() + b.peer.requests.Load()
	took, err := b.run(ctx, dir, s, env)
	took.requests = int(emulator.requests.Load() + b.peer.requests.Load() - before)
	fmt.Fprintf(os.Stderr, "%s, %d %-16s %-11s %7s  %6s CPU  provider %5.1f s, %4d MB  %5d requests\n", size.title(), round+1, s.name, who.title,
		took.wall.Round(10*time.Millisecond), took.cpu.Round(100*time.Millisecond), took.provider.CPUSeconds, took.provider.PeakKB/1024, took.requests)
	return took, err
}

// prepare creates the working directory, once. The backend is set up before the configuration is written: init cannot
// install a provider that is only here.
func (b *bench) prepare(ctx context.Context, dir string, who subject, size sized, env []string) error {
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	if size.backend {
		if err := writeFile(dir, "backend.tf", "terraform {\n  backend \"http\" {}\n}\n"); err != nil {
			return err
		}
		if _, err := b.run(ctx, dir, step{args: []string{"init"}}, env); err != nil {
			return err
		}
	}
	return who.write(dir)
}
