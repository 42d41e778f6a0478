package vm

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// uniqueLabels refuses two discs with one label: the label is a disc's key.
type uniqueLabels struct{}

func (uniqueLabels) Description(context.Context) string { return "labels must be unique" }

func (v uniqueLabels) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (uniqueLabels) ValidateList(ctx context.Context, req validator.ListRequest, resp *validator.ListResponse) {
	discs, ok := discsFrom(req.ConfigValue, &resp.Diagnostics)
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
			resp.Diagnostics.AddAttributeError(req.Path.AtListIndex(i).AtName("label"), "Duplicate disc label",
				fmt.Sprintf("Discs %d and %d are both labelled %q. The label identifies a disc: give each disc its own.", first+1, i+1, label))
			continue
		}
		for other, at := range seen {
			if strings.EqualFold(other, label) {
				resp.Diagnostics.AddAttributeWarning(req.Path.AtListIndex(i).AtName("label"), "Disc labels that differ by case only",
					fmt.Sprintf("Discs %d and %d are labelled %q and %q. The service may take them for the same label and refuse one of them.", at+1, i+1, other, label))
			}
		}
		seen[label] = i
	}
}

// discSize refuses what cannot be a size.
type discSize struct{}

func (discSize) Description(context.Context) string { return "must be a positive number of megabytes" }

func (v discSize) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (discSize) ValidateInt64(_ context.Context, req validator.Int64Request, resp *validator.Int64Response) {
	if tfkit.Given(req.ConfigValue) && req.ConfigValue.ValueInt64() <= 0 {
		resp.Diagnostics.AddAttributeError(req.Path, "Invalid disc size",
			fmt.Sprintf("%s is %d. It must be a positive number of megabytes, such as 25600 for 25 GiB.", req.Path, req.ConfigValue.ValueInt64()))
	}
}
