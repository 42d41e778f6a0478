package vm

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/location"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/operation"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// changedSettings returns the settings in which the plan differs from the state.
func (m *model) changedSettings(state *model) cloudserver.Settings {
	var changed cloudserver.Settings
	for _, s := range settings {
		before, wanted := s.value(&state.machine), s.value(&m.machine)
		switch {
		case s.name == "hardware_profile" && !m.changesProfile(state):
		case s.name == "cdrom_url" && wanted.IsNull() && !before.IsNull(): // ejects the image
			s.send(&changed, &m.machine)
		case differs(before, wanted):
			s.send(&changed, &m.machine)
		}
	}
	return changed
}

// changesProfile returns false if the service has already made the wanted upgrade, or would upgrade to the current
// profile again.
func (m *model) changesProfile(state *model) bool {
	return differs(state.HardwareProfile, m.HardwareProfile) &&
		!m.HardwareProfile.Equal(state.EffectiveHardwareProfile) &&
		!m.repeatsUpgrade(state)
}

// repeatsUpgrade reports whether the service would replace the wanted profile by the current one at the very power
// cycle that sets it (API.md §8).
func (m *model) repeatsUpgrade(state *model) bool {
	return m.HardwareProfileLocked.Equal(types.BoolValue(false)) && differs(state.HardwareProfile, m.HardwareProfile) &&
		cloudserver.IsProfileUpgrade(m.HardwareProfile.ValueString(), state.EffectiveHardwareProfile.ValueString())
}

// raise records whether a number is raised, which the service may refuse while the machine is on, or lowered (API.md
// §3, changes to a running machine).
func (c *change) raise(name string, before, wanted types.Int64) {
	switch {
	case !differs(before, wanted):
	case wanted.ValueInt64() > before.ValueInt64():
		c.offFor = append(c.offFor, name)
	default:
		c.lowered = append(c.lowered, name)
	}
}

// warnNextPowerCycle warns of changes that a running guest does not see yet.
func (u *updatePlan) warnNextPowerCycle(diags *diag.Diagnostics) {
	var at []path.Path
	var waiting []string
	wait := func(what string, attribute path.Path) { at, waiting = append(at, attribute), append(waiting, what) }
	for _, added := range u.change.discs.add {
		wait(fmt.Sprintf("disc %q is added", added.disc.Label.ValueString()), path.Root("disc").AtListIndex(added.index).AtName("label"))
	}
	for _, grown := range u.change.discs.grow {
		wait(fmt.Sprintf("disc %q grows", grown.disc.Label.ValueString()), path.Root("disc").AtListIndex(grown.index).AtName("size"))
	}
	for _, name := range u.change.lowered {
		wait(name+" is lowered", path.Root(name))
	}
	if len(waiting) > 0 {
		diags.AddAttributeWarning(at[0], "The guest sees the change after the next power cycle",
			fmt.Sprintf("The %s is on, and this update does not restart it: %s. Restart it %s.",
				u.state.title(), strings.Join(waiting, ", "), u.data.WithAction("vm_power", "virtual_machine_id="+u.state.ID.ValueString(), "state=restart")))
	}
}

// warnProfile explains why an older profile is not set.
func (u *updatePlan) warnProfile(diags *diag.Diagnostics) {
	if u.plan.repeatsUpgrade(&u.state) {
		diags.AddAttributeWarning(path.Root("hardware_profile"), "The hardware profile is only recorded",
			fmt.Sprintf("The %s has the profile %s, to which the service upgrades %s at a restart. Setting the older one would restart the machine and change nothing. "+
				"To go back to it, set hardware_profile_locked = true as well.", u.state.title(), u.state.EffectiveHardwareProfile, u.plan.HardwareProfile))
	}
}

// imageURL refuses text that is not a URL, with which the service would fail (API.md §3).
var imageURL = tfkit.TextOf("a URL of an ISO image", "Invalid URL", func(text string) string {
	at, err := url.Parse(text)
	if text == "" || err == nil && at.Scheme != "" && at.Host != "" { // NotEmpty reports ""
		return ""
	}
	return fmt.Sprintf("%q is not a URL that the service can fetch an image from. "+
		"Set one with a scheme and a host, such as \"https://example.com/debian.iso\".", text)
})

