// SPDX-License-Identifier: MPL-2.0

package tfkit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// planCheckTimeout is how long a plan waits for an answer that only serves to check it.
const planCheckTimeout = 10 * time.Second

// checkTimeouts is when a check of this process has last timed out. For a minute, no other one waits for the service: a
// plan of a thousand machines waits once, and not for each of them.
type checkTimeouts struct {
	mu   sync.Mutex
	last time.Time
}

// allowed returns how long a check may take.
func (c *checkTimeouts) allowed() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.last.IsZero() && time.Since(c.last) < time.Minute {
		return 0
	}
	return planCheckTimeout
}

func (c *checkTimeouts) note() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last = time.Now()
}

// PlanCheck returns the context for requests that only check a plan. It returns false if no check is possible:
// plan_checks is false, or the provider's configuration is not known yet.
func (d *ProviderData) PlanCheck(ctx context.Context) (context.Context, context.CancelFunc, bool) {
	if !d.Ready() || !d.PlanChecks {
		return ctx, func() {}, false
	}
	allowed := d.checkTimeouts.allowed()
	ctx, cancel := context.WithTimeout(ctx, allowed)
	return ctx, func() {
		if allowed > 0 && errors.Is(ctx.Err(), context.DeadlineExceeded) {
			d.checkTimeouts.note()
		}
		cancel()
	}, true
}

// AddPlanCheckError reports, in one diagnostic, that requests which check a plan have failed: a failure with which the
// apply would fail as well is an error, and one that may pass is a warning.
func AddPlanCheckError(diags *diag.Diagnostics, failures ...error) {
	const without = "Set plan_checks = false in the provider block to plan without the service."
	if len(failures) == 0 {
		return
	}
	if i := slices.IndexFunc(failures, isDefinite); i >= 0 {
		advice := ""
		if cloudserver.IsNotFound(failures[i]) {
			advice = "Check that endpoint is the base URL of the service's HTTP API."
		}
		AddError(diags, "Cannot check the plan", failures[i], nil, advice)
		return
	}
	err := failures[0]
	reason := err.Error()
	if errors.Is(err, context.DeadlineExceeded) && !hasAnswer(err) {
		reason = fmt.Sprintf("the service did not answer within %s", planCheckTimeout)
	}
	diags.AddWarning("The plan is not checked against the service", Sentence(reason)+" "+
		"The plan continues without these checks. "+without)
}

// hasAnswer reports whether the error has an answer, or the failure of an attempt.
func hasAnswer(err error) bool {
	lost, isLost := errors.AsType[*cloudserver.TransportError](err)
	return cloudserver.StatusCode(err) != 0 || isLost && (lost.Last != nil || !errors.Is(lost.Err, context.DeadlineExceeded))
}

// isDefinite reports whether the request would fail again later.
func isDefinite(err error) bool {
	return cloudserver.IsUnauthorized(err) || cloudserver.IsForbidden(err) || cloudserver.IsNotFound(err) ||
		cloudserver.IsUnreachable(err)
}

// Choice is a configured value that must be among those that the service offers (API.md §6).
type Choice struct {
	At    path.Path
	Value string
	Offer Offer
}

// Offer is one kind of value that the service offers.
type Offer struct {
	What     string // "distribution"
	Set      string // of the definitions that lists them: cloudserver.Distributions
	Unlisted string // why a value that is not listed is not refused, or ""
	Rule     string // how a value is written, or ""
}

// Kinds of values that the service offers for machines and discs.
var (
	Distribution    = Offer{What: "distribution", Set: cloudserver.Distributions}
	StorageGrade    = Offer{What: "storage grade", Set: cloudserver.StorageGrades}
	Zone            = Offer{What: "zone", Set: cloudserver.ZoneNames}
	Keymap          = Offer{What: "keymap", Set: cloudserver.Keymaps}
	HardwareProfile = Offer{
		What: "hardware profile", Set: cloudserver.HardwareProfiles, Unlisted: "It may accept more than it lists, so this is no error.",
	}
)

// CheckChoices validates values against the service's definitions, unless plan checks are turned off.
func (d *ProviderData) CheckChoices(ctx context.Context, choices []Choice, diags *diag.Diagnostics) {
	ctx, cancel, ok := d.PlanCheck(ctx)
	defer cancel()
	if !ok || len(choices) == 0 {
		return
	}
	definitions, err := d.Inventory.Definitions(ctx)
	if err != nil {
		AddPlanCheckError(diags, err)
		return
	}
	RefuseChoices(choices, definitions, diags)
}

// RefuseChoices reports the values that the service does not offer: one for each attribute.
func RefuseChoices(choices []Choice, offered *cloudserver.Definitions, diags *diag.Diagnostics) {
	refused := map[string]bool{}
	for _, c := range choices {
		if at := c.At.String(); !refused[at] {
			refused[at] = c.check(offered, diags)
		}
	}
}

// check reports a value that the service does not offer, and whether it is an error. An empty set refuses nothing.
func (c Choice) check(definitions *cloudserver.Definitions, diags *diag.Diagnostics) (refused bool) {
	what := c.Offer.What
	offered := definitions.Names[c.Offer.Set]
	if len(offered) == 0 || slices.Contains(offered, c.Value) {
		return false
	}
	suggestion := suggest(c.Value, offered, definitions.Descriptions[c.Offer.Set], "The service offers", "that the service offers")
	if c.Offer.Unlisted != "" {
		diags.AddAttributeWarning(c.At, fmt.Sprintf("The service does not list the %s %q", what, c.Value),
			c.Offer.Unlisted+" "+suggestion)
		return false
	}
	diags.AddAttributeError(c.At, fmt.Sprintf("Invalid %s %q", what, c.Value), strings.TrimSpace(c.Offer.Rule+" "+suggestion))
	return true
}
