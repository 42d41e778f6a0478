package cloudserver

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"unicode"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver/transport"
)

// CheckName returns an error for a name that cannot stand in the path of a
// request. Such names are escaped, but a proxy that decodes and normalises paths
// would lead the request to another object.
func CheckName(name string) error {
	if strings.TrimSpace(name) == "" {
		return errors.New("must not be empty")
	}
	// What is refused consists of characters that decoding keeps: the end has all of it.
	name = decodeEscapes(name)
	segment, _, _ := strings.Cut(name, ";") // what follows is a parameter to some
	switch {
	case segment == "." || segment == "..":
		return errors.New(`must be neither "." nor ".."`)
	case strings.ContainsAny(name, `/\`):
		return errors.New(`must not contain / or \`)
	case strings.ContainsAny(name, "?#"):
		return errors.New("must not contain ? or #")
	case strings.ContainsFunc(name, unicode.IsControl):
		return errors.New("must not contain control characters")
	}
	return nil
}

// decodeEscapes decodes each valid %XX of a text, beside others that are not valid, until
// none is left: some proxies decode more than once, and some skip what is malformed.
func decodeEscapes(text string) string {
	decoded := make([]byte, 0, len(text))
	for i := range len(text) {
		decoded = append(decoded, text[i])
		for end := len(decoded); end >= 3 && decoded[end-3] == '%'; end = len(decoded) {
			value, err := strconv.ParseUint(string(decoded[end-2:]), 16, 8)
			if err != nil {
				break
			}
			decoded = append(decoded[:end-3], byte(value)) // which may end another escape
		}
	}
	return string(decoded)
}

// joinPath escapes every element, and refuses those that could lead to another
// object.
func joinPath(elements []string) (string, error) {
	var path strings.Builder
	for i, element := range elements {
		if element == "" {
			return "", fmt.Errorf("the name or id after %q is empty", elements[max(i-1, 0)])
		}
		if err := CheckName(element); err != nil {
			return "", fmt.Errorf("the name or id %q after %q %w", transport.Shorten(element, transport.LongestName), elements[max(i-1, 0)], err)
		}
		path.WriteString("/" + url.PathEscape(element))
	}
	return path.String(), nil
}

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
