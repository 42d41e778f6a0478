package vm

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// uniqueLabels refuses two discs with one label: the label is a disc's key.
type uniqueLabels struct{}

func (uniqueLabels) Description(context.Context) string { return "every disc has a label of its own" }

func (v uniqueLabels) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (uniqueLabels) ValidateList(ctx context.Context, req validator.ListRequest, resp *validator.ListResponse) {
	discs, ok := discsFrom(ctx, req.ConfigValue, &resp.Diagnostics)
	if !ok {
		return
	}
	seen := map[string]int{}
	for i, disc := range discs {
		label := disc.Label.ValueString()
		if label == "" {
			continue
		}
		if first, twice := seen[label]; twice {
			resp.Diagnostics.AddAttributeError(req.Path.AtListIndex(i).AtName("label"), "Two discs have the same label",
				fmt.Sprintf("Discs %d and %d are both labelled %q. The label identifies a disc, so give each its own.", first+1, i+1, label))
			continue
		}
		seen[label] = i
	}
}

// discCount keeps the service's limit (api.md §4).
type discCount struct{}

func (discCount) Description(context.Context) string {
	return fmt.Sprintf("at most %d discs", maxDiscs)
}

func (v discCount) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (discCount) ValidateList(_ context.Context, req validator.ListRequest, resp *validator.ListResponse) {
	if n := len(req.ConfigValue.Elements()); n > maxDiscs {
		resp.Diagnostics.AddAttributeError(req.Path, "Too many discs",
			fmt.Sprintf("A machine has at most %d discs, and here are %d. Make them fewer and larger, or put some on another machine.", maxDiscs, n))
	}
}

// discSize refuses what is no size.
type discSize struct{}

func (discSize) Description(context.Context) string { return "a size in megabytes, above zero" }

func (v discSize) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (discSize) ValidateInt64(_ context.Context, req validator.Int64Request, resp *validator.Int64Response) {
	if tfkit.Given(req.ConfigValue) && req.ConfigValue.ValueInt64() <= 0 {
		resp.Diagnostics.AddAttributeError(req.Path, "Not a size",
			fmt.Sprintf("%s is %d. Give a number of megabytes above zero, such as 25600 for 25 GiB.", req.Path, req.ConfigValue.ValueInt64()))
	}
}
