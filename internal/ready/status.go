package ready

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Statuses are the statuses of HTTP that count as ready.
type Statuses struct {
	text   string
	ranges [][2]int
}

// Success are the statuses that count where none are configured.
var Success = Statuses{"200-299", [][2]int{{200, 299}}}

// ParseStatuses reads statuses and ranges of them, such as "200-299" or "200,204,301-302".
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
			return Statuses{}, fmt.Errorf("must be statuses of HTTP from 200 to 599, and ranges of them, such as 200-299 or 200,302: %q is neither", part)
		}
		s.ranges = append(s.ranges, [2]int{from, to})
	}
	return s, nil
}

// status reads one status of an answer. Those below 200 are not the answer yet.
func status(text string) (int, error) {
	code, err := strconv.Atoi(text)
	if err != nil || len(text) != 3 || code < 200 || code > 599 {
		return 0, errors.New("not a status")
	}
	return code, nil
}

// String returns the statuses as they were written.
func (s Statuses) String() string { return s.text }

func (s Statuses) has(status int) bool {
	for _, r := range s.ranges {
		if r[0] <= status && status <= r[1] {
			return true
		}
	}
	return false
}
