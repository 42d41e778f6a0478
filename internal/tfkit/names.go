// SPDX-License-Identifier: MPL-2.0

package tfkit

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// The number of characters that a name has: a machine's at least, which is a rule (API.md §1), and each one at most.
const (
	minMachineName = 3
	maxLabel       = 63
)

// usualName is what a name usually is. Which other names the service accepts is not documented.
var usualName = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`)

// IsShortName reports whether the name of a machine is so short that the service refuses it.
func IsShortName(name string) bool { return utf8.RuneCountInString(name) < minMachineName }

// IsUsualName reports whether a name is one that the service certainly accepts, but for being too short.
func IsUsualName(name string) bool { return usualName.MatchString(name) }

// MachineNameAdvice explains the rule for the names of machines, and what to write instead of one that does not follow it.
func MachineNameAdvice(name string) string {
	rule := fmt.Sprintf("A name has at least %d characters, and usually %d to %d", minMachineName, minMachineName, maxLabel)
	return nameAdvice(rule, name, minMachineName)
}

// GroupNameAdvice is MachineNameAdvice for groups, whose names may be shorter.
func GroupNameAdvice(name string) string {
	return nameAdvice(fmt.Sprintf("The name of a group is part of hostnames. A name has usually 1 to %d", maxLabel), name, 1)
}

func nameAdvice(rule, name string, atLeast int) string {
	advice := rule + " lower-case letters, digits and dashes."
	if count := utf8.RuneCountInString(name); count > maxLabel {
		advice += fmt.Sprintf(" This one has %d characters.", count)
	}
	if usual := usualFrom(name); len(usual) >= atLeast && IsUsualName(usual) {
		advice += fmt.Sprintf(" Write %q.", usual)
	}
	return advice
}

// usualFrom returns a usual name that is like this one: of the name of a host in a domain, the first label.
func usualFrom(name string) string {
	name = strings.ToLower(strings.TrimSpace(name))
	first, domain, _ := strings.Cut(name, ".")
	if !strings.Contains(domain, ".") {
		first = name
	}
	dashed := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, first)
	return strings.Trim(dashed, "-")
}
