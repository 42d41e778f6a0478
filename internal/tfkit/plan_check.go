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

// planCheckTimeout is how long a plan waits for an answer that only serves to check it.
const planCheckTimeout = 10 * time.Second

// PlanCheck returns the context for requests that only check a plan. It returns false if no check is possible:
// plan_checks is false, or the provider's configuration is not known yet.
func (d *ProviderData) PlanCheck(ctx context.Context) (context.Context, context.CancelFunc, bool) {
	if !d.Ready() || !d.PlanChecks {
		return ctx, func() {}, false
	}
	ctx, cancel := context.WithTimeout(ctx, planCheckTimeout)
	return ctx, cancel, true
}

// uncheckedPlan reports that a plan check failed, and why. Several checks of one plan may fail for the same cause.
type uncheckedPlan struct {
	diag.Diagnostic
	cause string
}

// AddPlanCheckError reports a failed plan check. A definite failure, with which the apply would fail as well, is an
// error. A failure that may pass is a warning. A cause that fails all checks is reported once in a run.
func (d *ProviderData) AddPlanCheckError(err error, diags *diag.Diagnostics) {
	const without = "Set plan_checks = false in the provider block to plan without the service."
	cause, advice, definite := err.Error(), "", isDefinite(err)
	switch status := cloudserver.StatusCode(err); {
	case !definite:
		cause = "trouble"
	case status == 0:
		cause = "no answer"
		login, opened := errors.AsType[*cloudserver.SessionError](err)
		lost, unanswered := errors.AsType[*cloudserver.TransportError](err)
		if wrong := opened && login.Refused || unanswered && !lost.AddressInDoubt(); !wrong { // otherwise the apply needs the same
			advice = without
		}
	case status == http.StatusUnauthorized: // the service answers, so a plan without it does not help
		cause = "credentials"
	case status == http.StatusNotFound:
		advice = "Check that endpoint is the base URL of the service's HTTP API."
	}
	isReported := func(reported diag.Diagnostic) bool {
		of, ok := reported.(uncheckedPlan)
		return ok && of.cause == cause
	}
	if slices.ContainsFunc(*diags, isReported) || !d.Notes.FirstTime(run.UncheckedPlan, cause) {
		return
	}
	var unchecked diag.Diagnostics
	defer func() {
		for _, one := range unchecked {
			*diags = append(*diags, uncheckedPlan{one, cause})
		}
	}()
	if definite {
		AddError(&unchecked, CannotCheckPlan, err, nil, advice)
		return
	}
	unchecked.AddWarning("The plan is not checked against the service", Detail(d.PlanCheckError(err),
		"The plan continues without these checks; mistakes that they would find show at apply. "+without))
}

// guard is an error that keeps data from being lost.
type guard struct{ diag.DiagnosticWithPath }

// AddGuard reports an error that keeps data from being lost. [ProviderData.AddWayOut] names no way around it.
func AddGuard(diags *diag.Diagnostics, at path.Path, summary, detail string) {
	diags.Append(guard{diag.NewAttributeErrorDiagnostic(at, summary, detail)})
}

func isGuard(d diag.Diagnostic) bool {
	_, ok := d.(guard)
	return ok
}

// AddWayOut adds a hint to the first error of a run that is about an attribute of an existing object: a destroy does
// without this check with -refresh=false. Otherwise Terraform makes a normal plan, with a refresh, before it plans a
// destroy. Beside an error that keeps data from being lost, there is no hint.
func (d *ProviderData) AddWayOut(o run.Object, diags *diag.Diagnostics) {
	if !d.Notes.IsRead(o) || slices.ContainsFunc(*diags, isGuard) {
		return
	}
	for i, refusal := range *diags {
		if at, ok := refusal.(diag.DiagnosticWithPath); ok && refusal.Severity() == diag.SeverityError {
			(*diags)[i] = diag.NewAttributeErrorDiagnostic(at.Path(), refusal.Summary(),
				d.Notes.Explain(refusal.Detail(), "If this is a destroy: terraform destroy -refresh=false plans it without this check."))
		}
	}
}

// PlanCheckError returns the error of a plan check. If the check gave up while the call was still being repeated, it
// says so, and what the service last answered, unless that was a success.
func (d *ProviderData) PlanCheckError(err error) error {
	if _, call := errors.AsType[*cloudserver.TransportError](err); call || !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	const attempts = "TF_LOG_PROVIDER=DEBUG shows each attempt"
	if d.Ready() {
		if last := d.Client.LastFailure(); last != nil {
			return fmt.Errorf("timed out after %s, retries included; %w; %s", planCheckTimeout, last, attempts)
		}
	}
	return fmt.Errorf("the service has not answered within %s, retries included: %w; %s", planCheckTimeout, err, attempts)
}

// isDefinite reports whether the request would fail again later.
func isDefinite(err error) bool {
	switch status := cloudserver.StatusCode(err); {
	case cloudserver.IsUnauthorized(err), cloudserver.IsPage(err), cloudserver.ExpectsHTTPS(err), status == http.StatusForbidden,
		status == http.StatusNotFound:
		return true
	case status != 0:
		return false
	}
	if session, ok := errors.AsType[*cloudserver.SessionError](err); ok && session.NoIssuer {
		return true
	}
	return cloudserver.IsUnreachable(err)
}

// Choice is a configured value that must be among those that the service offers (API.md §6).
type Choice struct {
	At    path.Path
	Value string
	Offer Offer
}

// Offer is one kind of value that the service offers.
type Offer struct {
	What    string // "distribution"
	Set     string // of the definitions that lists them: cloudserver.Distributions
	Partial bool   // the service may accept values that it does not list
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

// CheckChoices validates values against the service's definitions, unless plan checks are turned off.
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
	RefuseChoices(choices, definitions, diags)
}

// check reports a value that the service does not offer, and whether it is an error.
func (c Choice) check(definitions *cloudserver.Definitions, diags *diag.Diagnostics) (refused bool) {
	what := c.Offer.What
	offered, descriptions, whole := definitions.Offered(c.Offer.Set)
	if len(offered) == 0 || !whole || slices.Contains(offered, c.Value) {
		return false
	}
	suggestion := suggest(c.Value, offered, descriptions, "The service offers", "that the service offers")
	if c.Offer.Partial {
		diags.AddAttributeWarning(c.At, "The service does not list a value",
			fmt.Sprintf("The service does not list the %s %q. ", what, c.Value)+"It may list only a subset of what it accepts, so this is no error. "+suggestion)
		return false
	}
	diags.AddAttributeError(c.At, fmt.Sprintf("The service does not offer the %s %q", what, c.Value), suggestion)
	return true
}
