// SPDX-License-Identifier: MPL-2.0

package vm

import (
	"context"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/inventory"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// Every request of a plan is made here, or in a function of its subject that is called here. A plan asks twice: for the
// machine, if it cannot decide without, and then, unless something is refused, for the answers to the questions that
// its decision leaves. An answer changes no planned value.

// proposal is what a plan starts from.
type proposal struct {
	state, config model // in the plan of a creation, there is no state
	// plan is what Terraform proposes, with what no request is needed for: defaults, and values that stay.
	plan    model
	private private
	// plannedGroup is the planned group as a plan of this process leaves it, or nil.
	plannedGroup *inventory.PlannedGroup

	defaults   tfkit.Defaults // the provider's
	planChecks bool           // the provider's plan_checks
	withAction withAction
	limited    bool // max_unavailable is set

	refused diag.Diagnostics // errors, and warnings that are shown even beside errors
}

// facts are what a decision depends on besides the proposal.
type facts struct {
	machine *cloudserver.VirtualMachine // nil: it was not asked for, or there is no answer
	refused diag.Diagnostics
	warned  diag.Diagnostics
}

// discs returns the discs that the machine shows, or nil.
func (f *facts) discs() []cloudserver.Disc {
	if f.machine == nil {
		return nil
	}
	return f.machine.Discs
}

// findFacts looks at the machine if the decision depends on what it shows: addresses that the state does not have, and
// the labels and grades of discs. What this process has read already will do.
func (r *vmResource) findFacts(ctx context.Context, p *proposal) (f facts) {
	if p.state.ID.IsNull() || !r.Data.Ready() {
		return f
	}
	discs, addresses := decideDiscs(p.discFacts(nil)), p.needsAddresses()
	if !discs.needsMachine() && !addresses {
		return f
	}
	var err error
	if f.machine = r.Data.Inventory.LastRead(p.state.numericID()); f.machine == nil {
		f.machine, err = r.Data.Inventory.Read(ctx, p.state.location())
	}
	switch {
	case err == nil:
	case addresses:
		f.refused.AddAttributeError(path.Root("ips"), "Cannot plan the addresses of "+p.state.title(),
			tfkit.Detail(err, "An address that the machine does not have needs a new machine. "+
				"Run the same command again."))
	default:
		tfkit.AddPlanCheckError(&f.warned, err)
	}
	return f
}

// questions are what a decision leaves to check: whether the service would refuse what is planned.
type questions struct {
	choices  []tfkit.Choice // new values, of which the service lists those that it offers
	location *locationCheck
}

// answers are those to the questions. They are zero if plan checks are turned off.
type answers struct {
	definitions *cloudserver.Definitions
	location    locationFinding
	unchecked   []error // why there are no others
}

// ask asks all questions at the same time, so that a plan takes as long as its slowest question.
func (r *vmResource) ask(ctx context.Context, q questions) (a answers) {
	ctx, cancel, ok := r.Data.PlanCheck(ctx)
	defer cancel()
	if !ok {
		return a
	}
	var asking sync.WaitGroup
	var noDefinitions, noGroup, noName error
	if len(q.choices) > 0 {
		asking.Go(func() { a.definitions, noDefinitions = r.Data.Inventory.Definitions(ctx) })
	}
	if q.location != nil {
		if q.location.groupID == 0 {
			asking.Go(func() { a.location.missing, noGroup = r.findMissing(ctx, q.location.account, q.location.group) })
		}
		asking.Go(func() { noName = r.askForName(ctx, q.location, &a.location) })
	}
	asking.Wait()
	for _, err := range []error{noDefinitions, noGroup, noName} {
		if err != nil {
			a.unchecked = append(a.unchecked, err)
		}
	}
	return a
}
