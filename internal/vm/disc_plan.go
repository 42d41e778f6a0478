package vm

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// discFacts returns what the plan of an update knows of the discs.
func (d *decision) discFacts() discFacts {
	return discFacts{
		machine: d.state.planned(), prior: d.state.discs(), blocks: d.config.discs(), labelsKnown: d.config.knowsDiscs(),
		seen: d.private.Discs, imported: d.private.From == imported, protected: d.state.DeletionProtection.ValueBool(),
		withAction: d.withAction,
	}
}

// noteDiscs records which discs a plan adds and purges, and which discs in the state are on other machines, and reports
// what the plans of other machines say of them. A disc that is also in the state of another machine may be on its way
// back, or is to stay, and the added disc may be meant to be that one; and moving a block to another machine does not
// move its disc.
func (r *vmResource) noteDiscs(d *decision, diags *diag.Diagnostics) {
	machine := d.state.planned()
	if d.isCreation() {
		machine = d.plan.planned()
	}
	for _, disc := range d.private.Discs.moved(d.discs.prior) {
		purgedFrom, besideOn := r.Data.Notes.RememberDisc(disc.object(), machine)
		if purgedFrom != "" {
			refuseRemembered(disc, purgedFrom, machine.Title, diags)
		}
		if besideOn != "" {
			refuseEmptyDisc(disc, besideOn, machine.Title, diags)
		}
	}
	if len(d.replace) > 0 {
		return
	}
	for _, disc := range d.change.discs.purge {
		remembered, added := r.Data.Notes.PurgeDisc(disc.object(), disc.Label.ValueString(), machine)
		if remembered != "" {
			refuseRemembered(disc, machine.Title, remembered, diags)
		}
		d.warnMovedBlock(disc.Label.ValueString(), machine.Title, added, diags)
	}
	for _, added := range d.change.discs.add {
		if label := added.disc.Label.ValueString(); tfkit.Given(added.disc.Label) {
			d.warnMovedBlock(label, r.Data.Notes.AddDisc(label, machine), machine.Title, diags)
		}
	}
	if len(d.change.discs.add) == 0 {
		return
	}
	for _, disc := range d.discs.unclaimed() {
		if remembered := r.Data.Notes.AddBesideDisc(disc.object(), machine); remembered != "" {
			refuseEmptyDisc(disc, machine.Title, remembered, diags)
		}
	}
}

// planned returns the machine as notes of plans have it.
func (m *common) planned() run.Machine {
	return run.Machine{ID: m.ID.ValueString(), Title: m.title()}
}

// refuseRemembered refuses to purge a disc that is in the state of another machine.
func refuseRemembered(disc discModel, from, remembered string, diags *diag.Diagnostics) {
	diags.AddAttributeError(path.Root("disc"), fmt.Sprintf("Cannot purge disc %q of %s", disc.Label.ValueString(), from),
		fmt.Sprintf("The disc (ID %s) was moved there from %s, which still has it in the state: it may be on its way back. "+
			"To move it back, keep its block of %[3]s for now, and move the disc as the guide \"Deleting, protecting, "+
			"getting back\" shows. "+
			"To purge it, first apply %[2]s without its block of the disc, with -target.", disc.ID.ValueString(), remembered, from))
}

// refuseEmptyDisc refuses to add a disc to a machine beside one that was moved there, which no block adopts.
func refuseEmptyDisc(moved discModel, machine, remembered string, diags *diag.Diagnostics) {
	diags.AddAttributeError(path.Root("disc"), "Cannot add an empty disc to "+machine,
		fmt.Sprintf("Disc %q (ID %s) was moved to %s from %s, which still has it in the state. "+
			"No disc block of %[3]s has its label, and another block adds an empty disc. "+
			"To manage the moved disc there, give its block the label %[1]q. "+
			"To add an empty disc beside it, first apply %[4]s without its block of the disc, with -target.",
			moved.Label.ValueString(), moved.ID.ValueString(), machine, remembered))
}

// warnMovedBlock warns that a disc is purged from one machine while another gets an empty one with the same label.
func (d *decision) warnMovedBlock(label, from, to string, diags *diag.Diagnostics) {
	if from != "" && to != "" {
		diags.AddAttributeWarning(path.Root("disc"), tfkit.Summary("A disc is purged, and another machine gets an empty one of the same label", strconv.Quote(label)),
			fmt.Sprintf("Disc %q of %s is purged, and %s gets a new disc %[1]q, which is empty.\n\n", label, from, to)+
				"A block that moves to another machine does not move its disc. "+
				"To move the disc with its data, leave the configuration as it was, and move it first "+d.withAction("disc_move")+
				", as the page of cloudserver_disc_move shows.")
	}
}

// warnNoDiscs warns of a machine without discs, which the service's public client never creates.
func warnNoDiscs(plan *model, diags *diag.Diagnostics) {
	if !plan.Disc.IsUnknown() && len(plan.Disc.Elements()) == 0 {
		diags.AddAttributeWarning(path.Root("disc"), "The new machine has no disc",
			"The service may refuse to create "+plan.title()+" without a disc. Add a disc block.")
	}
}

// warnBootDisc warns if the first disc becomes the boot disc although another one has a typical label of a boot disc.
func warnBootDisc(plan *model, discs []discModel, diags *diag.Diagnostics) {
	boot := slices.IndexFunc(discs, discModel.isBootByLabel)
	if boot < 1 || discs[0].Label.IsUnknown() {
		return
	}
	diags.AddAttributeWarning(path.Root("disc").AtListIndex(0).AtName("label"), "Another disc becomes the boot disc of the new machine than its label says",
		fmt.Sprintf("The first disc block is the boot disc, on which the image is installed. The configuration of %s puts %q first, and %q further down. "+
			"If %q is meant to be the boot disc, put its block first. A dynamic block over a map is sorted by key: use a list.",
			plan.title(), discs[0].Label.ValueString(), discs[boot].Label.ValueString(),
			discs[boot].Label.ValueString()))
}
