package ready

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Statuses are the HTTP statuses that count as ready.
type Statuses struct {
	text   string
	ranges [][2]int
}

// Success are the statuses that count as ready by default.
var Success = Statuses{"200-299", [][2]int{{200, 299}}}

// ParseStatuses parses statuses and ranges, such as "200-299" or "200,204,301-302".
func ParseStatuses(text string) (Statuses, error) {
	s := Statuses{text: strings.ReplaceAll(text, " ", "")}
	for part := range strings.SplitSeq(s.text, ",") {
		first, last, isRange := strings.Cut(part, "-")
		if !isRange {
			last = first
		}
		from, err := status(first)
		to, otherErr := status(last)
		if err = errors.Join(err, otherErr); err != nil || from > to {
			return Statuses{}, fmt.Errorf("must be HTTP statuses from 200 to 599, and ranges of them, such as 200-299 or 200,302: %q is neither", part)
		}
		s.ranges = append(s.ranges, [2]int{from, to})
	}
	return s, nil
}

// status parses one status. Those below 200 are informational and not the final answer.
func status(text string) (int, error) {
	code, err := strconv.Atoi(text)
	if err != nil || len(text) != 3 || code < 200 || code > 599 {
		return 0, errors.New("not a status")
	}
	return code, nil
}

// String returns the text that was parsed.
func (s Statuses) String() string { return s.text }

func (s Statuses) has(status int) bool {
	for _, r := range s.ranges {
		if r[0] <= status && status <= r[1] {
			return true
		}
	}
	return false
}
