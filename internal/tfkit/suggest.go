// SPDX-License-Identifier: MPL-2.0

package tfkit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/agext/levenshtein"
)

const (
	suggestedNames = 3  // from a list that is too long to show
	shownNames     = 12 // maximum length of a list that is shown in full
)

// SuggestVisible is suggest for the names of existing objects.
func SuggestVisible(name string, names []string) string {
	return suggest(name, names, nil, "These credentials can see", "that these credentials can see")
}

// suggest returns the sentences that follow an unknown name: the name that was probably meant, and all names if there
// are few.
func suggest(name string, names []string, descriptions map[string]string, all, of string) string {
	if len(names) == 0 {
		return all + " none."
	}
	distance := func(candidate string) int { return distance(name, candidate, descriptions[candidate]) }
	sorted := slices.Clone(names)
	slices.SortStableFunc(sorted, func(a, b string) int { return cmp.Compare(distance(a), distance(b)) })
	text := ""
	if distance(sorted[0]) <= max(1, min(2, len(name)/2)) {
		text = fmt.Sprintf("Did you mean %s? ", described(sorted[0], descriptions))
	}
	if len(names) <= shownNames {
		return text + fmt.Sprintf("%s: %s.", all, listed(names, descriptions))
	}
	return text + fmt.Sprintf("The closest of the %d %s: %s.", len(names), of, listed(sorted[:suggestedNames], descriptions))
}

// distance returns the edit distance of a name and a candidate. It is 0 if the name is a part of the candidate or of
// its description, as "debian-12" is of "Debian 12 (Bookworm)", or a word of it, as "gb" is of "en-gb".
func distance(name, candidate, description string) int {
	text := candidate + " " + description
	if part := squeezed(name); len(part) >= 3 && strings.Contains(squeezed(text), part) {
		return 0
	}
	if slices.Contains(words(text), strings.ToLower(name)) {
		return 0
	}
	return levenshtein.Distance(strings.ToLower(name), strings.ToLower(candidate), nil)
}

// words returns the words of letters and digits of a text in lower case.
func words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// squeezed returns the letters and digits of a text in lower case.
func squeezed(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, text)
}

// listed returns the names in quotes, each with its description.
func listed(names []string, descriptions map[string]string) string {
	texts := make([]string, len(names))
	for i, name := range names {
		texts[i] = described(name, descriptions)
	}
	return strings.Join(texts, ", ")
}

func described(name string, descriptions map[string]string) string {
	if description := descriptions[name]; description != "" && description != name {
		return fmt.Sprintf("%q (%s)", name, description)
	}
	return fmt.Sprintf("%q", name)
}
