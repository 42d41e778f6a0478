package rdns

import (
	"context"
	"fmt"
	"net/netip"
	"regexp"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

func (r *rdnsResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Manages the reverse DNS name of an IP address. " +
			"Destroying it restores the service's own name, unless somebody else has set another name since: " +
			"that one stays, with a warning.",
		Attributes: map[string]schema.Attribute{
			"address": schema.StringAttribute{
				MarkdownDescription: "IPv4 or IPv6 address, such as `cloudserver_vm.web.ipv4_address`. " +
					"Changing it replaces the resource; another spelling of the same address is no change.",
				Required:   true,
				Validators: []validator.String{tfkit.IPAddress(tfkit.AnyIP)},
				PlanModifiers: []planmodifier.String{
					tfkit.KeepSpelling{Same: tfkit.SameAddress}, stringplanmodifier.RequiresReplace(),
				},
			},
			"hostname": schema.StringAttribute{
				MarkdownDescription: "Fully qualified name. Case and a trailing dot are ignored.",
				Required:            true,
				Validators:          []validator.String{hostname},
				PlanModifiers:       []planmodifier.String{tfkit.KeepSpelling{Same: sameName}},
			},
		},
	}
}

// longestName is the maximum length in characters, without the final dot.
const longestName = 253

var nameShape = sync.OnceValue(func() *regexp.Regexp {
	const label = `[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?`
	return regexp.MustCompile(`^` + label + `(\.` + label + `)*$`)
})

const hostnameRule = "a DNS name such as www.example.com: parts of 1 to 63 letters, digits and hyphens between dots, none with a hyphen at its start or end; " +
	"other letters in their ASCII form, which begins with xn--"

// hostname refuses text that cannot be a DNS name. Whether it accepts a name is otherwise up to the service.
var hostname = tfkit.TextOf(hostnameRule, "Invalid hostname", func(text string) string {
	if text == "" {
		return "hostname is an empty string. Set a name. To restore the service's own name, remove this resource."
	}
	name := strings.TrimSuffix(text, ".")
	if _, err := netip.ParseAddr(name); err != nil && len(name) <= longestName && nameShape().MatchString(name) {
		return ""
	}
	return fmt.Sprintf("%q is not %s.", text, hostnameRule)
})

// sameName compares names as DNS does.
func sameName(a, b string) bool {
	return strings.EqualFold(strings.TrimSuffix(a, "."), strings.TrimSuffix(b, "."))
}
