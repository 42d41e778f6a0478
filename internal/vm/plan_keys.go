package vm

import (
	"context"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"golang.org/x/crypto/ssh"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// sameKeys keeps the state's text for the same keys. Semantic equality of a
// custom type would not do: it does not run at plan.
type sameKeys struct{}

var _ planmodifier.String = sameKeys{}

func (sameKeys) Description(context.Context) string {
	return "comments and whitespace are not compared"
}

func (m sameKeys) MarkdownDescription(ctx context.Context) string { return m.Description(ctx) }

func (sameKeys) PlanModifyString(_ context.Context, req planmodifier.StringRequest, resp *planmodifier.StringResponse) {
	if tfkit.Given(req.PlanValue) && tfkit.Given(req.StateValue) &&
		slices.Equal(authorizedKeys(req.PlanValue.ValueString()), authorizedKeys(req.StateValue.ValueString())) {
		resp.PlanValue = req.StateValue
	}
}

// authorizedKeys returns the keys of an authorized_keys text, one per line with
// its options, without comments.
func authorizedKeys(text string) []string {
	var keys []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		key, _, options, _, err := ssh.ParseAuthorizedKey([]byte(line))
		if err != nil { // no key that this library knows: compared as it stands
			keys = append(keys, line)
			continue
		}
		keys = append(keys, strings.Join(options, ",")+" "+string(ssh.MarshalAuthorizedKey(key)))
	}
	return keys
}
