package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// event is one line of `go test -json`; `go doc test2json` documents it.
type event struct {
	Action, Package, Test, Output, Key, Value string

	Elapsed float64 // seconds
}

// outcome is how a test ended, ordered from good to bad.
type outcome int

const (
	passed outcome = iota + 1
	skipped
	failed
)

func (o outcome) String() string {
	return [...]string{passed: "ok", skipped: "SKIPPED, which nothing may be", failed: "FAILED"}[o]
}

var outcomes = map[string]outcome{"pass": passed, "skip": skipped, "fail": failed}

// testName names a test; Test is empty for a package that failed as a whole.
type testName struct{ Package, Test string }

// report is what the events of one run, or of several, say. The zero report is ready for use.
type report struct {
	tests      map[testName]outcome
	output     map[testName][]string
	attributes map[string]string
	seconds    float64 // summed over packages, which run side by side
	coverage   []packageCoverage
}

// read adds a stream of events to the report, and writes the ends of packages, and what failed, to progress.
func (r *report) read(events io.Reader, progress io.Writer) error {
	if r.tests == nil {
		r.tests, r.output, r.attributes = map[testName]outcome{}, map[testName][]string{}, map[string]string{}
	}
	decoder := json.NewDecoder(events)
	for {
		var e event
		err := decoder.Decode(&e)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("reading test events: %w", err)
		}
		if _, err := io.WriteString(progress, r.add(e)); err != nil {
			return err
		}
	}
}

// add adds one event and returns what a person who waits wants to see of it.
func (r *report) add(e event) string {
	name := testName{e.Package, e.Test}
	switch e.Action {
	case "build-output":
		return e.Output
	case "output":
		r.output[name] = append(r.output[name], e.Output)
		return ""
	case "attr":
		r.attributes[e.Key] = e.Value
		return ""
	}
	result, ended := outcomes[e.Action]
	if !ended {
		return ""
	}
	output := strings.Join(r.output[name], "")
	delete(r.output, name)
	if e.Test == "" {
		return r.endPackage(e, result, output)
	}
	r.tests[name] = max(r.tests[name], result)
	if result == passed {
		return ""
	}
	return output
}

// endPackage notes a package that failed although none of its tests did: it did not build, panicked, or ran out of time.
func (r *report) endPackage(e event, result outcome, output string) string {
	if result == skipped { // it has no tests
		return ""
	}
	r.seconds += e.Elapsed
	if result == failed {
		if !r.anyFailed(e.Package) {
			r.tests[testName{Package: e.Package}] = failed
		}
		return output
	}
	return fmt.Sprintf("ok    %7.1fs  %s\n", e.Elapsed, e.Package)
}

func (r *report) anyFailed(pkg string) bool {
	for name, result := range r.tests {
		if name.Package == pkg && result == failed {
			return true
		}
	}
	return false
}

func (r *report) count(want outcome) int {
	n := 0
	for _, result := range r.tests {
		if result == want {
			n++
		}
	}
	return n
}

// passed reports whether there were tests and all passed.
func (r *report) passed() bool {
	return r.count(passed) > 0 && r.count(passed) == len(r.tests)
}

func (r *report) summary() string {
	return fmt.Sprintf("%d passed, %d failed, %d skipped", r.count(passed), r.count(failed), r.count(skipped))
}

// figures lists what did not pass, what tests told by attributes, and the coverage by package.
func (r *report) figures() string {
	var b strings.Builder
	var bad []string
	for name, result := range r.tests {
		if result != passed {
			bad = append(bad, fmt.Sprintf("%s  %s %s\n", result, name.Package, name.Test))
		}
	}
	slices.Sort(bad)
	b.WriteString(strings.Join(bad, ""))
	for _, key := range slices.Sorted(maps.Keys(r.attributes)) {
		fmt.Fprintf(&b, "%s: %s\n", strings.ReplaceAll(key, "-", " "), r.attributes[key])
	}
	for _, c := range r.coverage {
		fmt.Fprintf(&b, "coverage %5.1f%%  %s\n", c.percent(), c.Package)
	}
	fmt.Fprintf(&b, "tests run: %d, in %.1f s summed over packages\n", len(r.tests), r.seconds)
	return b.String()
}
