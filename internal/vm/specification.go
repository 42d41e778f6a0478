package vm

import (
	"context"
	"fmt"
	"net/url"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/operation"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// setting is a scalar that vm_create and PUT take under its own name.
type setting struct {
	name  string
	value func(*model) attr.Value
	set   func(*cloudserver.Settings, *model)
}

// settings lists them all. Power has rules of its own: internal/operation.
var settings = []setting{
	{"cores", func(m *model) attr.Value { return m.Cores }, func(s *cloudserver.Settings, m *model) { s.Cores = m.Cores.ValueInt64Pointer() }},
	{"memory", func(m *model) attr.Value { return m.Memory }, func(s *cloudserver.Settings, m *model) { s.Memory = m.Memory.ValueInt64Pointer() }},
	{"hardware_profile", func(m *model) attr.Value { return m.HardwareProfile }, func(s *cloudserver.Settings, m *model) { s.HardwareProfile = m.HardwareProfile.ValueStringPointer() }},
	{"hardware_profile_locked", func(m *model) attr.Value { return m.HardwareProfileLocked }, func(s *cloudserver.Settings, m *model) {
		s.HardwareProfileLocked = m.HardwareProfileLocked.ValueBoolPointer()
	}},
	{"keymap", func(m *model) attr.Value { return m.Keymap }, func(s *cloudserver.Settings, m *model) {
		s.Keymap = &cloudserver.Nullable{Value: m.Keymap.ValueStringPointer()}
	}},
	{"cdrom_url", func(m *model) attr.Value { return m.CDROMURL }, func(s *cloudserver.Settings, m *model) {
		s.CDROMURL = &cloudserver.Nullable{Value: m.CDROMURL.ValueStringPointer()}
	}},
}

// changedSettings returns the settings in which the plan differs from the state.
func (m *model) changedSettings(state *model) cloudserver.Settings {
	var changed cloudserver.Settings
	for _, s := range settings {
		before, wanted := s.value(state), s.value(m)
		switch {
		case s.name == "hardware_profile" && !m.changesProfile(state):
		case s.name == "cdrom_url" && wanted.IsNull() && !before.IsNull(): // ejects the image
			s.set(&changed, m)
		case differs(before, wanted):
			s.set(&changed, m)
		}
	}
	return changed
}

// changesProfile is false where the service has made the wanted upgrade already,
// or would make the upgrade to the present profile again.
func (m *model) changesProfile(state *model) bool {
	return differs(state.HardwareProfile, m.HardwareProfile) && !m.HardwareProfile.Equal(state.EffectiveHardwareProfile) && !m.repeatsUpgrade(state)
}

// repeatsUpgrade reports whether the service would replace the wanted profile, at
// the power cycle that sets it, by the one that the machine has (API.md §8).
func (m *model) repeatsUpgrade(state *model) bool {
	return m.HardwareProfileLocked.Equal(types.BoolValue(false)) && differs(state.HardwareProfile, m.HardwareProfile) &&
		cloudserver.IsProfileUpgrade(m.HardwareProfile.ValueString(), state.EffectiveHardwareProfile.ValueString())
}

// raise notes a number that is raised, which the service may refuse while the machine
// is on, or lowered (API.md §3, changes to a running machine).
func (c *change) raise(name string, before, wanted types.Int64) {
	switch {
	case !differs(before, wanted):
	case wanted.ValueInt64() > before.ValueInt64():
		c.offFor = append(c.offFor, name)
	default:
		c.lowered = append(c.lowered, name)
	}
}

// warnNextPowerCycle names what a running guest does not see yet.
func (u *updatePlan) warnNextPowerCycle(diags *diag.Diagnostics) {
	warn := func(at path.Path, summary string) {
		diags.AddAttributeWarning(at, summary, "The guest sees it after the next power cycle of the machine. This update does not restart the machine.")
	}
	for _, added := range u.change.discs.add {
		warn(path.Root("disc").AtListIndex(added.index).AtName("label"), fmt.Sprintf("Disc %q is added to a machine that is on", added.disc.Label.ValueString()))
	}
	for _, grown := range u.change.discs.grow {
		warn(path.Root("disc").AtListIndex(grown.index).AtName("size"), fmt.Sprintf("Disc %q grows on a machine that is on", grown.disc.Label.ValueString()))
	}
	for _, name := range u.change.lowered {
		warn(path.Root(name), "Lowering "+name+" of "+u.state.title()+" waits for a power cycle")
	}
}

// warnProfile explains why an older profile is not set.
func (u *updatePlan) warnProfile(diags *diag.Diagnostics) {
	if u.plan.repeatsUpgrade(&u.state) {
		diags.AddAttributeWarning(path.Root("hardware_profile"), "The hardware profile of "+u.state.title()+" is only recorded",
			fmt.Sprintf("The machine has the profile %s, to which the service upgrades %s at a restart. Setting the older one would restart the machine and change nothing. "+
				"To go back to it, set hardware_profile_locked = true as well.", u.state.EffectiveHardwareProfile, u.plan.HardwareProfile))
	}
}

// imageURL refuses what is no URL: the service would fail on it (API.md §3).
var imageURL = tfkit.TextOf("a URL of an ISO image", "Invalid URL", func(text string) string {
	at, err := url.Parse(text)
	if text == "" || err == nil && at.Scheme != "" && at.Host != "" { // "" is a matter of NotEmpty
		return ""
	}
	return fmt.Sprintf("%q is not a URL that the service can fetch an image from. Set one with a scheme and a host, such as \"https://example.com/debian.iso\".", text)
})

// configure sends everything that one PUT can change, so that the service
// accepts it as a whole or not at all.
func (u *update) configure(ctx context.Context) error {
	request := cloudserver.VirtualMachineUpdate{Settings: u.plan.changedSettings(&u.state)}
	if request.IsZero() {
		return nil
	}
	return u.machine.Put(ctx, request)
}

// checkDefinitions validates new and changed values against the service's
// definitions (API.md §6). What is already deployed is never questioned, nor is
// a distribution that is only recorded: the service may have withdrawn it.
func (r *vmResource) checkDefinitions(ctx context.Context, state, plan *model, installs bool, diags *diag.Diagnostics) {
	var choices []tfkit.Choice
	add := func(at path.Path, offer tfkit.Offer, before, wanted types.String) {
		if differs(before, wanted) {
			choices = append(choices, tfkit.Choice{At: at, Value: wanted.ValueString(), Offer: offer})
		}
	}
	before, _ := blockOf[reimageModel](state.Reimage)
	if wanted, ok := blockOf[reimageModel](plan.Reimage); ok && installs {
		add(path.Root("reimage").AtName("distribution"), operation.Distribution, before.Distribution, wanted.Distribution)
	}
	add(path.Root("zone_name"), zone, state.ZoneName, plan.ZoneName)
	add(path.Root("keymap"), keymap, state.Keymap, plan.Keymap)
	add(path.Root("hardware_profile"), hardwareProfile, state.HardwareProfile, plan.HardwareProfile)
	deployed := map[string]types.String{}
	for _, disc := range state.discs() {
		deployed[disc.ID.ValueString()] = disc.StorageGrade
	}
	for i, disc := range plan.discs() {
		if _, kept := deployed[disc.ID.ValueString()]; !kept {
			add(path.Root("disc").AtListIndex(i).AtName("storage_grade"), storageGrade, types.StringNull(), disc.StorageGrade)
		}
	}
	r.Data.CheckChoices(ctx, choices, diags)
}

// What the service offers (API.md §6).
var (
	zone            = tfkit.Offer{What: "zone", List: func(d *cloudserver.Definitions) ([]string, map[string]string) { return d.ZoneNames, nil }}
	keymap          = tfkit.Offer{What: "keymap", List: func(d *cloudserver.Definitions) ([]string, map[string]string) { return d.Keymaps, nil }}
	hardwareProfile = tfkit.Offer{What: "hardware profile", Partial: true, List: func(d *cloudserver.Definitions) ([]string, map[string]string) {
		return d.HardwareProfiles, nil
	}}
	storageGrade = tfkit.Offer{What: "storage grade", List: func(d *cloudserver.Definitions) ([]string, map[string]string) {
		return d.StorageGrades, d.StorageGradeDescriptions
	}}
)

// Sizes in megabytes below and above which another unit was probably meant.
const (
	leastMemory, mostMemory = 128, 10 << 20 // 10 TB
	leastDisc, mostDisc     = 100, 100 << 20
)

// warnUnit warns of a number of megabytes that was probably meant in another unit. The
// service may accept it; what cannot be a size at all is left to other validators.
func warnUnit(at path.Path, size types.Int64, least, most int64, diags *diag.Diagnostics) {
	switch value := size.ValueInt64(); {
	case value > 0 && value < least:
		diags.AddAttributeWarning(at, "Value may be in gigabytes",
			fmt.Sprintf("%s is in megabytes, and %d is hardly enough for anything. For %d gigabytes use %d, or provider::cloudserver::megabytes(\"%dGiB\").",
				at, value, value, value*1024, value))
	case value > most:
		diags.AddAttributeWarning(at, "Value may be in kilobytes or bytes",
			fmt.Sprintf("%s is in megabytes, and %d megabytes are %d terabytes. For a number of another unit use, for example, provider::cloudserver::megabytes(\"4GiB\").",
				at, value, value>>20))
	}
}
