package transport

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"
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
	tooLong := strings.Repeat("x", longestReceived+1)
	s.addReceived(tooLong)
	for i := range mostReceived {
		s.addReceived(fmt.Sprintf("received-%d", i)) // the last is one too many
	}
	if got, want := s.hide(fmt.Sprintf("received-%d, received-%d, %s", mostReceived-2, mostReceived-1, tooLong)), fmt.Sprintf("(hidden), (hidden)9, %s", tooLong); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	began := time.Now()
	s.hide(strings.Repeat(beginning, 128<<10/len(beginning)))
	if took := time.Since(began); took > 3*time.Second {
		t.Errorf("hiding took %s", took)
	}
}

// TestRedactJSON hides secrets wherever they stand: as a number, and as a name.
func TestRedactJSON(t *testing.T) {
	t.Parallel()
	hide, found := newSecrets("hunter2hunter2", "48151623").hide, []string(nil)
	find := func(secret string) { found = append(found, secret) }
	for document, want := range map[string]string{
		`{"note":"hunter2hunter2!","cores":2}`:    `{"cores":2,"note":"(hidden)!"}`,
		`[{"pin":48151623,"size":25600}]`:         `[{"pin":"(hidden)","size":25600}]`,
		`{"hunter2hunter2":["is unknown"]}`:       `{"(hidden)":["is unknown"]}`,
		`{"Root_Password":"new","a":{"OTP":123}}`: `{"Root_Password":"(hidden)","a":{"OTP":"(hidden)"}}`,
	} {
		if got, ok := redactJSON([]byte(document), hide, find); got != want || !ok {
			t.Errorf("%s:\n got %s\nwant %s", document, got, want)
		}
	}
	if !slices.Equal(found, []string{"new"}) {
		t.Errorf("found %q", found)
	}
	if _, ok := redactJSON([]byte("hunter2hunter2"), hide, find); ok {
		t.Error("what is not JSON is taken for it")
	}
}

func TestForPeople(t *testing.T) {
	t.Parallel()
	s := newSecrets("hunter22", "two words")
	for text, want := range map[string]string{
		"plain":                          "plain",
		"a\r\n\tb":                       "a b",
		"\x1b[2J\u009b31m\u202ex\u2066y": "[2J 31m x y",
		"\x00\x7f":                       "",
		"\xff":                           "\uFFFD",
		"hunter22":                       "(hidden)",
		"hun\x00ter22":                   "hun ter22",
		"two\n words":                    "(hidden)",
		"zero\u200bwidth":                "zero width",
		strings.Repeat("é", 400):         strings.Repeat("é", 300) + "…",
	} {
		if got := s.forPeople(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

// FuzzText checks what prepares a foreign text for people.
func FuzzText(f *testing.F) {
	f.Add("a\x1b[2J zqmarker-1", "zqmarker-1")
	f.Add("p&#34;w", `p"w`)
	f.Add(`zqmarker\nline two of it`, "zqmarker\nline two of it")
	f.Fuzz(func(t *testing.T, text, secret string) {
		s := newSecrets(secret)
		shown := s.forPeople(text)
		if !utf8.ValidString(shown) || strings.ContainsFunc(shown, func(r rune) bool { return !unicode.IsPrint(r) }) || utf8.RuneCountInString(shown) > LongestMessage+1 {
			t.Errorf("%q became %q", text, shown)
		}
		if clean := OneLine(secret); len(clean) >= anywhere && !strings.Contains(HiddenText, clean) && strings.Contains(strings.ReplaceAll(shown, HiddenText, "\n"), clean) {
			t.Errorf("%q became %q with the secret %q in it", text, shown, clean)
		}
	})
}
