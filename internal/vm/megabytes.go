package vm

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// megabytes is a validator that warns of a number that was probably meant in
// gigabytes. The service may accept it.
type megabytes struct{ least int64 }

var _ validator.Int64 = megabytes{}

func (v megabytes) Description(context.Context) string {
	return fmt.Sprintf("megabytes; a warning below %d", v.least)
}

func (v megabytes) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateInt64 leaves what cannot be a size at all to other validators.
func (v megabytes) ValidateInt64(_ context.Context, req validator.Int64Request, resp *validator.Int64Response) {
	value := req.ConfigValue.ValueInt64()
	if !tfkit.Given(req.ConfigValue) || value < 1 || value >= v.least {
		return
	}
	resp.Diagnostics.AddAttributeWarning(req.Path, "Value may be in gigabytes",
		fmt.Sprintf("%s is in megabytes, and %d is hardly enough for anything. For %d gigabytes use %d, or provider::cloudserver::megabytes(\"%dGiB\").",
			req.Path, value, value, value*1024, value))
}
