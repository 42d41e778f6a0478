package rdns

import (
	"context"
	"fmt"
	"net/netip"
	"regexp"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

const (
	longestName  = 253 // characters of a name, without the dot at its end
	longestLabel = 63
)

var labelShape = regexp.MustCompile(`^[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?$`)

// hostname is a validator of a DNS name. Whether the service accepts the name is
// up to the service.
type hostname struct{}

var _ validator.String = hostname{}

// Description returns what is accepted.
func (hostname) Description(context.Context) string {
	return "must be a DNS name, such as www.example.com"
}

// MarkdownDescription returns what is accepted.
func (h hostname) MarkdownDescription(ctx context.Context) string { return h.Description(ctx) }

// ValidateString refuses text that cannot be a DNS name.
func (hostname) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if !tfkit.Given(req.ConfigValue) {
		return
	}
	if problem := nameProblem(req.ConfigValue.ValueString()); problem != "" {
		resp.Diagnostics.AddAttributeError(req.Path, "Invalid hostname",
			fmt.Sprintf("%q is not a DNS name: %s. Set a fully qualified name, such as www.example.com.", req.ConfigValue.ValueString(), problem))
	}
}

// nameProblem returns why text cannot be a DNS name, or "".
func nameProblem(text string) string {
	name := strings.TrimSuffix(text, ".")
	_, notAddress := netip.ParseAddr(name)
	switch {
	case notAddress == nil:
		return "it is an IP address"
	case name == "":
		return "it is empty"
	case len(name) > longestName:
		return fmt.Sprintf("it has %d characters, but at most %d are allowed", len(name), longestName)
	case strings.ContainsFunc(name, func(r rune) bool { return r > 127 }):
		return "it has letters outside ASCII; write it in its ASCII form, which begins with xn--"
	}
	for label := range strings.SplitSeq(name, ".") {
		switch {
		case label == "":
			return "it has an empty part between dots"
		case len(label) > longestLabel:
			return fmt.Sprintf("the part %q has %d characters, but at most %d are allowed", label, len(label), longestLabel)
		case !labelShape.MatchString(label):
			return fmt.Sprintf("the part %q may only have letters, digits and hyphens, and no hyphen at its start or end", label)
		}
	}
	return ""
}

// sameName compares names as DNS does.
func sameName(a, b string) bool {
	return strings.EqualFold(strings.TrimSuffix(a, "."), strings.TrimSuffix(b, "."))
}
