// SPDX-License-Identifier: MPL-2.0

package cloudserver

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// CheckName returns an error for a name that cannot be an element of a path. Some servers decode an escaped slash, and
// would lead the request to another object.
func CheckName(name string) error {
	switch {
	case strings.TrimSpace(name) == "":
		return errors.New("must not be empty")
	case name == "." || name == "..":
		return errors.New(`must be neither "." nor ".."`)
	case strings.Contains(name, "/"):
		return errors.New("must not contain /")
	}
	return nil
}

// joinPath escapes and joins the elements of a path.
func joinPath(elements []string) (string, error) {
	var path strings.Builder
	for i, element := range elements {
		if err := CheckName(element); err != nil {
			return "", fmt.Errorf("the name or ID %q after %q %w", shorten(element, longestName), elements[max(i-1, 0)], err)
		}
		path.WriteString("/" + url.PathEscape(element))
	}
	return path.String(), nil
}

// IDText formats a numeric ID as in states and configurations.
func IDText(id int64) string { return strconv.FormatInt(id, 10) }

// ParseID parses a numeric ID of the service as in states and configurations.
func ParseID(text string) (int64, error) {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id <= 0 || IDText(id) != text {
		return 0, fmt.Errorf("%q is not a numeric ID, which is a positive whole number", text)
	}
	return id, nil
}

// IsDigits reports whether a path could take the text for a numeric ID.
func IsDigits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}
