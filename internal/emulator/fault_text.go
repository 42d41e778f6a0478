// SPDX-License-Identifier: MPL-2.0

package emulator

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// faultSpec describes a fault, in text and in JSON.
type faultSpec struct {
	Fault
	// Match is a method and a path, in which * stands for any text: "POST */vm_create".
	Match string `json:"match"`
	// Contains limits the fault to requests with this text in their body.
	Contains   string `json:"contains"`
	RetryAfter int    `json:"retry_after"` // seconds
	Garbage    bool   `json:"garbage"`     // answers with something that is not JSON
	Delay      string `json:"delay"`       // such as 5s
}

// ParseFault parses a fault such as "POST */vm_create 503 times=2", or its description in JSON.
func ParseFault(written string) (Fault, error) {
	var spec faultSpec
	if strings.HasPrefix(strings.TrimSpace(written), "{") {
		decoder := json.NewDecoder(strings.NewReader(written))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&spec); err != nil {
			return Fault{}, err
		}
		return spec.fault()
	}
	words, err := splitWords(written)
	if err != nil {
		return Fault{}, err
	}
	if len(words) < 3 {
		return Fault{}, errors.New(`a fault is METHOD PATH WHAT…, such as "POST */vm_create 503 times=2"`)
	}
	spec.Match = words[0] + " " + words[1]
	for _, word := range words[2:] {
		if err := spec.set(word); err != nil {
			return Fault{}, err
		}
	}
	return spec.fault()
}

// splitWords splits a text at spaces. A value in double quotes may contain spaces.
func splitWords(written string) ([]string, error) {
	var words []string
	for rest := strings.TrimSpace(written); rest != ""; rest = strings.TrimSpace(rest) {
		end := strings.IndexAny(rest, " \t\"")
		if end >= 0 && rest[end] == '"' {
			quoted, err := strconv.QuotedPrefix(rest[end:])
			if err != nil {
				return nil, fmt.Errorf("invalid quotes in %s", rest)
			}
			value, _ := strconv.Unquote(quoted) // QuotedPrefix has validated it
			words, rest = append(words, rest[:end]+value), rest[end+len(quoted):]
			continue
		}
		if end < 0 {
			end = len(rest)
		}
		words, rest = append(words, rest[:end]), rest[end:]
	}
	return words, nil
}

// set parses one word of a fault.
func (s *faultSpec) set(word string) (err error) {
	name, value, _ := strings.Cut(word, "=")
	switch name {
	case "cut":
		s.Cut = true
	case "garbage":
		s.Garbage = true
	case "after":
		s.AfterEffect = true
	case "body":
		s.Body = value
	case "contains":
		s.Contains = value
	case "delay":
		s.Delay = value
	case "times":
		s.Times, err = strconv.Atoi(value)
	case "skip":
		s.Skip, err = strconv.Atoi(value)
	case "truncate":
		s.Truncate, err = strconv.Atoi(value)
	case "retry-after":
		s.RetryAfter, err = strconv.Atoi(value)
	default:
		if s.Status, err = strconv.Atoi(word); err != nil {
			return fmt.Errorf("%q is none of STATUS, cut, garbage, truncate=N, delay=DURATION, after, times=N, skip=N, "+
				"retry-after=N, contains=TEXT, body=TEXT", word)
		}
	}
	if err != nil {
		return fmt.Errorf("%q needs a number", word)
	}
	return nil
}

