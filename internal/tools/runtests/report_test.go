package main

import (
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestReport(t *testing.T) {
	t.Parallel()
	const ok = `{"Action":"pass","Package":"p","Test":"TestA"}` + "\n"
	for name, test := range map[string]struct {
		runs    []string
		summary string
		passed  bool
	}{
		"all passed":         {[]string{ok + `{"Action":"pass","Package":"p"}`}, "1 passed, 0 failed, 0 skipped", true},
		"nothing ran":        {[]string{`{"Action":"skip","Package":"p"}`}, "0 passed, 0 failed, 0 skipped", false},
		"a test failed":      {[]string{ok + `{"Action":"fail","Package":"p","Test":"TestB"}` + `{"Action":"fail","Package":"p"}`}, "1 passed, 1 failed, 0 skipped", false},
		"a test was skipped": {[]string{ok + `{"Action":"skip","Package":"p","Test":"TestB/sub"}`}, "1 passed, 0 failed, 1 skipped", false},
		"a package panicked": {[]string{ok + `{"Action":"fail","Package":"p"}`}, "1 passed, 1 failed, 0 skipped", false},
		"did not build":      {[]string{`{"Action":"build-fail","ImportPath":"q"}` + `{"Action":"fail","Package":"q","FailedBuild":"q"}` + ok}, "1 passed, 1 failed, 0 skipped", false},
		"passed twice":       {[]string{ok, ok}, "1 passed, 0 failed, 0 skipped", true},
		"the worst counts":   {[]string{`{"Action":"fail","Package":"p","Test":"TestA"}`, ok}, "0 passed, 1 failed, 0 skipped", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var r report
			for _, run := range test.runs {
				if err := r.read(strings.NewReader(run), io.Discard); err != nil {
					t.Fatal(err)
				}
			}
			if r.summary() != test.summary || r.passed() != test.passed {
				t.Errorf("got %q, passed %t; want %q, passed %t", r.summary(), r.passed(), test.summary, test.passed)
			}
		})
	}
}

func TestReportRefusesWhatIsNoEvent(t *testing.T) {
	t.Parallel()
	var r report
	if err := r.read(strings.NewReader("FAIL"), io.Discard); err == nil {
		t.Error("text that is not JSON was taken for test events")
	}
}

func TestProgressShowsOnlyWhatFails(t *testing.T) {
	t.Parallel()
	var r report
	var seen strings.Builder
	events := `{"Action":"output","Package":"p","Test":"TestA","Output":"all is well\n"}
{"Action":"pass","Package":"p","Test":"TestA"}
{"Action":"attr","Package":"p","Test":"TestB","Key":"requests-per-create","Value":"5"}
{"Action":"output","Package":"p","Test":"TestB","Output":"want 1, got 2\n"}
{"Action":"fail","Package":"p","Test":"TestB"}`
	if err := r.read(strings.NewReader(events), &seen); err != nil {
		t.Fatal(err)
	}
	if got := seen.String(); got != "want 1, got 2\n" {
		t.Errorf("progress is %q", got)
	}
	if figures := r.figures(); !strings.Contains(figures, "requests per create: 5\n") || !strings.Contains(figures, "FAILED  p TestB\n") {
		t.Errorf("figures are\n%s", figures)
	}
}

func TestCoverageCountsABlockOnce(t *testing.T) {
	t.Parallel()
	profile := filepath.Join(t.TempDir(), "profile")
	text := `mode: atomic
example/b/one.go:1.1,2.2 3 0
example/a/one.go:1.1,2.2 1 0
example/b/one.go:1.1,2.2 3 7
example/b/two.go:5.1,6.2 1 0
`
	if err := os.WriteFile(profile, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := readCoverage(profile)
	if err != nil {
		t.Fatal(err)
	}
	want := []packageCoverage{{"example/a", 0, 1}, {"example/b", 3, 4}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if percent := got[1].percent(); percent != 75 {
		t.Errorf("b is covered by %v %%, want 75", percent)
	}
}
