package transport

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

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
