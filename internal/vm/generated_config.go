package vm

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

var _ tfkit.ArgumentChooser = (*vmResource)(nil)

// ChooseArguments chooses what a replacement needs and what describes the machine.
// The switches have their defaults in every state that was just imported.
func (r *vmResource) ChooseArguments(ctx context.Context, state tfsdk.State) []string {
	paths := []string{
		"name", "account", "group", "cores", "memory", "hardware_profile", "zone_name", "cdrom_url",
		"disc", "disc.label", "disc.size", "disc.storage_grade", "reimage", "reimage.distribution",
	}
	var m model
	m.get(ctx, state.Raw)
	for name, written := range map[string]bool{
		"group_id":                m.Group.IsNull(),
		"hardware_profile_locked": m.HardwareProfileLocked.ValueBool(),
		"keymap":                  m.Keymap.ValueString() != "",
		"power_on":                !m.PowerOn.ValueBool() && !m.aboutToStart(),
		"autoreboot_on":           m.PowerOn.ValueBool() && !m.AutorebootOn.ValueBool(),
	} {
		if written {
			paths = append(paths, name)
		}
	}
	return paths
}
