package transport

import (
	"bytes"
	"encoding/json"
	"html"
	"net/url"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

const (
	// HiddenText replaces what must not be shown.
	HiddenText = "(hidden)"

	// anywhere is how many bytes a secret has that is hidden wherever it stands. A
	// shorter one is hidden as a word: within words it would show what it is.
	anywhere = 8

	mostFresh       = 256   // forms that are not in the replacer yet
	mostReceived    = 1_000 // secrets of answers that are remembered
	longestReceived = 256   // bytes of one
)

// secrets are values that were sent or received as secrets. They are hidden in
// every text that is shown or logged: verbatim, and as JSON, HTML and URLs write
// them.
type secrets struct {
	mu       sync.Mutex
	known    map[string]bool
	received int

	long, short []string // forms of at least that many bytes, and of fewer
	replacer    *strings.Replacer
	fresh       []string // the last of the long ones, which the replacer lacks
}

// ofProcess are the secrets of all clients of this process: the session that one
// opens is the token of another.
var ofProcess = newSecrets()

func newSecrets(texts ...string) *secrets {
	s := &secrets{known: map[string]bool{}, replacer: strings.NewReplacer()}
	s.add(texts...)
	return s
}

// AddSecrets remembers secrets that are sent, or were received. They are hidden in
// whatever is shown or logged from now on.
func AddSecrets(texts ...string) { ofProcess.add(texts...) }

// AddReceived remembers the values of the secret fields of an answer, up to a limit:
// it may contain a password that the service has chosen.
func AddReceived(answer []byte) {
	var found []string
	redactJSON(answer, func(text string) string { return text }, func(secret string) { found = append(found, secret) })
	ofProcess.addReceived(found)
}

// Hide returns the text without the secrets of this process.
func Hide(text string) string { return ofProcess.hide(text) }

// add remembers secrets. White space around one is none of it.
func (s *secrets) add(texts ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, text := range texts {
		secret := strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD"))
		if secret == "" {
			continue
		}
		for _, form := range []string{
			secret, jsonForm(secret, true), jsonForm(secret, false),
			html.EscapeString(secret), url.QueryEscape(secret), url.PathEscape(secret),
		} {
			if s.known[form] {
				continue
			}
			s.known[form] = true
			if len(form) < anywhere {
				s.short = append(s.short, form)
				continue
			}
			s.long, s.fresh = append(s.long, form), append(s.fresh, form)
		}
	}
}

// addReceived remembers secrets of an answer. There is a limit, because a hostile
// service could send new ones without end.
func (s *secrets) addReceived(texts []string) {
	for _, text := range texts {
		s.mu.Lock()
		s.received++
		full := s.received > mostReceived
		s.mu.Unlock()
		if !full && len(text) <= longestReceived {
			s.add(text)
		}
	}
}

// hide returns the text without the secrets.
func (s *secrets) hide(text string) string {
	replacer, words := s.in(text)
	text = replacer.Replace(text)
	for _, word := range words {
		text = hideWord(text, word)
	}
	return text
}

// in returns a replacer of all long forms that the text may contain, and the short
// ones. A replacer takes linear time to replace, but long to build, so it is built
// only where a fresh secret is in the text, or there are many.
func (s *secrets) in(text string) (*strings.Replacer, []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.fresh) > mostFresh || slices.ContainsFunc(s.fresh, func(form string) bool { return strings.Contains(text, form) }) {
		slices.SortFunc(s.long, func(a, b string) int { return len(b) - len(a) }) // the longest of those at one place is hidden
		pairs := make([]string, 0, 2*len(s.long))
		for _, form := range s.long {
			pairs = append(pairs, form, HiddenText)
		}
		s.replacer, s.fresh = strings.NewReplacer(pairs...), nil
	}
	return s.replacer, s.short
}

// hideWord hides a secret wherever no letter or digit adjoins it.
func hideWord(text, secret string) string {
	var clean strings.Builder
	shown := 0
	for i := 0; ; {
		found := strings.Index(text[i:], secret)
		if found < 0 {
			return clean.String() + text[shown:]
		}
		from, to := i+found, i+found+len(secret)
		before, _ := utf8.DecodeLastRuneInString(text[:from])
		after, _ := utf8.DecodeRuneInString(text[to:])
		if isWordRune(before) || isWordRune(after) {
			_, width := utf8.DecodeRuneInString(text[from:])
			i = from + width
			continue
		}
		clean.WriteString(text[shown:from] + HiddenText)
		i, shown = to, to
	}
}

func isWordRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// jsonForm returns the text as it stands between the quotes of a JSON string.
func jsonForm(text string, escapeHTML bool) string {
	var quoted strings.Builder
	encoder := json.NewEncoder(&quoted)
	encoder.SetEscapeHTML(escapeHTML)
	if err := encoder.Encode(text); err != nil { // strings always encode
		return text
	}
	return quoted.String()[1 : quoted.Len()-2] // without quotes and the line break
}

// IsSecretField reports whether values of a field are never shown.
func IsSecretField(name string) bool {
	switch strings.ToLower(name) {
	case "root_password", "password", "yubikey", "2fa", "otp", "firstboot_script", "token", "session", "session_id", "authorization", "chpasswd":
		return true
	}
	return false
}

// redactJSON returns a JSON document without the values of secret fields, each of
// which is given to found, and without what hide hides in any text. It returns false
// if it is not JSON.
func redactJSON(document []byte, hide func(string) string, found func(string)) (string, bool) {
	decoder := json.NewDecoder(bytes.NewReader(document))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) != nil {
		return "", false
	}
	clean, err := json.Marshal(redactValue(value, hide, found))
	return string(clean), err == nil
}

func redactValue(value any, hide func(string) string, found func(string)) any {
	switch value := value.(type) {
	case map[string]any:
		clean := make(map[string]any, len(value))
		for name, field := range value {
			shown := hide(name)
			if clean[shown] = redactValue(field, hide, found); IsSecretField(name) {
				clean[shown] = HiddenText
				if secret, ok := field.(string); ok {
					found(secret)
				}
			}
		}
		return clean
	case []any:
		for i := range value {
			value[i] = redactValue(value[i], hide, found)
		}
		return value
	case string:
		return hide(value)
	case json.Number:
		if shown := hide(value.String()); shown != value.String() { // a password may be a number
			return shown
		}
	}
	return value
}
