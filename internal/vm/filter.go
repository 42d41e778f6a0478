package vm

import (
	"context"
	"fmt"
	"path"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// filter chooses machines. The list resource and the data source of many
// machines embed it, so that both mean the same by the same words. What is null
// chooses nothing out.
type filter struct {
	NamePattern     types.String `tfsdk:"name_pattern"`
	PowerOn         types.Bool   `tfsdk:"power_on"`
	ZoneName        types.String `tfsdk:"zone_name"`
	HardwareProfile types.String `tfsdk:"hardware_profile"`
}

// The filter's attributes as users read of them.
const (
	namePatternDescription    = "Only machines whose whole name fits the pattern: `*` stands for any characters, `?` for one, `[a-c]` for one of a range. Upper and lower case differ."
	powerOnFilterDescription  = "Only machines that are on (`true`) or off (`false`)."
	zoneNameFilterDescription = "Only machines in this zone."
	profileFilterDescription  = "Only machines with this hardware profile, as it is in force now."
)

// matches says whether the machine is chosen. One that the service tells no
// value of is not, where that value is asked for.
func (f filter) matches(vm cloudserver.VirtualMachine) bool {
	return f.matchesName(vm.Name) &&
		(f.PowerOn.IsNull() || vm.PowerOn != nil && *vm.PowerOn == f.PowerOn.ValueBool()) &&
		matchesText(f.ZoneName, vm.ZoneName) &&
		matchesText(f.HardwareProfile, vm.HardwareProfile)
}

func (f filter) matchesName(name string) bool {
	if f.NamePattern.IsNull() {
		return true
	}
	fits, err := path.Match(f.NamePattern.ValueString(), name)
	return err == nil && fits // namePattern has refused a pattern that is none
}

func matchesText(wanted types.String, told *string) bool {
	return wanted.IsNull() || told != nil && *told == wanted.ValueString()
}

// namePattern accepts what name_pattern can mean.
type namePattern struct{}

var _ validator.String = namePattern{}

func (namePattern) Description(context.Context) string {
	return "a pattern such as web*, with *, ? and [a-c]"
}

func (v namePattern) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (v namePattern) ValidateString(ctx context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if !tfkit.Given(req.ConfigValue) {
		return
	}
	if _, err := path.Match(req.ConfigValue.ValueString(), ""); err != nil {
		resp.Diagnostics.AddAttributeError(req.Path, "Not a pattern for names",
			fmt.Sprintf("%q cannot be read: a [ without its ], or a \\ at the end. Give %s.", req.ConfigValue.ValueString(), v.Description(ctx)))
	}
}
