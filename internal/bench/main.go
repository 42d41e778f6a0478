// Bench measures what the provider costs over many machines, next to a provider that is shaped like its peers, with as
// many resources. It builds both, runs their services, drives the real CLI, prints all that it measured, and writes a
// section of BENCHMARKS.md. See `make bench` and `make bench-fleet`.
//
//	main.go          flags, and the order of the work
//	build.go         compiles the subjects
//	scenario.go      the subjects and the steps
//	configs/         a configuration for each subject: ours.tf follows the provider's schema
//	peer/            the peer-shaped subject
//	terraform.go     one run of the CLI
//	service.go       the emulator as a process, and its count of requests
//	peer_service.go  the service of the peer-shaped subject
//	state.go         a backend for the CLI's state
//	meter/           stands in for a provider to measure it
//	usage.go         CPU and memory of provider processes
//	rounds.go        rounds over all steps, the subjects in turns
//	fleet.go         many states side by side
//	stats.go         medians and ratios
//	report.go        the page, and the details that are printed beside it
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
)

// options holds the values of the flags.
type options struct {
	cli   string // of Terraform or OpenTofu
	root  string // of the repository
	out   string // the page; "" writes none
	sizes []int  // counts of machines
	pairs int    // rounds for each size; 0: by size
	fleet fleet  // many states
	ways  string // in which they are measured, instead of everything else
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	o, err := parse()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // what is left is in the temporary folder
	if o.ways != "" {
		return runFleet(ctx, o, dir)
	}
	r, err := measure(ctx, o, dir)
	if err != nil {
		return err
	}
	fmt.Println(r.details())
	if o.out == "" {
		return nil
	}
	return replaceSection(o.out, oneHeading, r.section())
}

// replaceSection replaces the section of a page that has the heading.
func replaceSection(page, heading, section string) error {
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	before, after, ok := strings.Cut(string(text), "\n"+heading+"\n")
	if !ok {
		return fmt.Errorf("%s has no section %q", page, heading)
	}
	rest := ""
	if _, next, ok := strings.Cut(after, "\n## "); ok {
		rest = "\n## " + next
	}
	return os.WriteFile(page, []byte(before+"\n"+strings.TrimSpace(section)+"\n"+rest), 0o644)
}

func parse() (options, error) {
	var o options
	flag.StringVar(&o.cli, "cli", "terraform", "`path` of Terraform or OpenTofu")
	flag.StringVar(&o.root, "root", "../..", "root `folder` of the repository")
	flag.StringVar(&o.out, "out", "", "also write the section to this `page`")
	flag.IntVar(&o.pairs, "pairs", 0, "rounds for each count; 0: 3, and 1 from 1000 machines on")
	flag.StringVar(&o.ways, "fleet", "", "measure many states instead of everything else: `own,shared,loop` or some of them")
	flag.IntVar(&o.fleet.states, "states", 10, "with -fleet: number of states")
	flag.IntVar(&o.fleet.machines, "machines", 1000, "with -fleet: machines of each state")
	flag.IntVar(&o.fleet.rate, "rate", 200, "with -fleet: requests a second that the service accepts from all states together; 0: no limit")
	sizes := flag.String("n", "1,20,1000", "counts of machines")
	flag.Parse()
	for text := range strings.SplitSeq(*sizes, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return o, fmt.Errorf("-n: %q must be a positive number", text)
		}
		o.sizes = append(o.sizes, n)
	}
	return o, nil
}

// measure runs everything that was asked for.
func measure(ctx context.Context, o options, dir string) (*results, error) {
	r := &results{}
	b, err := build(ctx, o.cli, o.root, dir)
	if err != nil {
		return nil, err
	}
	if r.cli, err = b.version(ctx); err != nil {
		return nil, err
	}
	if b.states, err = keepStates(ctx); err != nil {
		return nil, err
	}
	if b.peer, err = servePeer(ctx); err != nil {
		return nil, err
	}
	for _, size := range o.measured() {
		if err := b.rounds(ctx, &size, o.rounds(size)); err != nil {
			return nil, fmt.Errorf("%s: %w", size.title(), err)
		}
		r.sizes = append(r.sizes, size)
	}
	return r, nil
}

// measured returns what the CLI runs over: every count with the state in a file, and the largest also with it in a
// backend.
func (o options) measured() []sized {
	var all []sized
	for _, n := range o.sizes {
		all = append(all, sized{n: n})
	}
	return append(all, sized{n: slices.Max(o.sizes), backend: true})
}

// rounds returns how often a count is measured.
func (o options) rounds(size sized) int {
	switch {
	case o.pairs > 0:
		return o.pairs
	case size.n >= 1000: // it takes minutes, which even out what disturbs a short run
		return 1
	default:
		return 3
	}
}
