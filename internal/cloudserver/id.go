package cloudserver

import (
	"fmt"
	"strconv"
)

// IDText returns a numeric ID as it is in states and configurations.
func IDText(id int64) string { return strconv.FormatInt(id, 10) }

// ParseID reads a numeric ID of the service, as it is in states and
// configurations.
func ParseID(text string) (int64, error) {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id <= 0 || IDText(id) != text {
		return 0, fmt.Errorf("%q is not a numeric ID, which is a positive whole number", text)
	}
	return id, nil
}

// IsDigits reports whether a path could take the text for a numeric id.
func IsDigits(text string) bool {
	for _, r := range text {
		if r < '0' || r > '9' {
			return false
		}
	}
	return text != ""
}
