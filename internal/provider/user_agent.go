package provider

import (
	"os"
	"strings"
)

// userAgent returns the User-Agent of all requests: the provider's version,
// Terraform's, and what TF_APPEND_USER_AGENT contains, as other providers do.
func userAgent(version, terraform string) string {
	parts := []string{"terraform-provider-cloudserver/" + version, "(Terraform/" + terraform + ")"}
	if extra := headerText(os.Getenv("TF_APPEND_USER_AGENT")); extra != "" {
		parts = append(parts, extra)
	}
	return strings.Join(parts, " ")
}

// headerText returns the text without what a header cannot contain.
func headerText(text string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return -1
		}
		return r
	}, text))
}
