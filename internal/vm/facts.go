package vm

import (
	"context"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// Every request of a plan is made here, or in a function of its subject that is called here. A plan asks twice: for the
// facts without which it cannot decide, and then, unless something is refused, for the answers to the questions that its
// decision leaves. An answer changes no planned value.

// proposal is what a plan starts from.
type proposal struct {
	state, config model // in the plan of a creation, there is no state
	// plan is what Terraform proposes, with what no request is needed for: defaults, and values that stay.
	plan    model
	private private // in the plan of a creation, that of the machine that is replaced
	// account and group are the provider's defaults.
	account, group types.String
	withAction     withAction

	refused diag.Diagnostics // because there is no account
}

// isCreation reports whether the plan creates a machine. It may replace another.
func (p *proposal) isCreation() bool { return p.state.ID.IsNull() }

// facts are what a decision depends on besides the proposal.
type facts struct {
	location locationFacts
	ips      ipsFacts
}

func (r *vmResource) findFacts(ctx context.Context, p *proposal) facts {
	return facts{location: r.findLocation(ctx, p), ips: r.findIPs(ctx, p)}
}

// questions are what a decision leaves to check: whether the service would refuse what is planned.
type questions struct {
	choices   []tfkit.Choice // new values, of which the service lists those that it offers
	name      *nameQuestion
	addresses []addressQuestion
}

// answers are those to the questions. They are zero if plan checks are turned off.
type answers struct {
	asked       bool
	definitions *cloudserver.Definitions
	name        nameAnswer
	addresses   []addressAnswer // one for each question
	unchecked   []error         // why there are no others
}

// ask asks all questions at the same time, so that a plan takes as long as its slowest question.
func (r *vmResource) ask(ctx context.Context, q questions) (a answers) {
	ctx, cancel, ok := r.Data.PlanCheck(ctx)
	defer cancel()
	if !ok {
		return a
	}
	a.asked, a.addresses = true, make([]addressAnswer, len(q.addresses))
	var asking sync.WaitGroup
	var noDefinitions, noName error
	if len(q.choices) > 0 {
		asking.Go(func() { a.definitions, noDefinitions = r.Data.Catalogue(ctx) })
	}
	if q.name != nil {
		asking.Go(func() { a.name, noName = r.findHolder(ctx, q.name) })
	}
	for i, address := range q.addresses {
		asking.Go(func() { a.addresses[i] = r.findAddress(ctx, address) })
	}
	asking.Wait()
	for _, err := range []error{noDefinitions, noName} {
		if err != nil {
			a.unchecked = append(a.unchecked, err)
		}
	}
	return a
}
