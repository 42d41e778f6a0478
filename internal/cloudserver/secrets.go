package cloudserver

import (
	"encoding/json"
	"html"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

const (
	// hiddenText replaces what must not be shown.
	hiddenText = "(hidden)"

	indexedBytes  = 4       // the first bytes of a secret, by which it is found in a text
	secretLine    = 8       // bytes of the shortest line of a script that is a secret of its own
	wholeInDetail = 4 << 10 // bytes of the longest secret that is hidden in all its forms
	maxReceived   = 10_000  // secrets of answers that are remembered
)

// sensitive is a request body that knows its own secrets.
type sensitive interface{ secrets() []string }

// secrets are all secrets that a client has ever sent or received: an answer may
// return one that an earlier call has sent. They are hidden in every text that
// is shown or logged.
type secrets struct {
	mu      sync.RWMutex
	known   map[string]bool
	forms   map[string][]string // by their first bytes, the longest first
	short   []string            // shorter than those, and hidden only as words
	longest int                 // bytes of the longest form

	received int // how many an answer has added
}

func newSecrets(texts ...string) *secrets {
	s := &secrets{known: map[string]bool{}, forms: map[string][]string{}}
	s.add(texts...)
	return s
}

// add remembers secrets. The lines of a script are secrets of their own, because
// a service may quote only one of them.
func (s *secrets) add(texts ...string) {
	for _, text := range texts {
		if text == "" || s.knows(text) {
			continue
		}
		s.mu.Lock()
		s.known[text] = true
		s.addForms(text)
		if strings.Contains(strings.TrimSpace(text), "\n") {
			for line := range strings.Lines(text) {
				if line = strings.TrimSpace(line); len(line) >= secretLine && !strings.HasPrefix(line, "#!") {
					s.addForms(line)
				}
			}
		}
		s.mu.Unlock()
	}
}

// addReceived remembers secrets of an answer. A hostile service could send new
// ones without end, so there is a limit.
func (s *secrets) addReceived(texts []string) {
	for _, text := range texts {
		s.mu.Lock()
		s.received++
		full := s.received > maxReceived
		s.mu.Unlock()
		if !full && len(text) <= wholeInDetail {
			s.add(text)
		}
	}
}

func (s *secrets) knows(text string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.known[text]
}

// addForms remembers a secret in the forms that it takes in texts. The caller
// holds the lock.
func (s *secrets) addForms(secret string) {
	secret = strings.ToValidUTF8(secret, "\uFFFD") // part of a character would be found within others
	forms := []string{secret, strings.TrimSpace(secret), jsonForm(secret, true), jsonForm(secret, false)}
	if len(secret) <= wholeInDetail {
		forms = append(forms, oneLine(secret),
			html.EscapeString(secret), url.QueryEscape(secret), url.PathEscape(secret),
			unquoted(strconv.Quote(secret)), unquoted(strconv.QuoteToASCII(secret)))
	}
	for _, form := range forms {
		switch {
		case strings.TrimSpace(form) == "":
		case len(form) >= indexedBytes:
			key := form[:indexedBytes]
			if !slices.Contains(s.forms[key], form) {
				s.forms[key] = append(s.forms[key], form)
				slices.SortStableFunc(s.forms[key], func(a, b string) int { return len(b) - len(a) })
				s.longest = max(s.longest, len(form))
			}
		case !slices.Contains(s.short, form):
			s.short = append(s.short, form)
		}
	}
}

// hide returns the text without the secrets.
func (s *secrets) hide(text string) string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var clean strings.Builder
	shown := 0
	for i := 0; i < len(text); {
		length := s.at(text, i)
		if length == 0 {
			i++
			continue
		}
		clean.WriteString(text[shown:i] + hiddenText)
		i += length
		shown = i
	}
	if shown == 0 {
		return text
	}
	clean.WriteString(text[shown:])
	return clean.String()
}

// at returns the length of the secret at a place of the text, 0 if there is none.
func (s *secrets) at(text string, i int) int {
	if i+indexedBytes <= len(text) {
		for _, form := range s.forms[text[i:i+indexedBytes]] {
			if strings.HasPrefix(text[i:], form) {
				return len(form)
			}
		}
	}
	for _, form := range s.short {
		if strings.HasPrefix(text[i:], form) && isWord(text, i, i+len(form)) {
			return len(form)
		}
	}
	return 0
}

// isWord reports whether no letter or digit adjoins a part of the text. To hide
// a short secret within words would show what it is.
func isWord(text string, from, to int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:from])
	after, _ := utf8.DecodeRuneInString(text[to:])
	return !isWordRune(before) && !isWordRune(after)
}

func isWordRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// start returns at least the first limit bytes of a document, cut so that no
// part of a secret remains at its end, without the secrets.
func (s *secrets) start(document []byte, limit int) string {
	s.mu.RLock()
	longest := s.longest
	s.mu.RUnlock()
	if len(document) <= limit {
		return s.hide(string(document))
	}
	// A secret that begins before the limit is whole, and so is hidden.
	text := s.hide(string(document[:min(limit+longest, len(document))]))
	return text[:min(limit, len(text))]
}

// jsonForm returns the text as it stands between the quotes of a JSON string.
func jsonForm(text string, escapeHTML bool) string {
	var quoted strings.Builder
	encoder := json.NewEncoder(&quoted)
	encoder.SetEscapeHTML(escapeHTML)
	if err := encoder.Encode(text); err != nil { // strings always encode
		return text
	}
	return unquoted(strings.TrimSuffix(quoted.String(), "\n"))
}

func unquoted(text string) string { return text[1 : len(text)-1] }
