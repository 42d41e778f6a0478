package vm

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
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

// stops reports whether the plan switches the machine off for good.
func (c *change) stops() bool { return c.power != nil && !*c.power }

// restarts reports whether a machine that is on goes off and comes back.
func (c *change) restarts() bool { return c.on && !c.stops() && len(c.stopsFor) > 0 }

// discChange is what an update does to a machine's discs. It follows from the
// ids in state and plan: a planned id is that disc, whatever its label reads, and a
// disc whose id is not planned any more is purged. Which block has which id is in
// plan_discs.go.
type discChange struct {
	add, rename, grow []indexedDisc
	purge             []discModel
	released          []discModel // left alone, because they were imported without a block
	adopted           []discModel // foreign until now
}

// indexedDisc is a planned disc, the index of its block, and what it is before.
type indexedDisc struct {
	index     int
	disc, had discModel
}

func changeDiscs(state, planned []discModel, p private) discChange {
	var c discChange
	stays := map[string]bool{}
	for i, disc := range planned {
		if !tfkit.Given(disc.ID) {
			c.add = append(c.add, indexedDisc{index: i, disc: disc})
			continue
		}
		stays[disc.ID.ValueString()] = true
		had, ok := discWithID(state, disc.ID)
		if !ok {
			f := p.Foreign[disc.ID.ValueString()]
			had = discModel{ID: disc.ID, Label: tfkit.StringOrNull(f.Label), Size: types.Int64Value(f.Size)}
			c.adopted = append(c.adopted, disc)
		}
		if !sameLabel(had.Label, disc.Label) {
			c.rename = append(c.rename, indexedDisc{i, disc, had})
		}
		if disc.Size.ValueInt64() > had.Size.ValueInt64() {
			c.grow = append(c.grow, indexedDisc{i, disc, had})
		}
	}
	for _, disc := range state {
		switch {
		case stays[disc.ID.ValueString()]:
		case p.Adopted:
			c.released = append(c.released, disc)
		default:
			c.purge = append(c.purge, disc)
		}
	}
	return c
}
