package vm

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

var _ tfkit.ArgumentChooser = (*vmResource)(nil)

// ChooseArguments chooses the arguments that a replacement needs, and those that describe the machine.
func (r *vmResource) ChooseArguments(ctx context.Context, state tfsdk.State) []string {
	paths := []string{
		"name", "account", "group", "zone_name",
		"disc", "disc.label", "disc.size", "disc.storage_grade", "reimage", "reimage.distribution",
	}
	var m model
	state.Get(ctx, &m)
	if !m.PowerOn.ValueBool() && !m.aboutToStart() {
		paths = append(paths, "power_on")
	}
	if m.PowerOn.ValueBool() && !m.AutorebootOn.ValueBool() {
		paths = append(paths, "autoreboot_on")
	}
	for _, s := range settings {
		if value := s.value(&m.common); !value.Equal(types.StringValue("")) && !value.Equal(types.BoolValue(false)) {
			paths = append(paths, s.name)
		}
	}
	return paths
}
