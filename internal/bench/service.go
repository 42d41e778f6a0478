package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// latency is what the emulator adds to every answer.
const latency = 50 * time.Millisecond

// service is the emulator as a process of its own.
type service struct {
	command  *exec.Cmd
	requests atomic.Int64 // refused ones as well
	refused  atomic.Int64 // by the rate limit
	written  atomic.Int64 // when the first request since it was 0 changed something, in nanoseconds
	env      []string     // what the CLI needs to reach it
}

// serve starts the emulator on a free port, with machines that are ready at once, and waits until it prints its address.
func (b *bench) serve(ctx context.Context, flags ...string) (*service, error) {
	args := []string{"emulator", "127.0.0.1:0", "--latency", latency.String(), "--boot-time", "0s"}
	args = append(args, flags...)
	s := &service{command: exec.CommandContext(ctx, b.providers["cloudserver"], args...)}
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
		switch {
		case strings.HasSuffix(log.Text(), " 429"):
			s.refused.Add(1)
		case !strings.Contains(log.Text(), " GET "):
			s.written.CompareAndSwap(0, time.Now().UnixNano())
		}
	}
}

// variable returns the value of one of the variables that the emulator prints.
func (s *service) variable(name string) string {
	for _, variable := range s.env {
		if value, ok := strings.CutPrefix(variable, name+"="); ok {
			return strings.Trim(value, `'"`)
		}
	}
	return ""
}

// cpu returns the CPU time that the emulator has used so far, or 0 where the operating system does not tell before a
// process has ended.
func (s *service) cpu() time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.command.Process.Pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	const user, system, ticks = 11, 12, 100 // after the name of the program
	var sum time.Duration
	for _, field := range []int{user, system} {
		if count, err := strconv.Atoi(fields[min(field, len(fields)-1)]); err == nil {
			sum += time.Duration(count) * time.Second / ticks
		}
	}
	return sum
}

// stop ends the emulator.
func (s *service) stop() error {
	if err := s.command.Process.Kill(); err != nil {
		return err
	}
	_ = s.command.Wait() // it was killed, and says so
	return nil
}
