package console

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// checkRoute refuses a method and a path, both with * for any text, that no call of the service matches. It names the
// closest call.
func checkRoute(method, path string) error {
	least, nearest := 0, ""
	for n, route := range emulator.Routes() {
		routeMethod, pattern, _ := strings.Cut(route, " ")
		other := distance([]byte(method), []byte(routeMethod), 0)
		if other == 0 && distance(withFixed(path), withFixed(pattern), 0) == 0 {
			return nil
		}
		if far := other + distance([]byte(path), []byte(pattern), 2); n == 0 || far < least {
			least, nearest = far, route
		}
	}
	return fmt.Errorf("match: %s %s is no call of the service, so the fault would never act; the nearest is %s", method, path, nearest)
}

// fixed is added to the letters of words that occur in the service's paths, such as reimage, which are not the name of
// an object.
const fixed = 0x80

// withFixed returns a pattern or a route in which those words are marked.
func withFixed(path string) []byte {
	var marked []byte
	for n, segment := range strings.Split(path, "/") {
		if n > 0 {
			marked = append(marked, '/')
		}
		isFixed := slices.ContainsFunc(emulator.Routes(), func(route string) bool {
			return slices.Contains(strings.Split(route, "/")[1:], strings.Trim(segment, "*"))
		})
		for _, letter := range []byte(segment) {
			if isFixed && letter != '*' && segment[0] != '{' {
				letter |= fixed
			}
			marked = append(marked, letter)
		}
	}
	return marked
}

// distance returns how far a pattern is from a route: 4 for each letter that has to change until it fits. In the
// pattern, * stands for any text. In the route, {name} stands for any text without a slash, and each of its letters
// costs letterOfName.
func distance(pattern, route []byte, letterOfName int) int {
	const name, change = '\x00', 4
	var parts []byte
	for rest := route; len(rest) > 0; {
		if end := bytes.IndexByte(rest, '}'); rest[0] == '{' && end > 0 {
			parts, rest = append(parts, name), rest[end+1:]
			continue
		}
		parts, rest = append(parts, rest[0]), rest[1:]
	}
	// row[j] is the distance of the pattern up to here from the first j parts of the route.
	row := make([]int, len(parts)+1)
	for j, part := range parts {
		row[j+1] = row[j] + change
		if part == name {
			row[j+1] = row[j]
		}
	}
	for _, letter := range pattern {
		before := row[0]
		if letter != '*' {
			row[0] += change
		}
		for j, part := range parts {
			above := row[j+1]
			switch {
			case letter == '*':
				row[j+1] = min(row[j], above)
			case part == name && letter != '/' && letter < fixed:
				row[j+1] = min(before+letterOfName, above+letterOfName, row[j])
			case part == name:
				row[j+1] = min(before+change, above+change, row[j])
			case part == letter:
				row[j+1] = before
			default:
				row[j+1] = change + min(before, above, row[j])
			}
			before = above
		}
	}
	return row[len(parts)]
}
