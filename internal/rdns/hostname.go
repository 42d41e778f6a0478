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

// longestName is in characters, without the dot at its end.
const longestName = 253

var nameShape = func() *regexp.Regexp {
	const label = `[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?`
	return regexp.MustCompile(`^` + label + `(\.` + label + `)*$`)
}()

// hostname is a validator of a DNS name. Whether the service accepts the name is
// up to the service.
type hostname struct{}

// Description returns what is accepted.
func (hostname) Description(context.Context) string {
	return "a DNS name such as www.example.com: parts of 1 to 63 letters, digits and hyphens between dots, none with a hyphen at its start or end; " +
		"other letters in their ASCII form, which begins with xn--"
}

// MarkdownDescription returns what is accepted.
func (h hostname) MarkdownDescription(ctx context.Context) string { return h.Description(ctx) }

// ValidateString refuses text that cannot be a DNS name.
func (h hostname) ValidateString(ctx context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	name := strings.TrimSuffix(req.ConfigValue.ValueString(), ".")
	_, notAddress := netip.ParseAddr(name)
	if tfkit.Given(req.ConfigValue) && (notAddress == nil || len(name) > longestName || !nameShape.MatchString(name)) {
		resp.Diagnostics.AddAttributeError(req.Path, "Invalid hostname",
			fmt.Sprintf("%q is not %s.", req.ConfigValue.ValueString(), h.Description(ctx)))
	}
}

// sameName compares names as DNS does.
func sameName(a, b string) bool {
	return strings.EqualFold(strings.TrimSuffix(a, "."), strings.TrimSuffix(b, "."))
}
