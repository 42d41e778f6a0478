// SPDX-License-Identifier: MPL-2.0

package tfkit

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// minName is the number of characters that a name needs (API.md §1).
const minName = 3

// usualName is what a name usually is. Which other names the service accepts is not documented.
var usualName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$`)

// IsShortName reports whether a name is so short that the service refuses it.
func IsShortName(name string) bool { return utf8.RuneCountInString(name) < minName }

// IsUsualName reports whether a name is one that the service certainly accepts, but for its length.
func IsUsualName(name string) bool { return usualName.MatchString(name) }

// NameAdvice explains the rule for names, and what to write instead of one that does not follow it.
func NameAdvice(name string) string {
	advice := fmt.Sprintf("A name has at least %d characters, and usually 3 to 63 lower-case letters, digits and dashes.",
		minName)
	if usual := usualFrom(name); !IsShortName(usual) && IsUsualName(usual) {
		advice += fmt.Sprintf(" Write %q.", usual)
	}
	return advice
}

// usualFrom returns a usual name that is like this one: of a hostname, the first label.
func usualFrom(name string) string {
	first, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(name)), ".")
	dashed := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, first)
	return strings.Trim(dashed, "-")
}
