package vm

import (
	"slices"
)

// change is what has to be done to bring a machine from its state to a plan. It
// is decided from state, plan and private state alone, by the same function at
// plan and at apply: the configuration that an apply gets may contradict its
// plan, because ignore_changes is not applied to it.
type change struct {
	on       bool     // the machine is on before the update, or the service is starting it
	offFor   []string // attributes that are changed while the machine is off
	stopsFor []string // these, and an image: why a machine that is on has to be stopped
	lowered  []string // attributes whose change a running guest sees after a power cycle
	power    *bool    // the power that the plan changes to; nil: it is left alone
	discs    discChange
	image    imageChange

	owesReady bool // an earlier apply has not seen it ready
}

func decide(state, plan *model, p private) change {
	c := change{on: state.PowerOn.ValueBool() || state.AutorebootOn.ValueBool()}
	c.raise("cores", state.Cores, plan.Cores)
	c.raise("memory", state.Memory, plan.Memory)
	if plan.changesProfile(state) {
		c.offFor = append(c.offFor, "hardware_profile")
	}
	if plan.knowsDiscs() {
		c.discs = changeDiscs(state.discs(), plan.discs(), p)
	}
	c.image = changeImage(state, plan, p)
	if c.stopsFor = slices.Clone(c.offFor); c.image.install {
		c.stopsFor = append(c.stopsFor, "reimage")
	}
	if differs(state.PowerOn, plan.PowerOn) {
		c.power = plan.PowerOn.ValueBoolPointer()
	}
	c.owesReady = p.Unready && !plan.Ready.IsNull() && plan.staysOn(state)
	return c
}

// stops reports whether the plan switches the machine off for good.
func (c *change) stops() bool { return c.power != nil && !*c.power }

// restarts reports whether a machine that is on goes off and comes back.
func (c *change) restarts() bool { return c.on && !c.stops() && len(c.stopsFor) > 0 }
