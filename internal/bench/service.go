package main

import (
	"bufio"
	"context"
	"fmt"
	"os/exec"
	"strings"
	"sync/atomic"
	"time"
)

// latency is what the emulator adds to every answer.
const latency = 50 * time.Millisecond

// service is the emulator as a process of its own.
type service struct {
	command  *exec.Cmd
	requests atomic.Int64
	env      []string // what the CLI needs to reach it
}

// serve starts the emulator on a free port, with machines that are ready at once, and waits until it prints its address.
func (b *bench) serve(ctx context.Context) (*service, error) {
	s := &service{command: exec.CommandContext(ctx, b.providers["cloudserver"],
		"-emulator", "127.0.0.1:0", "-latency", latency.String(), "-boot-time", "0s")}
	stdout, err := s.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	log, err := s.command.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := s.command.Start(); err != nil {
		return nil, err
	}
	go s.count(bufio.NewScanner(log))
	banner := bufio.NewScanner(stdout)
	for banner.Scan() {
		if variable, ok := strings.CutPrefix(banner.Text(), "export "); ok {
			s.env = append(s.env, variable)
		}
		if len(s.env) == wantedVariables {
			go func() { // or the emulator would block on a full pipe
				for banner.Scan() {
				}
			}()
			return s, nil
		}
	}
	return nil, fmt.Errorf("the emulator did not print its address: %w", s.stop())
}

// wantedVariables is how many variables the emulator prints first: endpoint, token, account and group.
const wantedVariables = 4

// count counts requests: the log has one line for each.
func (s *service) count(log *bufio.Scanner) {
	for log.Scan() {
		s.requests.Add(1)
	}
}

// stop ends the emulator.
func (s *service) stop() error {
	if err := s.command.Process.Kill(); err != nil {
		return err
	}
	_ = s.command.Wait() // it was killed, and says so
	return nil
}