// fault returns the described fault.
func (s faultSpec) fault() (Fault, error) {
	f := s.Fault
	f.Name = s.String()
	if err := s.check(); err != nil {
		return f, err
	}
	if s.Delay != "" {
		var err error
		if f.Delay, err = time.ParseDuration(s.Delay); err != nil {
			return f, fmt.Errorf("delay: %q is not a duration, such as 5s", s.Delay)
		}
	}
	if f.Body == "" {
		f.Body = http.StatusText(s.Status)
	}
	f.Header = http.Header{"Content-Type": {"text/plain; charset=utf-8"}} // a browser would not execute it
	if json.Valid([]byte(f.Body)) {
		f.Header.Set("Content-Type", "application/json")
	}
	if s.RetryAfter > 0 {
		f.Header.Set("Retry-After", strconv.Itoa(s.RetryAfter))
	}
	if s.Garbage {
		f.Rewrite = garbage
	}
	matches, err := regexp.Compile("(?s)^" + Glob(s.Match) + "$")
	if err != nil {
		return f, err
	}
	f.Match = func(r Request) bool {
		return matches.MatchString(r.Method+" "+r.Path) && bytes.Contains(r.Body, []byte(s.Contains))
	}
	return f, nil
}

// check returns an error if a description is invalid.
func (s faultSpec) check() error {
	effects := 0
	for _, set := range []bool{s.Status != 0, s.Cut, s.Garbage, s.Truncate != 0} {
		if set {
			effects++
		}
	}
	switch {
	case len(strings.Fields(s.Match)) != 2:
		return fmt.Errorf("match: %q is not METHOD PATH, such as POST */vm_create", s.Match)
	case !matchesACall(s.Match):
		return fmt.Errorf("match: no call of the service matches %s, so the fault would never act", s.Match)
	case s.Status != 0 && (s.Status < 200 || s.Status > 599):
		return fmt.Errorf("status: %d is not between 200 and 599", s.Status)
	case effects > 1:
		return errors.New("set only one of status, cut, garbage and truncate")
	case effects == 0 && s.Delay == "":
		return errors.New("set one of status, cut, garbage, truncate and delay")
	case min(s.Times, s.Skip, s.Truncate, s.RetryAfter) < 0:
		return errors.New("numbers must not be negative")
	}
	return nil
}

// Glob returns the regular expression for a text in which * stands for any text.
func Glob(pattern string) string { return strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, ".*") }

// matchesACall reports whether a request to some call of the service may match.
func matchesACall(match string) bool {
	method, path, _ := strings.Cut(match, " ")
	for call := range calls {
		callMethod, callPath, _ := strings.Cut(call, " ")
		sameMethod := method == callMethod || strings.Contains(method, "*")
		if sameMethod && overlap(strings.Split(path, "/"), strings.Split(callPath, "/")) {
			return true
		}
	}
	return false
}

// overlap reports whether a path may match both a pattern and the path of a call, by their parts. A part with * stands
// for one part or more.
func overlap(match, call []string) bool {
	if len(match) == 0 || len(call) == 0 {
		return len(match) == len(call)
	}
	if strings.Contains(match[0], "*") {
		return overlap(match[1:], call[1:]) || overlap(match, call[1:])
	}
	same := match[0] == call[0] || strings.HasPrefix(call[0], "{")
	return same && overlap(match[1:], call[1:])
}

// garbage returns an answer that no client can decode.
func garbage(int, http.Header, []byte) (int, http.Header, []byte) {
	return http.StatusOK, http.Header{"Content-Type": {"application/json"}}, []byte(`<html>{"virtual_machine": [`)
}

// String returns the fault in the format of ParseFault.
func (s faultSpec) String() string {
	words := []string{s.Match}
	add := func(set bool, format string, value any) {
		if set {
			words = append(words, fmt.Sprintf(format, value))
		}
	}
	add(s.Status != 0, "%v", s.Status)
	add(s.Cut, "%v", "cut")
	add(s.Garbage, "%v", "garbage")
	add(s.Truncate != 0, "truncate=%v", s.Truncate)
	add(s.Delay != "", "delay=%v", s.Delay)
	add(s.AfterEffect, "%v", "after")
	add(s.RetryAfter != 0, "retry-after=%v", s.RetryAfter)
	add(s.Skip != 0, "skip=%v", s.Skip)
	add(s.Times != 0, "times=%v", s.Times)
	add(s.Contains != "", "contains=%q", s.Contains)
	add(s.Body != "", "body=%q", s.Body)
	return strings.Join(words, " ")
}
