package vm

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// change is what has to be done to bring a machine from its state to a plan. It
// is decided from state, plan and private state alone, by the same function at
// plan and at apply: the configuration that an apply gets may contradict its
// plan, because ignore_changes is not applied to it.
type change struct {
	on      bool     // the machine is on before the update, or the service is starting it
	offFor  []string // attributes that are changed while the machine is off
	lowered []string // attributes whose change a running guest sees after a power cycle
	discs   discChange
	image   imageChange
	power   powerChange

	owesReady bool // an earlier apply has not seen it ready
}

// powerChange is what a plan wants of a machine's power.
type powerChange int

const (
	powerLeft powerChange = iota
	powerStart
	powerStop
)

func decide(state, plan *model, p private, diags *diag.Diagnostics) change {
	c := change{on: state.PowerOn.ValueBool() || state.AutorebootOn.ValueBool()}
	c.offFor, c.lowered = needsOff(state, plan)
	before, _ := discsFrom(state.Disc, diags)
	if planned, ok := discsFrom(plan.Disc, diags); ok && labelsKnown(planned) {
		c.discs = changeDiscs(before, planned, p)
	}
	c.image = changeImage(state, plan, p, diags)
	c.power = changePower(state.PowerOn, plan.PowerOn)
	c.owesReady = p.Unready && !plan.Ready.IsNull() && plan.staysOn(state)
	return c
}

func labelsKnown(discs []discModel) bool {
	return !slices.ContainsFunc(discs, func(d discModel) bool { return d.Label.IsUnknown() })
}

// needsOff lists the attributes that are raised or replaced, which the service
// may refuse while the machine is on, and those that are lowered (API.md §3,
// changes to a running machine).
func needsOff(state, plan *model) (names, lowered []string) {
	for _, n := range []struct {
		name           string
		before, wanted types.Int64
	}{{"cores", state.Cores, plan.Cores}, {"memory", state.Memory, plan.Memory}} {
		switch {
		case !differs(n.before, n.wanted):
		case n.wanted.ValueInt64() > n.before.ValueInt64():
			names = append(names, n.name)
		default:
			lowered = append(lowered, n.name)
		}
	}
	if plan.changesProfile(state) {
		names = append(names, "hardware_profile")
	}
	return names, lowered
}

func changePower(before, wanted types.Bool) powerChange {
	switch {
	case !tfkit.Given(wanted) || wanted.Equal(before):
		return powerLeft
	case wanted.ValueBool():
		return powerStart
	}
	return powerStop
}

// stopsFor lists why a machine that is on has to be stopped.
func (c change) stopsFor() []string {
	reasons := slices.Clone(c.offFor)
	if c.image.install {
		reasons = append(reasons, "reimage")
	}
	return reasons
}

// restarts reports whether a machine that is on goes off and comes back.
func (c change) restarts() bool {
	return c.on && c.power != powerStop && len(c.stopsFor()) > 0
}
