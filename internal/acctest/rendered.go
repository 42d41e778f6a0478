package acctest

import (
	"regexp"
	"strings"
)

// Rendered returns an expression for ExpectError that matches phrases, in their order, in the CLI's output, however it
// wraps the lines.
func Rendered(phrases ...string) *regexp.Regexp {
	patterns := make([]string, len(phrases))
	for i, phrase := range phrases {
		var words []string
		for word := range strings.FieldsSeq(phrase) {
			words = append(words, regexp.QuoteMeta(word))
		}
		patterns[i] = strings.Join(words, `[\s│]+`)
	}
	return regexp.MustCompile(`(?s)` + strings.Join(patterns, `.*`))
}
