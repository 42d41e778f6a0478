package console

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// visible replaces characters that are not printable or that change the direction of text.
func visible(value string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsGraphic(r) && !unicode.Is(unicode.Bidi_Control, r) && !unicode.Is(unicode.Cf, r) {
			return r
		}
		return unicode.ReplacementChar
	}, value)
}

// visibleLines is visible for a text of several lines.
func visibleLines(text string) string {
	lines := strings.Split(text, "\n")
	for n := range lines {
		lines[n] = visible(lines[n])
	}
	return strings.Join(lines, "\n")
}

// pathParts splits a path after each slash. A line may break between the parts, but never within a number.
func pathParts(path string) []string { return strings.SplitAfter(visible(path), "/") }

// spell returns a duration in the most suitable unit.
func spell(d time.Duration) string {
	switch {
	case d < 0:
		return "0 s"
	case d < 2*time.Minute:
		return fmt.Sprintf("%d s", d/time.Second)
	case d < 2*time.Hour:
		return fmt.Sprintf("%d min", d/time.Minute)
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", d/time.Hour)
	}
	return fmt.Sprintf("%d days", d/(24*time.Hour))
}

// number formats a count, with a space between thousands.
func number(n int) string {
	text := strconv.Itoa(n)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "\u202f" + text[at:]
	}
	return text
}

// plural returns a count with its noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return number(n) + " " + noun + "s"
}

// acted describes what a fault has done so far.
func acted(f emulator.ArmedFault) string {
	matched := "no request has matched"
	if f.Asked > 0 {
		matched = plural(f.Asked, "request") + " matched"
	}
	switch {
	case f.Times > 0:
		return fmt.Sprintf("has acted %d of %s, %s", f.Acted, plural(f.Times, "time"), matched)
	case f.Acted == 0:
		return "has not acted yet, " + matched
	}
	return "has acted " + plural(f.Acted, "time") + ", " + matched
}

// natural compares two names so that web2 comes before web10.
func natural(a, b string) int {
	for a != "" && b != "" {
		na, restA := digits(a)
		nb, restB := digits(b)
		if na != "" && nb != "" {
			x, y := strings.TrimLeft(na, "0"), strings.TrimLeft(nb, "0")
			if order := cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y)); order != 0 {
				return order
			}
			a, b = restA, restB
			continue
		}
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Compare(len(a), len(b))
}

// digits splits a text after its leading digits.
func digits(text string) (number, rest string) {
	rest = strings.TrimLeft(text, "0123456789")
	return text[:len(text)-len(rest)], rest
}
