package vm

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// discFacts is what a decision about a machine's discs depends on. It has values alone: a request could fail now, and
// then the plan that the apply makes would decide differently.
type discFacts struct {
	machine     run.Machine
	prior       []discModel   // of the state; the first is the boot disc
	blocks      []discModel   // of the configuration
	labelsKnown bool          // the list of blocks and all their labels are known
	seen        observedDiscs // by the last refresh
	imported    bool          // and not applied since: discs without a block are released, not purged
	protected   bool          // by the state, which refuses a destroy
	withAction  withAction
}

// discDecision is what a plan shows of a machine's discs, and what becomes of each.
type discDecision struct {
	discFacts
	foreign   []discModel // on the machine, but not in its state
	planned   []discModel // the disc of each block
	change    discChange  // nothing while a label is unknown
	undecided []discModel // the apply decides whether they are purged, because a label is unknown
	refused   diag.Diagnostics
	warned    diag.Diagnostics
}

// discChange is what an update does to a machine's discs. It depends on the IDs in state and plan: a planned ID
// identifies the disc, whatever its current label, and a disc whose ID is not planned any more is purged.
type discChange struct {
	add, rename, grow []indexedDisc
	purge             []discModel
	moved             []discModel // to another machine: they only leave the state
	released          []discModel // left alone, because they were imported without a block
	adopted           []discModel // foreign so far
}

// indexedDisc is a planned disc with the index of its block and the disc before the update.
type indexedDisc struct {
	index     int
	disc, had discModel
}

// decideDiscs decides which disc each block means, and what becomes of the discs that none means.
func decideDiscs(facts discFacts) discDecision {
	d := discDecision{discFacts: facts, foreign: facts.seen.foreign(facts.prior)}
	means := d.match()
	for i, block := range d.blocks {
		d.planned = append(d.planned, d.plan(i, block, means[i]))
	}
	if d.labelsKnown {
		d.change = changeDiscs(d.prior, d.planned, d.seen, d.imported)
		d.refuseOtherBootDisc(means)
		d.refuseTooMany()
		d.refuseUnseen()
		d.refuseWantedLabels()
	} else {
		d.undecided = d.lost()
	}
	d.warn()
	return d
}

// none is the position of a disc that is not in the state.
const none = -1

// match returns for each block the position in the state of the disc that it means, or none. A block means the disc
//
//   - that has its label in the state, exactly, or as the service may have normalised it;
//   - that somebody else has given its label: the configuration follows;
//   - at its own position, if no label has changed but this one: the block renames it.
func (d *discDecision) match() []int {
	means := slices.Repeat([]int{none}, len(d.blocks))
	d.matchBy(means, func(had, block discModel) bool { return had.Label.Equal(block.Label) })
	if !d.labelsKnown { // the unknown label may turn out to be any other
		return means
	}
	d.matchBy(means, func(had, block discModel) bool { return sameLabel(had.Label, block.Label) })
	d.matchBy(means, func(had, block discModel) bool {
		owner, ok := d.calledNow(block.Label)
		return ok && owner.ID.Equal(had.ID)
	})
	if at, ok := d.renamed(means); ok {
		if _, taken := d.foreignWith(d.blocks[at].Label); taken {
			d.refuseAmbiguousAdoption(at)
		} else {
			means[at] = at
		}
	}
	return means
}

// matchBy lets each block that means no disc yet mean the first one that is like it and that no other block means.
func (d *discDecision) matchBy(means []int, like func(had, block discModel) bool) {
	for i, block := range d.blocks {
		for at, had := range d.prior {
			if means[i] == none && !slices.Contains(means, at) && like(had, block) {
				means[i] = at
			}
		}
	}
}

// renamed returns the position at which only the label has changed: that of the only disc without a block, and of the
// only block without a disc among as many blocks as there were discs. More may be added at the end. The grade must be
// the same and the size not smaller, because a rename never costs data.
func (d *discDecision) renamed(means []int) (at int, ok bool) {
	var discs, blocks []int
	for i := range d.prior {
		if !slices.Contains(means, i) {
			discs = append(discs, i)
		}
		if i < len(means) && means[i] == none {
			blocks = append(blocks, i)
		}
	}
	if len(discs) != 1 || !slices.Equal(discs, blocks) {
		return none, false
	}
	at = discs[0]
	had, block := d.prior[at], d.blocks[at]
	sameGrade := block.StorageGrade.IsNull() || block.StorageGrade.Equal(had.StorageGrade)
	return at, sameGrade && tfkit.Given(block.Size) && block.Size.ValueInt64() >= had.Size.ValueInt64()
}

