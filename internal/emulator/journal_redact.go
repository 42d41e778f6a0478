package emulator

import (
	"encoding/json"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
)

// What the journal hides. Session IDs and API keys are hidden when a request is recorded. Other secrets in a query or a
// body are hidden when the request is shown, because tests compare the real ones.

// hidden replaces what is not shown.
const hidden = "…"

// describe returns the journal entry of a request that has just arrived.
func (s *store) describe(r *http.Request, body []byte, now time.Time) Request {
	header := r.Header.Clone()
	if authorization := header.Get("Authorization"); authorization != "" {
		scheme, _, _ := strings.Cut(authorization, " ")
		header.Set("Authorization", scheme+" "+hidden)
	}
	return Request{
		Time: now, Method: r.Method, Path: s.redact(r.URL.EscapedPath(), "/"), Query: s.redact(r.URL.RawQuery, "=&"),
		Header: header, Body: body,
	}
}

// redact hides the parts of a path or query that are, or may be, a session ID or an API key, however they are escaped:
// a part that follows the word session may be one.
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
			part = hidden
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

// knownParameters are the parameters of a query that are shown if their values look like a name or a number.
var knownParameters = []string{"view", "include_deleted", "purge", "account_id", "group_id"}

// ShownQuery returns the query without anything that may be secret: only known parameters are shown.
func (r Request) ShownQuery() string {
	if r.Query == "" {
		return ""
	}
	parts := strings.Split(r.Query, "&")
	for n, part := range parts {
		name, value, _ := strings.Cut(part, "=")
		switch {
		case !slices.Contains(knownParameters, name):
			parts[n] = hidden
		case value != "" && !labelShape().MatchString(value):
			parts[n] = name + "=" + hidden
		}
	}
	return strings.Join(parts, "&")
}

// leavesOf returns the attributes of an object of the service that are text, numbers or booleans.
func leavesOf[T any]() (names []string) {
	for _, field := range reflect.VisibleFields(reflect.TypeFor[T]()) {
		kind := field.Type
		if kind.Kind() == reflect.Pointer {
			kind = kind.Elem()
		}
		switch kind.Kind() {
		case reflect.Slice, reflect.Map, reflect.Struct, reflect.Interface:
		default:
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			names = append(names, name)
		}
	}
	return names
}

// machineLeaves returns those of a machine.
func machineLeaves() []string {
	names := []string{"type"}
	for _, a := range attributes {
		names = append(names, a.name)
	}
	return names
}

// shownLeaves are the attributes whose strings, numbers and booleans are never secret, and shownObjects those whose
// objects may contain them. Anything that a client sends under another name, or in another shape, may be secret.
var (
	shownLeaves = slices.Concat(machineLeaves(), leavesOf[discWire](), strings.Fields(`username validity start_at interval_seconds capacity
		restore distribution ssh_public_key ipv4 ipv6 rdns signal`))
	shownObjects = strings.Fields(`virtual_machine discs reimage ips backup_schedules`)
)

// attributeShape matches names that are shown without their values.
var attributeShape = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z][a-z0-9_]{0,40}$`) })

// ShownBody returns the decoded JSON body without anything that may be secret, or nil if it is not JSON.
func (r Request) ShownBody() any {
	var body any
	if len(r.Body) == 0 || json.Unmarshal(r.Body, &body) != nil {
		return nil
	}
	return shownObject(body)
}

// shownObject returns an object without secrets.
func shownObject(value any) any {
	switch value := value.(type) {
	case nil:
		return nil
	case map[string]any:
		shown := make(map[string]any, len(value))
		for name, field := range value {
			switch {
			case slices.Contains(shownObjects, name):
				shown[name] = shownElements(field)
			case slices.Contains(shownLeaves, name):
				shown[name] = shownLeaf(name, field)
			case attributeShape().MatchString(name):
				shown[name] = hidden
			default:
				shown[hidden] = hidden
			}
		}
		return shown
	}
	return hidden
}

// shownElements returns an object or the objects of a list without secrets.
func shownElements(value any) any {
	list, isList := value.([]any)
	if !isList {
		return shownObject(value)
	}
	shown := make([]any, 0, len(list))
	for _, element := range list {
		shown = append(shown, shownObject(element))
	}
	return shown
}

// shownLeaf returns the value of an attribute that is no object.
func shownLeaf(name string, value any) any {
	switch value := value.(type) {
	case map[string]any, []any:
		return hidden
	case string:
		if name == "cdrom_url" {
			return withoutCredentials(value)
		}
	}
	return value
}

// withoutCredentials returns a URL without its user and query, which may grant access.
func withoutCredentials(written string) string {
	address, err := url.Parse(written)
	if err != nil {
		return hidden
	}
	if address.User != nil || address.RawQuery != "" || address.Fragment != "" || address.Opaque != "" {
		return (&url.URL{Scheme: address.Scheme, Host: address.Host, Path: address.Path}).String() + hidden
	}
	return written
}
