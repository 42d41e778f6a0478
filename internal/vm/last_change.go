// SPDX-License-Identifier: MPL-2.0

package vm

import (
	"context"
	"reflect"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// lastChangeTypes are those of last_change: what the last update has cost. Its values carry their cause, because a CLI
// hides an attribute that is equal before and after.
var lastChangeTypes = map[string]attr.Type{
	"stops":  types.StringType,
	"erases": types.MapType{ElemType: types.StringType},
	"purges": types.ListType{ElemType: types.StringType},
}

// noLastChange is the value of an update that costs nothing.
func noLastChange() types.Object { return types.ObjectNull(lastChangeTypes) }

// lastChange returns what an update costs. Plan and apply call it, with the same result. A part that an unknown value may
// add to is unknown, and so is the whole, unless something is lost for certain. discsKnown reports whether the configured
// discs are known as a whole: otherwise a disc that seems to be purged may turn out to be renamed.
func (c *change) lastChange(state, plan *model, discsKnown bool) types.Object {
	stops, mayStop := c.stopsOf(plan)
	erases := c.erasesOf(state, plan)
	purges, mayPurge := c.purgesOf(state, plan, discsKnown)
	if isCertain := !stops.IsNull() || !erases.IsNull() || !purges.IsNull(); !isCertain {
		if mayStop || mayPurge {
			return types.ObjectUnknown(lastChangeTypes)
		}
		return noLastChange()
	}
	if mayStop {
		stops = types.StringUnknown()
	}
	if mayPurge {
		purges = types.ListUnknown(types.StringType)
	}
	return types.ObjectValueMust(lastChangeTypes, map[string]attr.Value{"stops": stops, "erases": erases, "purges": purges})
}

// stopsOf returns what a machine that is on is stopped for, and whether an unknown value may stop it as well.
func (c *change) stopsOf(plan *model) (stops types.String, may bool) {
	if !c.on {
		return types.StringNull(), false
	}
	var causes []string
	if c.stops() || c.endsStart {
		causes = append(causes, "power_on = false")
	}
	may = len(plan.mayRestart()) > 0 || plan.PowerOn.IsUnknown()
	for _, s := range settings {
		switch {
		case !slices.Contains(c.offFor, s.name):
		case s.name == "hardware_profile" && plan.HardwareProfileLocked.IsUnknown():
			may = true // without a lock, an older profile is only recorded
		default:
			causes = append(causes, s.name+" = "+plain(s.value(&plan.common)))
		}
	}
	if c.image.install {
		cause := c.image.cause(plan)
		causes, may = append(causes, cause.ValueString()), may || cause.IsUnknown()
	}
	return tfkit.StringOrNull(strings.Join(causes, ", ")), may
}

// erasesOf returns the disc that an image in place erases.
func (c *change) erasesOf(state, plan *model) types.Map {
	if !c.image.install {
		return types.MapNull(types.StringType)
	}
	label := "boot disc"
	if discs := state.discs(); len(discs) > 0 {
		label = discs[0].Label.ValueString()
	}
	cause := c.image.cause(plan)
	if cause.IsUnknown() {
		return types.MapUnknown(types.StringType) // the CLI compares the elements of a map that is known
	}
	return types.MapValueMust(types.StringType, map[string]attr.Value{label: cause})
}

// cause returns what an image is installed for.
func (c imageChange) cause(plan *model) types.String {
	block, _ := blockOf[reimageModel](plan.Reimage)
	values := map[string]types.String{"distribution": block.Distribution, "revision": block.Revision}
	changed := c.changed
	if c.isFirst {
		changed = []string{"distribution"}
	}
	if slices.ContainsFunc(changed, func(name string) bool { return values[name].IsUnknown() }) {
		return types.StringUnknown()
	}
	return types.StringValue(strings.Join(mapped(changed, func(name string) string { return name + " = " + plain(values[name]) }), ", "))
}

// purgesOf returns the labels of the discs that are purged for certain, and whether unknown values may purge some.
func (c *change) purgesOf(state, plan *model, discsKnown bool) (purges types.List, may bool) {
	if !discsKnown {
		return types.ListNull(types.StringType), len(without(state.discs(), plan.discs())) > 0
	}
	if len(c.discs.purge) == 0 {
		return types.ListNull(types.StringType), false
	}
	purged := mapped(c.discs.purge, func(d discModel) attr.Value { return d.Label })
	return types.ListValueMust(types.StringType, purged), false
}

// plain returns a value without the quotation marks of a string.
func plain(value attr.Value) string {
	if text, ok := value.(types.String); ok {
		return text.ValueString()
	}
	return value.String()
}

// plannedLastChange returns what the plan of an update shows. Where nothing is lost, but a configured value is unknown,
// the update may turn out to be none, and would then keep the state's value.
func (d *decision) plannedLastChange() types.Object {
	if len(d.replace) > 0 {
		return noLastChange()
	}
	planned := d.change.lastChange(&d.state, &d.plan, isKnown(d.config.Disc))
	if planned.IsNull() && !d.state.LastChange.IsNull() && d.config.hasUnknown(d.plan.Reimage) {
		return types.ObjectUnknown(lastChangeTypes)
	}
	return planned
}

// hasUnknown reports whether a configured value is unknown. The planned block reimage stands for the configured one, which
// has write-only values.
func (m *model) hasUnknown(reimage types.Object) bool {
	known := *m
	tfkit.FillUnknown(&known.common, common{})
	tfkit.FillUnknown(&known.resourceOnly, resourceOnly{})
	if !reflect.DeepEqual(known.common, m.common) || !reflect.DeepEqual(known.resourceOnly, m.resourceOnly) {
		return true
	}
	blocks := []attr.Value{m.Disc, reimage, m.IPs, m.Ready, m.Timeouts}
	return slices.ContainsFunc(blocks, func(block attr.Value) bool { return !isKnown(block) })
}

// isKnown reports whether a value is known as a whole.
func isKnown(value attr.Value) bool {
	raw, err := value.ToTerraformValue(context.Background())
	return err == nil && raw.IsFullyKnown()
}
