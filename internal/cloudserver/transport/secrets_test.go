package transport

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestHide(t *testing.T) {
	t.Parallel()
	const script = "#!/bin/sh\nuseradd -p \"zq one\" web\nfi\n"
	s := newSecrets("", " ", "hunter22", "hunter", "hunter22-long", "ab", `p"<&ü w 1`, script)
	for text, want := range map[string]string{
		"nothing":                        "nothing",
		"it is hunter22!":                "it is (hidden)!",
		"xhunter22x":                     "x(hidden)x",
		"hunter22-long":                  "(hidden)",
		"hunter hunters hunter2":         "(hidden) hunters hunter2",
		"ab cab abc (ab) ab":             "(hidden) cab abc ((hidden)) (hidden)",
		`p"<&ü w 1`:                      "(hidden)",
		`p\"<&ü w 1`:                     "(hidden)",
		`p\"\u003c\u0026ü w 1`:           "(hidden)",
		"p&#34;&lt;&amp;ü w 1":           "(hidden)",
		"p%22%3C%26%C3%BC+w+1":           "(hidden)",
		"p%22%3C&%C3%BC%20w%201":         "(hidden)",
		script:                           "(hidden)\n",
		strings.TrimSpace(script) + " .": "(hidden) .",
		`#!/bin/sh\nuseradd -p \"zq one\" web\nfi.`: "(hidden).",
		"": "",
	} {
		if got := s.hide(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

// A run creates a thousand machines, each with a password and a script of its own,
// whose beginnings are the same. A service answers with that beginning alone.
func TestHideManySecrets(t *testing.T) {
	t.Parallel()
	const beginning = "#!/bin/sh\napt-get update\nhostname web-"
	s := newSecrets()
	var all sync.WaitGroup
	for worker := range 10 {
		all.Go(func() {
			for i := range 100 {
				s.add(fmt.Sprintf("password-%d-%d", worker, i), fmt.Sprintf(beginning+"%d-%d\n", worker, i))
				s.hide("bookworm")
			}
		})
	}
	all.Wait()
	if got := s.hide("web-3-7 password-3-7 " + beginning + "3-7"); got != "web-3-7 (hidden) (hidden)" {
		t.Errorf("got %q", got)
	}
	s.addReceived([]string{strings.Repeat("x", longestReceived+1)})
	began := time.Now()
	s.hide(strings.Repeat(beginning, 128<<10/len(beginning)))
	if took := time.Since(began); took > 3*time.Second {
		t.Errorf("hiding took %s", took)
	}
}
