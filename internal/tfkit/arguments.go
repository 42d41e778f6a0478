package tfkit

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
)

// Arguments is a rule on which of some arguments may be configured together.
type Arguments struct {
	names []string
	text  string
	// problem returns what is wrong, and at which argument ("" for none). set are the arguments with a known value,
	// and null those without one.
	problem func(set, null []string) (at, summary, detail string)
}

var (
	_ datasource.ConfigValidator = Arguments{}
	_ ephemeral.ConfigValidator  = Arguments{}
)

// ExactlyOne requires one of the arguments, and refuses two.
func ExactlyOne(names ...string) Arguments {
	return Arguments{names, "exactly one of " + strings.Join(names, " and "), func(set, null []string) (at, summary, detail string) {
		if len(null) == len(names) {
			return "", "Missing " + strings.Join(names, " or "), "Set " + strings.Join(names, " or ") + "."
		}
		return conflict(set)
	}}
}

// NotTogether refuses two of the arguments.
func NotTogether(names ...string) Arguments {
	return Arguments{names, "not both " + strings.Join(names, " and "), func(set, _ []string) (at, summary, detail string) { return conflict(set) }}
}

// Together requires all of the arguments, or none.
func Together(names ...string) Arguments {
	return Arguments{names, strings.Join(names, " and ") + ", or neither", func(set, null []string) (at, summary, detail string) {
		if len(set) == 0 || len(null) == 0 {
			return "", "", ""
		}
		return null[0], "Missing " + null[0], fmt.Sprintf("%s is set, and %s is not. Set both, or neither.", set[0], null[0])
	}}
}

func conflict(set []string) (at, summary, detail string) {
	if len(set) < 2 {
		return "", "", ""
	}
	return set[0], "Conflicting arguments", fmt.Sprintf("Both %s and %s are set. Remove one of them.", set[0], set[1])
}

// Description returns what is accepted.
func (a Arguments) Description(context.Context) string { return a.text }

// MarkdownDescription returns what is accepted.
func (a Arguments) MarkdownDescription(context.Context) string { return a.text }

// ValidateDataSource implements datasource.ConfigValidator.
func (a Arguments) ValidateDataSource(
	ctx context.Context, req datasource.ValidateConfigRequest, resp *datasource.ValidateConfigResponse,
) {
	a.validate(ctx, req.Config, &resp.Diagnostics)
}

// ValidateEphemeralResource implements ephemeral.ConfigValidator.
func (a Arguments) ValidateEphemeralResource(
	ctx context.Context, req ephemeral.ValidateConfigRequest, resp *ephemeral.ValidateConfigResponse,
) {
	a.validate(ctx, req.Config, &resp.Diagnostics)
}

func (a Arguments) validate(ctx context.Context, config tfsdk.Config, diags *diag.Diagnostics) {
	var set, null []string
	for _, name := range a.names {
		var value attr.Value
		diags.Append(config.GetAttribute(ctx, path.Root(name), &value)...)
		switch {
		case value == nil || value.IsUnknown():
		case value.IsNull():
			null = append(null, name)
		default:
			set = append(set, name)
		}
	}
	switch at, summary, detail := a.problem(set, null); {
	case summary == "":
	case at == "":
		diags.AddError(summary, detail)
	default:
		diags.AddAttributeError(path.Root(at), summary, detail)
	}
}
