package tfkit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/agext/levenshtein"
)

const nearestShown = 3

// Nearest gives the up to three names that are most like name, the likest first.
func Nearest(name string, names []string) []string {
	sorted := slices.Clone(names)
	distance := func(candidate string) int {
		return levenshtein.Distance(strings.ToLower(name), strings.ToLower(candidate), nil)
	}
	slices.SortStableFunc(sorted, func(a, b string) int { return cmp.Compare(distance(a), distance(b)) })
	return sorted[:min(nearestShown, len(sorted))]
}

// NearestSentence words Nearest for a message, with a pointer to the whole
// list when there is more to choose from.
func NearestSentence(name string, names []string) string {
	if len(names) == 0 {
		return "The service offers none at all."
	}
	if len(names) <= nearestShown {
		return fmt.Sprintf("The service offers: %s.", Quoted(names))
	}
	return fmt.Sprintf("The nearest of the %d that the service offers: %s.", len(names), Quoted(Nearest(name, names)))
}

// Quoted lists names in quotes, for a message.
func Quoted(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = fmt.Sprintf("%q", name)
	}
	return strings.Join(quoted, ", ")
}
