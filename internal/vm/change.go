package vm

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// change is what has to be done to bring a machine from its state to a plan. It
// is decided in one place, so that what the plan shows is what apply does.
type change struct {
	adopted bool        // the machine was imported, not created
	replace []path.Path // what only a new machine can have

	offFor  []string // attributes that the service changes only while the machine is off
	lowered []string // attributes whose change a running guest sees after a power cycle
	discs   discChange
	reimage reimageChange
	power   powerChange
}

// powerChange is what the configuration asks of a machine's power.
type powerChange int

const (
	powerLeft powerChange = iota
	powerStart
	powerStop
)

// decide compares state and plan. Values that are not known yet count as
// changed where only a new machine could have them, and as unchanged elsewhere:
// apply decides anew with what is known by then.
func decide(ctx context.Context, state model, plan *model, config model, adopted bool, diags *diag.Diagnostics) change {
	c := change{adopted: adopted}
	for _, fixed := range []struct {
		name        string
		before, now types.String
	}{{"account", state.Account, plan.Account}, {"zone_name", state.ZoneName, plan.ZoneName}} {
		if !fixed.now.Equal(fixed.before) && !fixed.before.IsNull() {
			c.replace = append(c.replace, path.Root(fixed.name))
		}
	}
	c.replace = append(c.replace, planIPs(ctx, state, plan, diags)...)
	c.discs = decideDiscs(ctx, state, config, diags)
	if len(c.discs.regrade) > 0 {
		c.replace = append(c.replace, path.Root("disc"))
	}
	c.reimage = decideReimage(ctx, state, config, adopted, diags)
	if !c.reimage.inPlace {
		for _, name := range c.reimage.changed {
			c.replace = append(c.replace, path.Root("reimage").AtName(name))
		}
	}
	c.offFor, c.lowered = needsOff(state, *plan)
	c.power = decidePower(state.PowerOn, plan.PowerOn)
	return c
}

func decideDiscs(ctx context.Context, state, config model, diags *diag.Diagnostics) discChange {
	before, _ := discsFrom(ctx, state.Disc, diags)
	after, ok := discsFrom(ctx, config.Disc, diags)
	if !ok || !labelsKnown(after) {
		return discChange{before: before, unknown: true}
	}
	return changeDiscs(before, after)
}

func decideReimage(ctx context.Context, state, config model, adopted bool, diags *diag.Diagnostics) reimageChange {
	before, had := reimageFrom(ctx, state.Reimage, diags)
	after, has := reimageFrom(ctx, config.Reimage, diags)
	if !has {
		return reimageChange{}
	}
	return changeReimage(before, after, had, adopted)
}

// needsOff lists the attributes whose change the service accepts only while the
// machine is off, and those that it lowers while it is on (api.md §3, changes to
// a running machine).
func needsOff(state, plan model) (names, lowered []string) {
	for _, n := range []struct {
		name        string
		before, now types.Int64
	}{{"cores", state.Cores, plan.Cores}, {"memory", state.Memory, plan.Memory}} {
		switch {
		case !differs(n.before, n.now):
		case n.now.ValueInt64() > n.before.ValueInt64():
			names = append(names, n.name)
		default:
			lowered = append(lowered, n.name)
		}
	}
	if changesProfile(state, plan) {
		names = append(names, "hardware_profile")
	}
	return names, lowered
}

// changesProfile is false where the service has made the wanted upgrade already.
func changesProfile(state, plan model) bool {
	return differs(state.HardwareProfile, plan.HardwareProfile) && !plan.HardwareProfile.Equal(state.EffectiveHardwareProfile)
}

func decidePower(before, now types.Bool) powerChange {
	switch {
	case !tfkit.Given(now) || now.Equal(before):
		return powerLeft
	case now.ValueBool():
		return powerStart
	}
	return powerStop
}

// differs says whether a known value is asked for that the machine has not got.
func differs(before, now attr.Value) bool {
	return tfkit.Given(now) && !now.Equal(before)
}

// stopsFor lists why a machine that is on has to be stopped, in the words of
// the configuration.
func (c change) stopsFor() []string {
	reasons := slices.Clone(c.offFor)
	if c.reimagesInPlace() {
		reasons = append(reasons, "reimage")
	}
	return reasons
}

// restarts says whether a machine that is on goes off and comes back.
func (c change) restarts(state model) bool {
	return state.PowerOn.ValueBool() && c.power != powerStop && len(c.stopsFor()) > 0
}

func (c change) reimagesInPlace() bool {
	return c.reimage.inPlace && len(c.reimage.changed) > 0
}
