package console

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/agext/levenshtein"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// checkRoute refuses a method and a path, both with * for any text, that no call of the service matches. It names the
// closest call.
func checkRoute(method, path string) error {
	least, nearest := 0, ""
	methods, paths := matcher(method), matcher(path)
	for n, route := range emulator.Routes() {
		routeMethod, pattern, _ := strings.Cut(route, " ")
		if methods.MatchString(routeMethod) && paths.MatchString(names.ReplaceAllLiteralString(pattern, name)) {
			return nil
		}
		if far := levenshtein.Distance(method, routeMethod, nil) + distance(path, pattern); n == 0 || far < least {
			least, nearest = far, route
		}
	}
	return fmt.Errorf("match: %s %s is no call of the service, so the fault would never act; the nearest is %s", method, path, nearest)
}

// name stands for the {name} of an object in a route.
const name = "{}"

var names = regexp.MustCompile(`\{\w+\}`)

// matcher returns the expression for the routes that a pattern matches, with name for each {name}. Any text of the
// pattern may be the name of an object, or a part of it, except for words that occur in the service's paths, such as
// reimage.
func matcher(pattern string) *regexp.Regexp {
	segments := strings.Split(pattern, "/")
	for i, segment := range segments {
		if word := strings.Trim(segment, "*"); word == "" || isWordOfRoute(word) {
			segments[i] = strings.ReplaceAll(regexp.QuoteMeta(segment), `\*`, ".*")
			continue
		}
		parts := strings.Split(segment, "*")
		for j, part := range parts {
			parts[j] = "(" + regexp.QuoteMeta(part) + "|" + regexp.QuoteMeta(name) + ")"
		}
		segments[i] = "(" + strings.Join(parts, ".*") + "|" + regexp.QuoteMeta(name) + ")"
	}
	return regexp.MustCompile("^" + strings.Join(segments, "/") + "$")
}

func isWordOfRoute(word string) bool {
	return slices.ContainsFunc(emulator.Routes(), func(route string) bool {
		return slices.Contains(strings.Split(route, "/")[1:], word)
	})
}

// likeName is the distance of any text from the name of an object, which it may be.
const likeName = 3

// distance returns how far a path is from a route: how far each of its words is from the closest one of the route, and
// how many words more the route has, or fewer. A word * of the path may stand for several.
func distance(path, route string) int {
	words, routeWords := strings.Split(path, "/"), strings.Split(route, "/")
	sum := likeName * max(len(words)-len(routeWords), 0)
	if !slices.Contains(words, "*") {
		sum += likeName * max(len(routeWords)-len(words), 0)
	}
	for _, written := range words {
		written = strings.Trim(written, "*")
		least := len(written)
		for _, word := range routeWords {
			if names.MatchString(word) {
				least = min(least, likeName)
			} else {
				least = min(least, levenshtein.Distance(written, word, nil))
			}
		}
		sum += least
	}
	return sum
}
