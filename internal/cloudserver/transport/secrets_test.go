package transport

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// TestRedactJSON: secrets are hidden everywhere, even as numbers or names.
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

// FuzzText checks that foreign texts are safe to show.
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
		if clean := OneLine(secret); utf8.RuneCountInString(clean) >= shortest && !strings.Contains(HiddenText, clean) && strings.Contains(strings.ReplaceAll(shown, HiddenText, "\n"), clean) {
			t.Errorf("%q became %q with the secret %q in it", text, shown, clean)
		}
	})
}
