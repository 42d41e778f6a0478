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

	indexed = 8 // how many bytes of a secret are looked up before it is compared

	mostReceived    = 1_000 // secrets of answers that are remembered
	longestReceived = 256   // bytes of one
)

// secrets are values that were sent or received as secrets. They are hidden in
// every text that is shown or logged: verbatim, and as JSON, HTML and URLs write
// them.
type secrets struct {
	mu       sync.Mutex
	forms    map[string][]string // by their first bytes
	lengths  [indexed + 1]bool   // whether there are beginnings of so many bytes
	received int
}

// ofProcess are the secrets of all clients of this process: the session that one
// opens is the token of another.
var ofProcess = newSecrets()

func newSecrets(texts ...string) *secrets {
	s := &secrets{forms: map[string][]string{}}
	s.add(texts...)
	return s
}

// AddSecrets remembers secrets that are sent, or were received. They are hidden in
// whatever is shown or logged from now on.
func AddSecrets(texts ...string) { ofProcess.add(texts...) }

// AddReceived remembers the values of the secret fields of an answer, up to a limit:
// it may contain a password that the service has chosen.
func AddReceived(answer []byte) {
	redactJSON(answer, func(text string) string { return text }, ofProcess.addReceived)
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
			beginning := form[:min(len(form), indexed)]
			if !slices.Contains(s.forms[beginning], form) {
				s.forms[beginning] = append(s.forms[beginning], form)
				s.lengths[len(beginning)] = true
			}
		}
	}
}

// addReceived remembers a secret of an answer. There is a limit, because a hostile
// service could send new ones without end.
func (s *secrets) addReceived(text string) {
	s.mu.Lock()
	s.received++
	full := s.received > mostReceived
	s.mu.Unlock()
	if !full && len(text) <= longestReceived {
		s.add(text)
	}
}

// hide returns the text without the secrets.
func (s *secrets) hide(text string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var clean strings.Builder
	shown := 0
	for i := 0; i < len(text); {
		length := s.longestAt(text, i)
		if length == 0 {
			i++
			continue
		}
		clean.WriteString(text[shown:i] + HiddenText)
		i += length
		shown = i
	}
	return clean.String() + text[shown:]
}

// longestAt returns the length of the longest secret that stands at a place in a text,
// 0 if none does. The caller holds the lock.
func (s *secrets) longestAt(text string, at int) (longest int) {
	rest := text[at:]
	for length := 1; length <= min(indexed, len(rest)); length++ {
		if !s.lengths[length] {
			continue
		}
		for _, form := range s.forms[rest[:length]] {
			if len(form) > longest && strings.HasPrefix(rest, form) && (len(form) >= anywhere || isWord(text, at, at+len(form))) {
				longest = len(form)
			}
		}
	}
	return longest
}

// isWord reports whether no letter or digit adjoins a part of a text.
func isWord(text string, from, to int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:from])
	after, _ := utf8.DecodeRuneInString(text[to:])
	return !isWordRune(before) && !isWordRune(after)
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
