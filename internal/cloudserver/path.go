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

// CheckName returns an error for a name that cannot be part of a request's path. Such names would be escaped, but a
// proxy that decodes and normalises paths would direct the request to another object.
func CheckName(name string) error {
	if strings.TrimSpace(name) == "" {
		return errors.New("must not be empty")
	}
	// The refused characters survive decoding, so looking at the fully decoded name is enough.
	name = decodeEscapes(name)
	segment, _, _ := strings.Cut(name, ";") // some servers take what follows for a parameter
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

// decodeEscapes decodes every valid %XX of a text, repeatedly and regardless of invalid ones, until none is left: some
// proxies decode more than once, and some skip malformed escapes.
func decodeEscapes(text string) string {
	decoded := make([]byte, 0, len(text))
	for i := range len(text) {
		decoded = append(decoded, text[i])
		for end := len(decoded); end >= 3 && decoded[end-3] == '%'; end = len(decoded) {
			value, err := strconv.ParseUint(string(decoded[end-2:]), 16, 8)
			if err != nil {
				break
			}
			decoded = append(decoded[:end-3], byte(value)) // it may complete another escape
		}
	}
	return string(decoded)
}

// joinPath escapes and joins the elements. It refuses elements that could lead to another object.
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
	for _, r := range text {
		if r < '0' || r > '9' {
			return false
		}
	}
	return text != ""
}
