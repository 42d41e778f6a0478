// SPDX-License-Identifier: MPL-2.0

package harness

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"
	"time"
)

// report is what an operator sends.
type report struct {
	mu      sync.Mutex
	results []*result // in the order of the tests
}

// result is what became of a test.
type result struct {
	name    string
	clauses []string
	status  string // ok, skipped, FAILED; "" if it did not end
	why     []string
}

// add adds a test that begins.
func (r *report) add(name string) *result {
	r.mu.Lock()
	defer r.mu.Unlock()
	one := &result{name: name}
	r.results = append(r.results, one)
	return one
}

// text returns the report: what was tested and chosen, a line for each test, and why tests were skipped or failed.
func (s *Service) text(cli string, took time.Duration, removed string) string {
	var text strings.Builder
	line := func(format string, arguments ...any) { fmt.Fprintf(&text, format+"\n", arguments...) }
	line("service  %s, %s", s.title, time.Now().UTC().Format(time.RFC3339))
	line("CLI      %s", cli)
	line("chosen   %s", s.choices())
	line("")
	s.report.mu.Lock()
	defer s.report.mu.Unlock()
	count := map[string]int{}
	for _, one := range s.report.results {
		if one.status == "" {
			one.status = "cut off"
		}
		count[one.status]++
		proved := ""
		if len(one.clauses) > 0 {
			proved = "API.md §" + strings.Join(one.clauses, " §")
		}
		line("%-8s %-36s %s", one.status, one.name, proved)
		for _, why := range one.why {
			line("         %s", strings.ReplaceAll(strings.TrimSpace(why), "\n", "\n         "))
		}
	}
	line("")
	line("%d ok, %d failed, %d skipped, %d cut off in %s; left by tests, and removed: %s",
		count["ok"], count["FAILED"], count["skipped"], count["cut off"], took.Round(time.Second), removed)
	return s.redact(text.String())
}

func (s *Service) choices() string {
	var all []string
	for _, choice := range []Choice{
		Account, Group, Zone, Distribution, OtherDistribution, HardwareProfile, OtherHardwareProfile, Keymap, OtherKeymap,
		PrivateGroup, PrivateIPv4, ReadyPort,
	} {
		if value := s.chosen[choice]; value != "" {
			all = append(all, string(choice)+" "+value)
		}
	}
	return strings.Join(all, ", ")
}

// write writes the report into the file that ACC_REPORT names, or to the standard error.
func (s *Service) write(text string) error {
	if file := os.Getenv("ACC_REPORT"); file != "" {
		return os.WriteFile(file, []byte(text), 0o600)
	}
	_, err := fmt.Fprint(os.Stderr, "\n", text)
	return err
}

// clauses are the texts of the numbered clauses of API.md, such as "3.5".
type clauses map[string]string

var numbered = regexp.MustCompile(`^\d+\.\d+ `)

// readClauses reads API.md.
func readClauses(file string) (clauses, error) {
	document, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	found := clauses{}
	for paragraph := range strings.SplitSeq(string(document), "\n\n") {
		if numbered.MatchString(paragraph) {
			number, text, _ := strings.Cut(paragraph, " ")
			found[number] = strings.Join(strings.Fields(text), " ")
		}
	}
	return found, nil
}
