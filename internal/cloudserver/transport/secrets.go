package transport

import (
	"bytes"
	"encoding/json"
	"strings"
	"sync"
	"unicode/utf8"
)

const (
	// HiddenText replaces secrets.
	HiddenText = "(hidden)"

	// replaced stands for a secret that was found, in the text that is searched further.
	replaced = "\uFFFC"

	mostReceived    = 1_000 // maximum number of secrets of answers that are remembered
	longestReceived = 256   // their maximum length in bytes
)

// secrets are values that were sent or received as secrets. They are hidden in every text that is shown or logged. A
// secret in its exact spelling is replaced. If one is spelt differently, as in JSON, HTML or URLs or with other
// whitespace, or only its beginning is there, the whole text is hidden, because the end of the secret is unknown.
type secrets struct {
	mu        sync.Mutex
	known     map[string]bool
	verbatim  *index
	collapsed *index // with all whitespace collapsed
	received  int
}

// shortest is the minimum length in characters of a secret that is searched for: hiding a shorter one in words and
// numbers would reveal it.
const shortest = 8

// IsSearchedFor reports whether a secret is long enough to be searched for.
func IsSearchedFor(secret string) bool { return utf8.RuneCountInString(secret) >= shortest }

// ofProcess are the secrets of all clients of this process: the session of one may be the token of another. Credentials
// are those among them that clients log in with.
var ofProcess, credentials = newSecrets(), newSecrets()

func newSecrets(texts ...string) *secrets {
	s := &secrets{known: map[string]bool{}, verbatim: newIndex(), collapsed: newIndex()}
	s.add(texts...)
	return s
}

// AddSecrets remembers secrets that are sent or were received. From now on they are hidden in whatever is shown or
// logged.
func AddSecrets(texts ...string) { ofProcess.add(texts...) }

// AddCredentials is [AddSecrets] for tokens, passwords and sessions, which no answer may repeat (see [HoldsCredential]).
func AddCredentials(texts ...string) {
	ofProcess.add(texts...)
	credentials.add(texts...)
}

// HoldsCredential reports whether a token, a password or a session of this process is in a text, in any spelling.
func HoldsCredential(text string) bool { return credentials.hide(text) != text }

// MayHoldCredential reports whether one may be in a part of a text, such as a field of a document. It is cheap, also for a
// long text. If there is an escape, only HoldsCredential of each part can tell: what precedes a part may change its meaning.
func MayHoldCredential(text string) bool { return isEscaped(text) || HoldsCredential(text) }

// AddReceived remembers the values of the secret fields of an answer, up to a limit: it may contain a password that the
// service has chosen.
func AddReceived(answer []byte) {
	redactJSON(answer, func(text string) string { return text }, ofProcess.addReceived)
}

// Hide returns the text without the secrets of this process.
func Hide(text string) string { return ofProcess.hide(text) }

// add remembers secrets without the whitespace around them.
func (s *secrets) add(texts ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, text := range texts {
		secret := strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD"))
		if s.known[secret] || !IsSearchedFor(secret) {
			continue
		}
		s.known[secret] = true
		number := len(s.known)
		s.verbatim.add(secret, number)
		if spelt := collapse(secret); IsSearchedFor(spelt) {
			s.collapsed.add(spelt, number)
		}
	}
}

// addReceived remembers a secret of an answer. The number is limited, because a hostile service could send new ones
// endlessly.
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
	var shown, rest strings.Builder // rest is the part that remains to be searched
	replacedOf, from := map[int]int{}, 0
	if !s.verbatim.matches(text, func(at, length, number int) {
		shown.WriteString(text[from:at] + HiddenText)
		rest.WriteString(text[from:at] + replaced)
		replacedOf[number]++
		from = at + length
	}) {
		return HiddenText
	}
	if from == 0 {
		if s.isSpelt(text, nil) {
			return HiddenText
		}
		return text
	}
	shown.WriteString(text[from:])
	rest.WriteString(text[from:])
	// The whole text is searched as well: what was replaced may be the beginning of another secret.
	if s.isSpelt(rest.String(), nil) || s.isSpelt(text, replacedOf) {
		return HiddenText
	}
	return shown.String()
}

// isSpelt reports whether a text contains, in any spelling, more secrets than are known to be in it.
func (s *secrets) isSpelt(text string, known map[int]int) bool {
	for _, spelling := range spellings(text) {
		counts, more := map[int]int{}, false
		whole := s.collapsed.matches(spelling, func(_, _, number int) {
			counts[number]++
			more = more || counts[number] > known[number]
		})
		if !whole || more {
			return true
		}
	}
	return false
}

// IsSecretField reports whether the values of a field are never shown.
func IsSecretField(name string) bool {
	switch strings.ToLower(name) {
	case "root_password", "password", "yubikey", "2fa", "otp", "firstboot_script", "token", "session", "session_id", "authorization", "chpasswd":
		return true
	}
	return false
}

// redactJSON returns a JSON document without the values of secret fields, which it passes to found, and without the
// secrets that hide finds in any text. It returns false if the text is not JSON.
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
