package vm

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

var _ tfkit.ArgumentChooser = (*vmResource)(nil)

// ChooseArguments chooses the arguments that a replacement needs, and those that describe the machine. Right after an
// import, switches of the provider have their defaults, so they are left out.
func (r *vmResource) ChooseArguments(ctx context.Context, state tfsdk.State) []string {
	paths := []string{
		"name", "account", "group", "zone_name",
		"disc", "disc.label", "disc.size", "disc.storage_grade", "reimage", "reimage.distribution",
	}
	var m model
	m.get(ctx, state.Raw)
	for name, written := range map[string]bool{
		"group_id":      m.Group.IsNull(),
		"power_on":      !m.PowerOn.ValueBool() && !m.aboutToStart(),
		"autoreboot_on": m.PowerOn.ValueBool() && !m.AutorebootOn.ValueBool(),
	} {
		if written {
			paths = append(paths, name)
		}
	}
	for _, s := range settings {
		if value := s.value(&m.common); !value.Equal(types.StringValue("")) && !value.Equal(types.BoolValue(false)) {
			paths = append(paths, s.name)
		}
	}
	return paths
}
