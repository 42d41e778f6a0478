// Command runtests runs `go test`, lets no test be skipped, and ends with figures.
//
//	runtests [-events FILE] [-coverage FILE] -- [go test arguments]
//	runtests -sum FILE...
//
// The first form runs `go test -json` and prints what fails while it goes; -events keeps the test events, and
// -coverage tells which profile the arguments make `go test` write. The second form sums up runs that are kept: a
// test that ran more than once counts once, with its worst outcome. Both end with one plain line,
// "N passed, N failed, N skipped", and the exit code is 1 unless all passed.
//
// What a test tells with testing.T.Attr is printed among the figures.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
)

func main() {
	events := flag.String("events", "", "keep the test events in this file")
	coverage := flag.String("coverage", "", "print the coverage by package of this profile")
	sum := flag.Bool("sum", false, "run nothing: sum up the files of events that are named")
	flag.Parse()

	var report report
	var err error
	if *sum {
		err = readFiles(&report, flag.Args())
	} else {
		err = run(context.Background(), &report, *events, flag.Args())
	}
	if err == nil && *coverage != "" {
		report.coverage, err = readCoverage(*coverage)
	}
	fmt.Print(report.figures())
	if err != nil {
		fmt.Fprintln(os.Stderr, "runtests:", err)
	}
	fmt.Println(report.summary())
	if err != nil || !report.passed() {
		os.Exit(1)
	}
}

// run runs `go test -json` with args, and keeps its events in a file if one is named.
func run(ctx context.Context, report *report, eventsFile string, args []string) (err error) {
	events := io.Discard
	if eventsFile != "" {
		file, err := os.Create(eventsFile)
		if err != nil {
			return err
		}
		defer func() { err = firstError(err, file.Close()) }()
		events = file
	}
	command := exec.CommandContext(ctx, "go", append([]string{"test", "-json"}, args...)...)
	command.Stderr = os.Stderr
	output, err := command.StdoutPipe()
	if err != nil {
		return err
	}
	if err := command.Start(); err != nil {
		return err
	}
	readErr := report.read(io.TeeReader(output, events), os.Stdout)
	waitErr := command.Wait()
	if waitErr != nil && report.count(failed) > 0 {
		waitErr = nil // go test says by its exit code what the report says in full
	}
	return firstError(readErr, waitErr)
}

// readFiles reads the events of earlier runs, whose output has been seen already.
func readFiles(report *report, names []string) error {
	for _, name := range names {
		file, err := os.Open(name)
		if err != nil {
			return err
		}
		if err := firstError(report.read(file, io.Discard), file.Close()); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
