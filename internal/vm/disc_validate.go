package vm

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
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
