package location

import (
	"cmp"
	"context"
	"slices"

	source "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// FilterArguments returns the arguments of a data source that select machines.
func FilterArguments() map[string]source.Attribute {
	text := func(description string, computed bool, validators ...validator.String) source.Attribute {
		return source.StringAttribute{
			MarkdownDescription: description, Optional: true, Computed: computed, Validators: validators,
		}
	}
	return map[string]source.Attribute{
		"account": text("Default: the provider's `account`.", true, tfkit.NotEmpty, tfkit.PathName),
		"group":   text("Default: all groups of the account; the provider's `group` is not used.", false, tfkit.NotEmpty, tfkit.PathName),
		"name_pattern": text("Pattern of the whole name: `*` is any characters, `?` one, `[a-c]` one of a range, `[!a-c]` one that is not.",
			false, tfkit.NotEmpty, namePattern, matchable{}),
		"power_on":         source.BoolAttribute{MarkdownDescription: "Only machines that are on, or off.", Optional: true},
		"zone_name":        text("Only machines in this zone.", false, tfkit.NotEmpty),
		"hardware_profile": text("Only machines with this profile in use.", false, tfkit.NotEmpty),
	}
}

// FilterSchema returns the schema of a list resource that has the same arguments.
func FilterSchema(description string) schema.Schema {
	attributes := map[string]schema.Attribute{}
	for name, argument := range FilterArguments() {
		switch a := argument.(type) {
		case source.StringAttribute:
			attributes[name] = schema.StringAttribute{
				MarkdownDescription: a.MarkdownDescription, Optional: true, Validators: a.Validators,
			}
		case source.BoolAttribute:
			attributes[name] = schema.BoolAttribute{MarkdownDescription: a.MarkdownDescription, Optional: true}
		}
	}
	return schema.Schema{MarkdownDescription: description, Attributes: attributes}
}

// FindListed reads the machines that a list block selects, sorted by group and name. All blocks of a query share one
// overview of an account. what completes "Cannot list …". FindListed also returns the name of the account.
func FindListed(
	ctx context.Context, from Source, req list.ListRequest, what string, diags *diag.Diagnostics,
) (machines []Machine, account types.String) {
	var wanted Filter
	diags.Append(req.Config.Get(ctx, &wanted)...)
	if diags.HasError() || !from.RequireReady("list "+what, diags) {
		return nil, account
	}
	machines = wanted.FindShared(ctx, from, diags)
	slices.SortFunc(machines, func(a, b Machine) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Name, b.Name))
	})
	return machines, wanted.Account
}