// configure sends everything that can be changed in one PUT, so that the service accepts it as a whole or not at all.
func (u *update) configure(ctx context.Context) error {
	request := cloudserver.VirtualMachineUpdate{Settings: u.plan.changedSettings(&u.state)}
	if request.IsZero() {
		return nil
	}
	return u.machine.Put(ctx, request)
}

// choices returns the check whether new and changed values are among the service's definitions (API.md §6). Deployed
// values are not checked again, nor is a distribution that is only recorded, because the service may have withdrawn it.
func (r *vmResource) choices(state, plan *model, installs bool) tfkit.PlanQuestion {
	var choices []tfkit.Choice
	add := func(at path.Path, offer tfkit.Offer, before, wanted attr.Value) {
		if text, ok := wanted.(types.String); ok && differs(before, wanted) {
			choices = append(choices, tfkit.Choice{At: at, Value: text.ValueString(), Offer: offer})
		}
	}
	before, _ := blockOf[reimageModel](state.Reimage)
	if wanted, ok := blockOf[reimageModel](plan.Reimage); ok && installs {
		add(
			path.Root("reimage").AtName("distribution"), operation.Distribution, before.Distribution,
			wanted.Distribution,
		)
	}
	add(path.Root("zone_name"), location.Zone, state.ZoneName, plan.ZoneName)
	for _, s := range settings {
		if s.offer.Set != "" {
			add(path.Root(s.name), s.offer, s.value(&state.machine), s.value(&plan.machine))
		}
	}
	deployed := map[string]types.String{}
	for _, disc := range state.discs() {
		deployed[disc.ID.ValueString()] = disc.StorageGrade
	}
	for i, disc := range plan.discs() {
		if _, kept := deployed[disc.ID.ValueString()]; !kept {
			add(
				path.Root("disc").AtListIndex(i).AtName("storage_grade"), storageGrade, types.StringNull(),
				disc.StorageGrade,
			)
		}
	}
	return r.Data.CheckChoices(choices)
}

// Kinds of values that the service offers (API.md §6).
var (
	keymap       = tfkit.Offer{What: "keymap", Set: cloudserver.Keymaps}
	storageGrade = tfkit.Offer{What: "storage grade", Set: cloudserver.StorageGrades}
)

// Sizes in megabytes outside of which another unit was probably meant.
const (
	leastMemory, mostMemory = 128, 10 << 20 // 10 TB
	leastDisc, mostDisc     = 100, 100 << 20
)

// warnUnits warns of new numbers of megabytes that were probably meant in another unit. A disc that would shrink is an error,
// which says the same.
func warnUnits(state, plan *model, diags *diag.Diagnostics) {
	if !plan.Memory.Equal(state.Memory) {
		warnUnit(path.Root("memory"), plan.Memory, leastMemory, mostMemory, diags)
	}
	for i, disc := range plan.discs() {
		if had, ok := discWithID(state.discs(), disc.ID); !ok || disc.Size.ValueInt64() > had.Size.ValueInt64() {
			warnUnit(discPath(i, "size"), disc.Size, leastDisc, mostDisc, diags)
		}
	}
}

// inGigabytes returns the sentence about a size in megabytes that was probably meant in gigabytes, before a space, or "".
func inGigabytes(size int64) string {
	if size >= leastDisc {
		return ""
	}
	return fmt.Sprintf("size is in megabytes: for %d gigabytes, set %d. ", size, size<<10)
}

// warnUnit warns of a number of megabytes that was probably meant in another unit. The service may accept it. Other
// validators refuse what cannot be a size.
func warnUnit(at path.Path, size types.Int64, least, most int64, diags *diag.Diagnostics) {
	switch value := size.ValueInt64(); {
	case value > 0 && value < least:
		diags.AddAttributeWarning(at, "Value may be in gigabytes",
			fmt.Sprintf("%s is in megabytes, and %d is hardly enough for anything. For %d gigabytes use %d, or provider::cloudserver::megabytes(\"%dGiB\").",
				at, value, value, value*1024, value))
	case value > most:
		diags.AddAttributeWarning(at, "Value may be in kilobytes or bytes",
			fmt.Sprintf("%s is in megabytes, and %d megabytes are %d terabytes. "+
				"For a number of another unit use, for example, provider::cloudserver::megabytes(\"4GiB\").",
				at, value, value>>20))
	}
}
