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
	suggestedNames = 3  // of a list that is too long to show
	shownNames     = 12 // of a list that is shown whole
)

// Suggest returns the sentences that follow an unknown name: which one was
// probably meant, and all names if there are few.
func Suggest(name string, names []string, descriptions map[string]string) string {
	return suggest(name, names, descriptions, "The service offers", "that the service offers")
}

// SuggestVisible is Suggest for the names of objects that exist.
func SuggestVisible(name string, names []string) string {
	return suggest(name, names, nil, "These credentials can see", "that these credentials can see")
}

func suggest(name string, names []string, descriptions map[string]string, all, of string) string {
	if len(names) == 0 {
		return all + " none."
	}
	sorted := byCloseness(name, names, descriptions)
	text := ""
	if probable(name, sorted[0], descriptions[sorted[0]]) {
		text = fmt.Sprintf("Did you mean %s? ", described(sorted[0], descriptions))
	}
	if len(names) <= shownNames {
		return text + fmt.Sprintf("%s: %s.", all, listed(names, descriptions))
	}
	return text + fmt.Sprintf("The closest of the %d %s: %s.", len(names), of, listed(sorted[:suggestedNames], descriptions))
}

// byCloseness returns the names, closest match first. A name whose description
// matches, as "Debian 12 (Bookworm)" does for "debian-12", is closer than one that
// is merely spelt alike. The descriptions are by name, or nil.
func byCloseness(name string, names []string, descriptions map[string]string) []string {
	sorted := slices.Clone(names)
	slices.SortStableFunc(sorted, func(a, b string) int {
		return cmp.Or(
			cmp.Compare(wordsShared(name, b, descriptions[b]), wordsShared(name, a, descriptions[a])),
			cmp.Compare(abbreviates(name, b), abbreviates(name, a)),
			cmp.Compare(distance(name, a), distance(name, b)))
	})
	return sorted
}

// probable reports whether somebody who wrote name meant the candidate.
func probable(name, candidate, description string) bool {
	return wordsShared(name, candidate, description) == 1 || abbreviates(name, candidate) == 1 || distance(name, candidate) <= max(1, min(2, len(name)/2))
}

// abbreviates returns 1 for a beginning of the candidate, such as "del" for
// "delete", and otherwise 0.
func abbreviates(name, candidate string) int {
	if len(name) >= 3 && strings.HasPrefix(strings.ToLower(candidate), strings.ToLower(name)) {
		return 1
	}
	return 0
}

// wordsShared returns the part of name's words and numbers that the candidate and
// its description contain, from 0 to 1. Less than half is a coincidence.
func wordsShared(name, candidate, description string) float64 {
	squeezed := func(text string) string { return strings.Join(words(text), "") }
	if whole := squeezed(name); whole != "" && strings.Contains(squeezed(description), whole) {
		return 1 // "ubuntu-2204" in "Ubuntu 22.04 LTS"
	}
	wanted, found := words(name), append(words(candidate), words(description)...)
	shared := 0
	for _, word := range wanted {
		if slices.Contains(found, word) {
			shared++
		}
	}
	if 2*shared <= len(wanted) {
		return 0
	}
	return float64(shared) / float64(len(wanted))
}

// words splits a text into words in lower case and numbers: debian, 12.
func words(text string) []string {
	var found []string
	last := 0 // class of the rune before: 0 neither, 1 letter, 2 digit
	for _, r := range strings.ToLower(text) {
		class := 0
		switch {
		case unicode.IsLetter(r):
			class = 1
		case unicode.IsDigit(r):
			class = 2
		}
		switch {
		case class != 0 && class != last:
			found = append(found, string(r))
		case class != 0:
			found[len(found)-1] += string(r)
		}
		last = class
	}
	return found
}

func distance(a, b string) int {
	return levenshtein.Distance(strings.ToLower(a), strings.ToLower(b), nil)
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

// Quoted returns the names in quotes, separated by commas.
func Quoted(names []string) string { return listed(names, nil) }
