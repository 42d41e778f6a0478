package location

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// namePattern refuses anything but a pattern.
var namePattern = tfkit.Text{
	Accepts: "a pattern such as web*, with *, ? and [a-c]", Summary: "Invalid name pattern",
	Problem: func(_ path.Path, text string) string {
		if _, err := MatchesPattern(text, ""); err != nil {
			return fmt.Sprintf("%q has a [ without its ], or a \\ at the end. It must be a pattern such as web*, with *, ? and [a-c].", text)
		}
		return ""
	},
}

// matchable warns of a pattern that cannot match any name, such as a regular expression.
type matchable struct{}

// Description returns what is accepted.
func (matchable) Description(context.Context) string { return "no regular expression" }

// MarkdownDescription returns what is accepted.
func (m matchable) MarkdownDescription(ctx context.Context) string { return m.Description(ctx) }

// inBrackets matches ranges of a pattern and escaped characters.
var inBrackets = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\[[^\]]*\]|\\.`) })

// ValidateString warns of characters that no name contains: names of machines become parts of hostnames.
func (matchable) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if problem := Unmatchable(req.Path.String(), req.ConfigValue.ValueString()); problem != "" {
		resp.Diagnostics.AddAttributeWarning(req.Path, "The pattern matches no name", problem)
	}
}

// Unmatchable explains why a pattern matches no name, as a regular expression does not, or returns "". argument is what
// the pattern was given for.
func Unmatchable(argument, pattern string) string {
	text := inBrackets().ReplaceAllString(pattern, "")
	for _, part := range []string{"^", "$", "|", "(", ")", "+", ".*"} {
		if strings.Contains(text, part) {
			return fmt.Sprintf("%s is %q, and no name contains %s. It is a pattern for the whole name with *, ? "+
				"and [a-c], and no regular expression: web* matches every name that begins with web.", argument, pattern, part)
		}
	}
	return ""
}
