package emulator

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode"
)

// describe returns the journal entry of a request that has just arrived.
func (s *store) describe(r *http.Request, body []byte, now time.Time) Request {
	header := r.Header.Clone()
	if authorization := header.Get("Authorization"); authorization != "" {
		scheme, _, _ := strings.Cut(authorization, " ")
		header.Set("Authorization", scheme+" …")
	}
	return Request{
		Time: now, Method: r.Method, Path: s.redact(r.URL.EscapedPath(), "/"), Query: s.redact(r.URL.RawQuery, "=&"),
		Header: header, Body: body,
	}
}

// redact hides the parts of a path or query that are, or follow the word session and so may be, a session id or an API
// key, however they are escaped.
func (s *store) redact(written, separators string) string {
	var b strings.Builder
	secret := false
	for written != "" {
		end := strings.IndexAny(written, separators)
		if end < 0 {
			end = len(written)
		}
		part, inside := written[:end], false
		for _, word := range words(part) {
			inside = inside || secret || s.isToken(word)
			secret = strings.EqualFold(word, "session")
		}
		if inside {
			part = "…"
		}
		b.WriteString(part)
		if end < len(written) {
			b.WriteByte(written[end])
			end++
		}
		written = written[end:]
	}
	return b.String()
}

// words returns the words of a part of a path, however often it is escaped.
func words(part string) []string {
	for range 5 {
		plain, err := url.PathUnescape(part)
		if err != nil || plain == part {
			break
		}
		part = plain
	}
	return strings.FieldsFunc(part, func(r rune) bool { return strings.ContainsRune("/=&?", r) || unicode.IsSpace(r) })
}

// isToken reports whether a word is a session id, an API key, or looks like a key.
func (s *store) isToken(word string) bool {
	_, isSession := s.sessions[word]
	_, isKey := s.apiKeys[word]
	return isSession || isKey || strings.HasPrefix(strings.ToLower(word), "apikey.")
}

// reason returns what a refusal said, in one line of bounded length.
func reason(o outcome) string {
	if o.cut {
		return "the connection was closed"
	}
	if o.status < 400 {
		return ""
	}
	message := string(o.body)
	var found problems
	if json.Unmarshal(o.body, &found) == nil {
		message = found.text()
	}
	line := strings.Join(strings.FieldsFunc(message, func(r rune) bool { return !unicode.IsGraphic(r) }), "; ")
	if runes := []rune(line); len(runes) > 200 {
		line = string(runes[:199]) + "…"
	}
	return line
}
