package vm

import (
	"fmt"
	"path"
	"strings"

	attribute "github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// filter selects machines. The list resource and the data source
// cloudserver_vms embed it. A null attribute selects every machine.
type filter struct {
	NamePattern     types.String `tfsdk:"name_pattern"`
	PowerOn         types.Bool   `tfsdk:"power_on"`
	ZoneName        types.String `tfsdk:"zone_name"`
	HardwareProfile types.String `tfsdk:"hardware_profile"`
}

const (
	namePatternDescription    = "Only machines whose whole name matches the pattern: `*` matches any characters, `?` one, `[a-c]` one of a range, `[!a-c]` one that is not. Upper and lower case differ."
	powerOnFilterDescription  = "Only machines that are on (`true`) or off (`false`)."
	zoneNameFilterDescription = "Only machines in this zone."
	profileFilterDescription  = "Only machines with this hardware profile in use."
)

// matches reports whether the machine is selected. A machine for which the
// service does not report a value does not match a filter on that value.
func (f filter) matches(vm cloudserver.VirtualMachine) bool {
	return (f.NamePattern.IsNull() || matchesPattern(f.NamePattern.ValueString(), vm.Name)) &&
		(f.PowerOn.IsNull() || vm.PowerOn != nil && *vm.PowerOn == f.PowerOn.ValueBool()) &&
		matchesText(f.ZoneName, vm.ZoneName) &&
		matchesText(f.HardwareProfile, vm.HardwareProfile)
}

// matchesPattern reports whether the whole name matches. No name has a slash, which
// path.Match treats as a separator.
func matchesPattern(pattern, name string) bool {
	fits, err := path.Match(goPattern(pattern), name)
	return err == nil && fits
}

// negations replaces the beginnings of ranges as a shell negates them, and keeps
// what a backslash escapes.
var negations = strings.NewReplacer(`\\`, `\\`, `\[`, `\[`, "[!", "[^")

// goPattern returns the pattern as path.Match reads it, which negates with ^.
func goPattern(pattern string) string { return negations.Replace(pattern) }

func matchesText(wanted types.String, reported *string) bool {
	return wanted.IsNull() || reported != nil && *reported == wanted.ValueString()
}

// namePattern refuses what is not a pattern.
var namePattern = tfkit.Text{
	Accepts: "a pattern such as web*, with *, ? and [a-c]", Summary: "Invalid name pattern",
	Problem: func(_ attribute.Path, text string) string {
		if _, err := path.Match(goPattern(text), ""); err != nil {
			return fmt.Sprintf("%q has a [ without its ], or a \\ at the end. It must be a pattern such as web*, with *, ? and [a-c].", text)
		}
		return ""
	},
}
