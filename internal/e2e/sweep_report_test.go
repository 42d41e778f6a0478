package e2e_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

var (
	full   = flag.Bool("full", false, "sweep everything, or one of -shards, instead of a sample")
	shards = flag.Int("shards", 1, "with -full: divide the cases into so many shards, and run one")
	shard  = flag.Int("shard", 0, "which of them, from 0")
	table  = flag.String("table", "", "write the table of results to this file")
)

func TestMain(m *testing.M) { acctest.Main(m) }

// sample returns some of the cases, evenly spread and the same in each run: with -full those of the shard, which is all
// of them if there is one shard, otherwise each of the stride.
func sample[T any](cases []T, stride int) []T {
	if *full {
		return every(*shards, *shard, cases)
	}
	return every(stride, stride/2, cases)
}

// every returns each n-th element, beginning with the one at from.
func every[T any](n, from int, all []T) []T {
	var some []T
	for i := from; i < len(all); i += n {
		some = append(some, all[i])
	}
	return some
}

// counts are the numbers of things that must not happen.
type counts struct {
	orphans, duplicates, lost, leaks, unplanned int
	power, untrue, tainted, endless, stuck      int
}

func (c *counts) add(more counts) {
	c.orphans += more.orphans
	c.duplicates += more.duplicates
	c.lost += more.lost
	c.leaks += more.leaks
	c.unplanned += more.unplanned
	c.power += more.power
	c.untrue += more.untrue
	c.tainted += more.tainted
	c.endless += more.endless
	c.stuck += more.stuck
}

// line is a row of the table.
type line struct {
	name  string
	cases int
	notes string
	counts
}

// report collects the lines of all tests.
var report struct {
	sync.Mutex
	lines []line
}

// publish adds a test's lines to the table, and writes it to the log and to
// the file that -table names.
func publish(t *testing.T, lines ...line) {
	t.Helper()
	report.Lock()
	defer report.Unlock()
	report.lines = append(report.lines, lines...)
	text := tableOf(report.lines)
	t.Log("\n" + tableOf(lines))
	if *table == "" {
		return
	}
	if err := os.WriteFile(*table, []byte(text), 0o600); err != nil {
		t.Error(err)
	}
}

// tableOf returns the table, which ends with the line of totals.
func tableOf(lines []line) string {
	var text strings.Builder
	var sum line
	fmt.Fprintf(&text, "%-42s %6s %8s %11s %5s %6s %10s %6s %7s %8s %8s %6s\n", "", "cases", "orphans", "duplicates", "lost", "leaks", "unplanned", "power", "untrue", "tainted", "endless", "stuck")
	for _, l := range lines {
		fmt.Fprintf(&text, "%-42s %6d %8d %11d %5d %6d %10d %6d %7d %8d %8d %6d  %s\n", l.name, l.cases,
			l.orphans, l.duplicates, l.lost, l.leaks, l.unplanned, l.power, l.untrue, l.tainted, l.endless, l.stuck, l.notes)
		sum.cases += l.cases
		sum.add(l.counts)
	}
	fmt.Fprintf(&text, "cases %d, orphans %d, duplicates %d, lost %d, leaks %d, unplanned %d, power %d, untrue %d, tainted %d, endless %d, stuck %d\n",
		sum.cases, sum.orphans, sum.duplicates, sum.lost, sum.leaks, sum.unplanned, sum.power, sum.untrue, sum.tainted, sum.endless, sum.stuck)
	return text.String()
}

// sorted returns the lines sorted by name.
func sorted(lines []line) []line {
	slices.SortFunc(lines, func(a, b line) int { return strings.Compare(a.name, b.name) })
	return lines
}