// foreignWith returns the foreign disc that a block with this label adopts: the one with exactly this label or, if no
// label is unknown, with one that the service may have normalised.
func (d *discDecision) foreignWith(label types.String) (found discModel, ok bool) {
	found, ok = firstDisc(d.foreign, func(f discModel) bool { return f.Label.Equal(label) })
	if !ok && d.labelsKnown {
		found, ok = firstDisc(d.foreign, func(f discModel) bool { return sameLabel(f.Label, label) })
	}
	return found, ok
}

// calledNow returns the disc of the state that has this label at the service, because somebody else gave it that label.
func (d *discDecision) calledNow(label types.String) (owner discModel, ok bool) {
	if _, foreign := d.foreignWith(label); foreign {
		return discModel{}, false
	}
	return firstDisc(d.prior, func(had discModel) bool {
		now, _ := d.seen.now(had)
		return cloudserver.SameLabel(now, label.ValueString()) && !sameLabel(had.Label, label)
	})
}

// plan returns the disc of a block: one of the state, a foreign one that the block adopts, or a new one.
func (d *discDecision) plan(i int, block discModel, at int) discModel {
	if at != none {
		d.refuseMoved(i, d.prior[at])
		return d.keep(i, d.prior[at], block)
	}
	if foreign, ok := d.foreignWith(block.Label); ok {
		return d.keep(i, foreign, block)
	}
	refuseDigits(i, types.StringNull(), block, &d.refused)
	d.refuseManaged(i)
	return block.asNew()
}

// keep returns the block with what is known about its disc, which stays.
func (d *discDecision) keep(i int, had, block discModel) discModel {
	block.ID = had.ID
	if block.StorageGrade.IsNull() {
		block.StorageGrade = had.StorageGrade
	}
	d.refuseGrade(i, had, block)
	d.refuseShrinking(i, had, block)
	refuseDigits(i, had.Label, block, &d.refused)
	return block
}

// asNew returns a configured disc in the form in which the plan of its creation shows it.
func (d discModel) asNew() discModel {
	d.ID = types.StringUnknown()
	if d.StorageGrade.IsNull() {
		d.StorageGrade = types.StringUnknown()
	}
	return d
}

// present returns the discs of the state that are not on another machine.
func (d *discDecision) present() []discModel {
	return slices.DeleteFunc(slices.Clone(d.prior), func(disc discModel) bool { return d.seen.movedTo(disc) != "" })
}

// lost returns the present discs that no block means.
func (d *discDecision) lost() []discModel {
	return slices.DeleteFunc(d.present(), func(disc discModel) bool { return hasDisc(d.planned, disc.ID) })
}

// unclaimed returns the foreign discs that no block adopts.
func (d *discDecision) unclaimed() []discModel {
	return slices.DeleteFunc(slices.Clone(d.foreign), func(disc discModel) bool { return hasDisc(d.planned, disc.ID) })
}

// changeDiscs returns what becomes of each disc. Plan and apply call it, with the same result, because the apply has the
// IDs that the plan decided on.
func changeDiscs(prior, planned []discModel, seen observedDiscs, isImported bool) discChange {
	var c discChange
	for i, disc := range planned {
		if !tfkit.Given(disc.ID) {
			c.add = append(c.add, indexedDisc{index: i, disc: disc})
			continue
		}
		had, ok := discWithID(prior, disc.ID)
		if !ok {
			had = seen.disc(disc.ID)
			c.adopted = append(c.adopted, disc)
		}
		if !sameLabel(had.Label, disc.Label) {
			c.rename = append(c.rename, indexedDisc{i, disc, had})
		}
		if disc.Size.ValueInt64() > had.Size.ValueInt64() {
			c.grow = append(c.grow, indexedDisc{i, disc, had})
		}
	}
	for _, disc := range prior {
		switch {
		case tfkit.Given(disc.ID) && hasDisc(planned, disc.ID):
		case seen.movedTo(disc) != "":
			c.moved = append(c.moved, disc)
		case isImported:
			c.released = append(c.released, disc)
		default:
			c.purge = append(c.purge, disc)
		}
	}
	return c
}
