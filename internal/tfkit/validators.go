package tfkit

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// Text is a validator for strings, for the rules of the client and those that a regular expression cannot explain well.
type Text struct {
	Accepts string // what is accepted, for documentation
	Summary string // of the error: "Invalid …"
	// Problem returns what is wrong with a known string, or "".
	Problem func(at path.Path, text string) string
}

var _ validator.String = Text{}

// TextOf returns a validator whose problem does not depend on the attribute's path.
func TextOf(accepts, summary string, problem func(text string) string) Text {
	return Text{accepts, summary, func(_ path.Path, text string) string { return problem(text) }}
}

// Description returns what is accepted.
func (v Text) Description(context.Context) string { return v.Accepts }

// MarkdownDescription returns what is accepted.
func (v Text) MarkdownDescription(context.Context) string { return v.Accepts }

// ValidateString reports the problem.
func (v Text) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if !Given(req.ConfigValue) {
		return
	}
	if problem := v.Problem(req.Path, req.ConfigValue.ValueString()); problem != "" {
		resp.Diagnostics.AddAttributeError(req.Path, v.Summary, problem)
	}
}

// NotEmpty refuses an empty string, which may come from a variable: the service would refuse it, or take it for
// something else.
var NotEmpty = Text{
	Accepts: "any text but an empty one", Summary: "Invalid empty value",
	Problem: func(at path.Path, text string) string {
		if text != "" {
			return ""
		}
		return fmt.Sprintf("%s is an empty string. Set a value, or, if the argument is optional, remove it or set it to null.", at)
	},
}

// Filled is NotEmpty for a required argument.
var Filled = Text{
	Accepts: "any text but an empty one", Summary: "Invalid empty value",
	Problem: func(at path.Path, text string) string {
		if text != "" {
			return ""
		}
		return fmt.Sprintf("%s is an empty string. Set a value.", at)
	},
}

// OneOf refuses any text but the given ones.
func OneOf(values ...string) Text {
	accepts := "one of " + Quoted(values)
	return Text{
		Accepts: accepts, Summary: "Invalid value",
		Problem: func(at path.Path, text string) string {
			if slices.Contains(values, text) {
				return ""
			}
			return fmt.Sprintf("%s is %q. %s", at, text, suggest(text, values, nil, "It must be one of", ""))
		},
	}
}

// OneLine refuses a secret with a line break, such as one at the end of a file: nobody can type it. The message does
// not repeat the secret.
var OneLine = Text{
	Accepts: "one line", Summary: "Invalid secret",
	Problem: func(at path.Path, text string) string {
		if !strings.ContainsAny(text, "\r\n") {
			return ""
		}
		return fmt.Sprintf("%s contains a line break, as the contents of a file do. To remove it, use trimspace().", at)
	},
}

// mockedID matches the IDs that terraform test makes up for mocked resources.
var mockedID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-z]{8}$`) })

// NumericID refuses anything but a numeric ID. hint ends the message: another way to name the object, or "".
func NumericID(hint string) validator.String {
	return Text{
		Accepts: "a numeric ID", Summary: "Invalid ID",
		Problem: func(at path.Path, text string) string {
			if cloudserver.IsDigits(text) && text[0] != '0' && len(text) <= 18 {
				return ""
			}
			hint := hint
			if trimmed := strings.TrimSpace(text); trimmed != text && cloudserver.IsDigits(trimmed) {
				return fmt.Sprintf("%s is %q, which has leading or trailing whitespace. Use %q.", at, text, trimmed)
			}
			if mockedID().MatchString(text) && strings.ContainsAny(text, "0123456789") {
				hint += "; to mock a resource, set a numeric id in the defaults of its mock_resource or mock_data"
			}
			return fmt.Sprintf("%s is %q. It must be a numeric ID, such as 1234%s.", at, text, hint)
		},
	}
}

// PathName refuses a name that cannot be part of a request's path, such as ".." or one with a slash.
var PathName = Text{
	Accepts: "a name without / and \\, which is neither . nor ..", Summary: "Invalid name",
	Problem: func(at path.Path, name string) string {
		err := cloudserver.CheckName(name)
		if err == nil || name == "" { // NotEmpty reports it
			return ""
		}
		if strings.ContainsAny(name, "\r\n") {
			return fmt.Sprintf("%s contains a line break, as the contents of a file do. To remove it, use trimspace().", at)
		}
		problem := fmt.Sprintf("%s %s, because it becomes part of the path of a request.", at, err)
		account, group, two := strings.Cut(name, "/")
		switch {
		case two && at.Equal(path.Root("group")):
			problem += fmt.Sprintf(" To name the account as well, set account = %q and group = %q.", account, group)
		case strings.HasPrefix(name, "/dev/"):
			problem += fmt.Sprintf(" Did you mean %q?", strings.TrimPrefix(name, "/dev/"))
		}
		return problem
	},
}

// Number is a validator for numbers within limits.
type Number struct {
	Least, Most int64  // Most: 0 means no limit
	Means       string // what the number is, such as "the size in megabytes"
}

var _ validator.Int64 = Number{}

// Description returns the limits.
func (v Number) Description(context.Context) string {
	if v.Most == 0 {
		return fmt.Sprintf("must be at least %d", v.Least)
	}
	return fmt.Sprintf("must be from %d to %d", v.Least, v.Most)
}

// MarkdownDescription returns the limits.
func (v Number) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateInt64 refuses a number outside the limits.
func (v Number) ValidateInt64(ctx context.Context, req validator.Int64Request, resp *validator.Int64Response) {
	value := req.ConfigValue.ValueInt64()
	if !Given(req.ConfigValue) || value >= v.Least && (v.Most == 0 || value <= v.Most) {
		return
	}
	resp.Diagnostics.AddAttributeError(req.Path, "Invalid number",
		fmt.Sprintf("%s is %d. It is %s, and %s.", req.Path, value, v.Means, v.Description(ctx)))
}
