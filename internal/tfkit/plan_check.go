package tfkit

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
)

// planCheckTimeout is how long a plan waits for an answer that it needs only to
// check itself.
const planCheckTimeout = 10 * time.Second

// PlanCheck returns the context for requests that only check a plan. It reports
// false where there is nothing to ask: plan_checks is false, or the provider's
// configuration is not known yet.
func (d *ProviderData) PlanCheck(ctx context.Context) (context.Context, context.CancelFunc, bool) {
	if !d.Ready() || !d.PlanChecks {
		return ctx, func() {}, false
	}
	ctx, cancel := context.WithTimeout(ctx, planCheckTimeout)
	return ctx, cancel, true
}

// AddPlanCheckError reports a plan check that failed. A definite failure, with
// which the apply would fail, too, is an error. Trouble that may pass is a warning.
// What fails all checks alike is told once in a run: the error ends the plan.
func (d *ProviderData) AddPlanCheckError(err error, diags *diag.Diagnostics) {
	const without = "Set plan_checks = false in the provider block to plan without the service."
	cause, advice, definite := err.Error(), "", isDefinite(err)
	switch status := cloudserver.StatusCode(err); {
	case !definite:
		cause = "trouble"
	case status == 0:
		cause, advice = "no answer", without
	case status == http.StatusUnauthorized: // it answers, so planning without it helps nobody
		cause = "credentials"
	case status == http.StatusNotFound:
		advice = "Check that endpoint is the base URL of the service's HTTP API."
	}
	if !d.Notes.FirstTime(run.UncheckedPlan, cause) {
		return
	}
	if definite {
		AddError(diags, "Cannot check the plan", err, nil, advice)
		return
	}
	diags.AddWarning("The plan is not checked against the service", Detail(d.PlanCheckError(err),
		"The plan continues without these checks; mistakes that they would find show at apply. "+without))
}

// AddWayOut adds to the first error of a run that is about an attribute that a destroy
// goes through: Terraform plans normally before it plans a destroy, unless it is told not
// to refresh. Where this run has read nothing, there is nothing to destroy.
func (d *ProviderData) AddWayOut(diags *diag.Diagnostics) {
	if d == nil || !d.Notes.IsAnyRead() {
		return
	}
	for i, refusal := range *diags {
		if at, ok := refusal.(diag.DiagnosticWithPath); ok && refusal.Severity() == diag.SeverityError {
			(*diags)[i] = diag.NewAttributeErrorDiagnostic(at.Path(), refusal.Summary(),
				d.Notes.Explain(refusal.Detail(), "If you ran terraform destroy, run terraform destroy -refresh=false: it ignores this."))
		}
	}
}

// PlanCheckError returns the error of a plan check, and says so where the check has given up: the call is repeated after
// that. It names what holds all requests, if something does.
func (d *ProviderData) PlanCheckError(err error) error {
	if _, call := errors.AsType[*cloudserver.TransportError](err); call || !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	err = fmt.Errorf("the service has not answered within %s, retries included: %w; TF_LOG_PROVIDER=DEBUG shows each attempt", planCheckTimeout, err)
	if d.Ready() {
		if held := d.Client.Throttled(); held != nil {
			err = fmt.Errorf("%w; %w", err, held)
		}
	}
	return err
}

// isDefinite reports whether repeating the request later cannot help.
func isDefinite(err error) bool {
	switch status := cloudserver.StatusCode(err); {
	case cloudserver.IsUnauthorized(err), cloudserver.IsPage(err), status == http.StatusForbidden, status == http.StatusNotFound:
		return true
	case status != 0:
		return false
	}
	if session, ok := errors.AsType[*cloudserver.SessionError](err); ok && session.NoIssuer {
		return true
	}
	return cloudserver.IsUnreachable(err)
}

// Choice is a configured value that must be one of those which the service offers
// (API.md §6).
type Choice struct {
	At    path.Path
	Value string
	Offer Offer
}

// Offer is what the service offers of one kind.
type Offer struct {
	What    string // "distribution"
	Partial bool   // the service may accept more than it lists
	List    func(*cloudserver.Definitions) (names []string, descriptions map[string]string)
}

// CheckChoices validates values against the service's definitions, if plans are
// checked.
func (d *ProviderData) CheckChoices(ctx context.Context, choices []Choice, diags *diag.Diagnostics) {
	ctx, cancel, ok := d.PlanCheck(ctx)
	defer cancel()
	if !ok || len(choices) == 0 {
		return
	}
	definitions, err := d.Catalogue(ctx)
	if err != nil {
		d.AddPlanCheckError(err, diags)
		return
	}
	for _, c := range choices {
		c.check(definitions, diags)
	}
}

func (c Choice) check(definitions *cloudserver.Definitions, diags *diag.Diagnostics) {
	what := c.Offer.What
	offered, descriptions := c.Offer.List(definitions)
	if len(offered) == 0 || slices.Contains(offered, c.Value) {
		return
	}
	suggestion := suggest(c.Value, offered, descriptions, "The service offers", "that the service offers")
	if c.Offer.Partial {
		diags.AddAttributeWarning(c.At, fmt.Sprintf("The service does not list the %s %q", what, c.Value),
			"The service may list only a subset of what it accepts, so the plan continues. "+suggestion)
		return
	}
	diags.AddAttributeError(c.At, fmt.Sprintf("The service does not offer the %s %q", what, c.Value), suggestion)
}
