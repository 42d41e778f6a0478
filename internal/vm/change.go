// SPDX-License-Identifier: MPL-2.0

package vm

import (
	"slices"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// change is what an update has to do to bring a machine from its state to the plan. The same functions decide it at
// plan and at apply, from state, plan and private state alone: the configuration at apply may contradict the plan,
// because ignore_changes is not applied to it.
type change struct {
	renames    bool
	moves      bool                 // to another group, or possibly so
	settings   cloudserver.Settings // those that are sent
	autoreboot bool                 // autoreboot_on changes

	on       bool     // the machine is on before the update, or the service is starting it
	offFor   []string // attributes that are changed while the machine is off
	stopsFor []string // attributes, or an image, that require stopping a machine that is on
	lowered  []string // attributes whose change a running guest sees only after a power cycle
	power    *bool    // the power to change to; nil: no change
	discs    discChange
	image    imageChange

	endsStart bool // the service is about to start the machine, which is to stay off

	owesReady bool // an earlier apply has not seen the machine ready
	owesPower bool // an earlier apply has left the machine off
}

// newChange compares plan and state. While a label is unknown, nothing is known of the discs.
func newChange(state, plan *model, p private) change {
	c := change{
		renames: differs(state.Name, plan.Name), moves: plan.moves(state),
		autoreboot: differs(state.AutorebootOn, plan.AutorebootOn),
		on:         state.PowerOn.ValueBool() || state.AutorebootOn.ValueBool(),
	}
	if plan.knowsDiscs() {
		c.discs = changeDiscs(state.discs(), plan.discs(), p)
	}
	c.addSettings(state, plan)
	c.image = changeImage(state, plan, p)
	if c.stopsFor = slices.Clone(c.offFor); c.image.install {
		c.stopsFor = append(c.stopsFor, "reimage")
	}
	if differs(state.PowerOn, plan.PowerOn) {
		c.power = plan.PowerOn.ValueBoolPointer()
	}
	c.endsStart = state.aboutToStart() && c.autoreboot && !plan.staysOn(state)
	c.owesReady = p.Owed.Ready && !plan.Ready.IsNull() && plan.staysOn(state)
	c.owesPower = p.Owed.Power != nil && c.starts()
	return c
}

// takesSlot reports whether the machine may be out of service during the update, although it is to be on.
func (c *change) takesSlot() bool { return c.restarts() || c.owesReady || c.owesPower }

// stops reports whether the plan switches the machine off permanently.
func (c *change) stops() bool { return c.power != nil && !*c.power }

// starts reports whether the plan switches the machine on.
func (c *change) starts() bool { return c.power != nil && *c.power }

// restarts reports whether a machine that is on goes down temporarily.
func (c *change) restarts() bool { return c.on && !c.stops() && len(c.stopsFor) > 0 }

// costs reports whether the update stops the machine, erases its boot disc or purges a disc.
func (c *change) costs() bool {
	return c.on && c.needsOff() || c.image.install || len(c.discs.purge) > 0
}

// needsOff reports whether the machine has to be off at some time of the update.
func (c *change) needsOff() bool { return c.stops() || len(c.stopsFor) > 0 }
