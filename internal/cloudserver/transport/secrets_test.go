package transport

import (
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

func TestHide(t *testing.T) {
	t.Parallel()
	const script = "#!/bin/sh\nuseradd -p \"zq one\" web\nfi\n"
	s := newSecrets("", " ", "hunter22", "hunter2", "hunter22-long", "ab", "a         b", `p"<&ü w 1`, script)
	for text, want := range map[string]string{
		"nothing":                        "nothing",
		"it is hunter22!":                "it is (hidden)!",
		"xhunter22x":                     "x(hidden)x",
		"hunter22-long":                  "(hidden)",
		"hunter2 hunter2s, ab, a b":      "hunter2 hunter2s, ab, a b",
		`p"<&ü w 1`:                      "(hidden)",
		`p\"<&ü w 1`:                     "(hidden)",
		`p\"\u003c\u0026ü w 1`:           "(hidden)",
		"p&#34;&lt;&amp;ü w 1":           "(hidden)",
		"p%22%3C%26%C3%BC+w+1":           "(hidden)",
		"p%22%3C&%C3%BC%20w%201":         "(hidden)",
		script:                           "(hidden)\n",
		strings.TrimSpace(script) + " .": "(hidden) .",
		"":                               "",

		// In another spelling, the whole text is hidden.
		`it says #!/bin/sh\nuseradd -p \"zq one\" web\nfi.`:                            "(hidden)",
		"it says #!/bin/sh\r\nuseradd -p \"zq one\" web\r\nfi\r\n":                     "(hidden)",
		`it says #!/bin/sh useradd  -p "zq one" web fi`:                                "(hidden)",
		`it says "#!\/bin\/sh\r\nuseradd -p \"zq one\" web\r\nfi\r\n"`:                 "(hidden)",
		`it says {"a":"{\"b\":\"#!\/bin\/sh\\nuseradd -p \\\"zq one\\\" web\\nfi\"}"}`: "(hidden)",
		"it says #!/bin/sh%0auseradd+-p+%22zq+one%22+web%0afi":                         "(hidden)",
		"it says #!%2fbin%2fsh%0Auseradd%20-p%20%22zq%20one%22%20web%0Afi":             "(hidden)",
		"it says #!%252fbin%252fsh%250Auseradd%2520-p%2520&#34;zq one%22 web fi":       "(hidden)",
		`it says p\"<&\u00fc w 1`:                                                      "(hidden)",
		`it says p\u0022\u003C\u0026\u00FC w 1`:                                        "(hidden)",
		"it says p&quot;&lt;&amp;&uuml; w 1":                                           "(hidden)",
		"it says p&#x22;&#x3c;&#x26;&#xfc;&#x20;w&nbsp;1":                              "(hidden)",
		"it says p&amp;#x22;&amp;lt;&amp;amp;&amp;uuml; w 1":                           "(hidden)",
		"it says p%22%3c%26%c3%bc%20w%201":                                             "(hidden)",
		`it says hunter\u00322`:                                                        "(hidden)",
		`it says xhunter%32%32 and 100% \u00zz &nosuch; %zz`:                           "(hidden)",
		`100% of \u00zz, \q, \, %, %2, &nosuch; and &#x; are words`:                    `100% of \u00zz, \q, \, %, %2, &nosuch; and &#x; are words`,
	} {
		if got := s.hide(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

// TestMayHoldCredential: it is true for each text with a part that holds a credential, whatever surrounds the part.
func TestMayHoldCredential(t *testing.T) {
	t.Parallel()
	AddCredentials("ab12+marker/x")
	for text, want := range map[string]bool{
		"\xd9\x0dab12+marker/x": true, "ab12 marker/x": true, `{"a":"ab12+marker\/x"}`: true, "%ab12+marker%2Fx": true, `\xab12%2Bmarker/x`: true,
		"ab12 marker, x": false, "\xd9\x0dab12\xa6marker": false, "": false,
	} {
		if got := MayHoldCredential(text); got != want {
			t.Errorf("%q: got %t", text, got)
		}
	}
}

// A run creates a thousand machines, each with its own password and script, which share their beginnings. A service
// answers with the beginning alone.
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
		s.addReceived(fmt.Sprintf("received-%d", i)) // the last one exceeds the limit
	}
	if got, want := s.hide(fmt.Sprintf("received-%d, received-%d, %s", mostReceived-2, mostReceived-1, tooLong)), fmt.Sprintf("(hidden), (hidden)9, %s", tooLong); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestHideIsLinear: whatever secrets and texts have in common, the time for hiding grows linearly with the length of
// the text.
func TestHideIsLinear(t *testing.T) {
	t.Parallel()
	const size, beginning = 128 << 10, "#!/bin/sh\napt-get update\nhostname web-"
	s := newSecrets()
	for i := range 1000 {
		s.add(
			fmt.Sprintf("%s%d\n", beginning, i),
			beginning+strings.Repeat("x", i)+"y",
			strings.Repeat("a", 8+i)+"b",
			strings.Repeat("%25", i)+"c12345678",
			strings.Repeat("&amp;", i)+"d12345678",
			strings.Repeat(`\`, i)+"e12345678",
		)
	}
	for _, piece := range []string{beginning, beginning + "x", "a", "%25", "&amp;", `\`, `\u005c`, "&", "%", " ", "&#x26;", `%25\\u0026amp;`, `%5cu0026amp;%2525&#x5c;`, "&aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "\xff"} {
		began := time.Now()
		s.hide(strings.Repeat(piece, size/len(piece)))
		if took := time.Since(began); took > 3*time.Second {
			t.Errorf("hiding in %q again and again took %s", piece, took)
		}
	}
}

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

// encodings are the ways in which services, proxies and libraries may encode a text.
var encodings = []func(string) string{
	func(text string) string { return text },
	func(text string) string { return quotedJSON(text, true) },
	func(text string) string { return quotedJSON(text, false) },
	func(text string) string { return strings.ReplaceAll(quotedJSON(text, true), "/", `\/`) },
	func(text string) string { // like encoders that write ASCII only
		var escaped strings.Builder
		for _, r := range quotedJSON(text, false) {
			switch high, low := utf16.EncodeRune(r); {
			case r < utf8.RuneSelf:
				escaped.WriteRune(r)
			case high == utf8.RuneError:
				fmt.Fprintf(&escaped, `\u%04x`, r)
			default:
				fmt.Fprintf(&escaped, `\u%04X\u%04X`, high, low)
			}
		}
		return escaped.String()
	},
	html.EscapeString,
	func(text string) string {
		return strings.NewReplacer("&", "&amp;", `"`, "&quot;", "'", "&#x27;", "<", "&lt;", ">", "&gt;", "/", "&#x2F;").Replace(text)
	},
	url.QueryEscape,
	url.PathEscape,
	func(text string) string { return lowerEscapes(url.QueryEscape(text)) },
	func(text string) string { return lowerEscapes(url.PathEscape(text)) },
	func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") },
	OneLine,
}

func quotedJSON(text string, escapeHTML bool) string {
	var quoted strings.Builder
	encoder := json.NewEncoder(&quoted)
	encoder.SetEscapeHTML(escapeHTML)
	_ = encoder.Encode(text) // strings can always be encoded
	return strings.TrimSuffix(strings.Trim(quoted.String(), "\n"), `"`)[1:]
}

// lowerEscapes writes the escapes of a URL in lower case.
func lowerEscapes(text string) string {
	return regexp.MustCompile("%[0-9A-F]{2}").ReplaceAllStringFunc(text, strings.ToLower)
}

// FuzzHide hides a secret that a service repeats, between other words, in up to three encodings on top of each other.
func FuzzHide(f *testing.F) {
	const script = "#!/bin/sh\nuseradd -p \"é/ü\" 'web' && echo <b> 100% a+b \\n &amp; %41\n"
	for i := range encodings {
		f.Add(script, "before", "after", uint8(i), uint8(0), uint8(0))
		f.Add(script, "", "", uint8(1), uint8(i), uint8(5))
		f.Add(`p"<&ü/ w\1`, "a", "", uint8(i), uint8(i), uint8(i))
	}
	f.Add("zqmarker-\U0001F600", "", "", uint8(4), uint8(4), uint8(1))
	f.Fuzz(func(t *testing.T, secret, before, after string, a, b, c uint8) {
		secret = strings.TrimSpace(strings.ToValidUTF8(secret, "\uFFFD"))
		spelt := secret
		for _, way := range []uint8{a, b, c} {
			spelt = encodings[int(way)%len(encodings)](spelt)
		}
		if utf8.RuneCountInString(collapse(secret)) < shortest || strings.Contains(HiddenText, spelt) {
			return // a short one is not guaranteed to be found
		}
		s := newSecrets(secret)
		got := s.hide(before + " " + spelt + " " + after)
		if left := strings.ReplaceAll(got, HiddenText, replaced); strings.Contains(left, spelt) {
			t.Errorf("%q, spelt %q, is in %q", secret, spelt, got)
		}
	})
}
