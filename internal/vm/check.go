package vm

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// checkTimeout bounds how long a plan waits for definitions that do not come.
const checkTimeout = 15 * time.Second

// choice is a value that must be one of those which the service offers.
type choice struct {
	at      path.Path
	what    string
	value   string
	offered func(*cloudserver.Definitions) []string
	partial bool // the service may list only a part: a warning, not an error
}

// checkPlan holds what is new or changed against the live definitions
// (api.md §6). What is deployed already is never questioned, and a plan goes on
// where the definitions cannot be read.
//
// A distribution that is only recorded is not asked for either: the service may
// have withdrawn it since.
func (r *vmResource) checkPlan(ctx context.Context, state, plan, config model, installs bool, diags *diag.Diagnostics) {
	if !installs {
		config.Reimage = types.ObjectNull(reimageAttrTypes)
	}
	checkChoices(ctx, r.data, newChoices(ctx, state, plan, config, diags), diags)
}

// checkChoices holds values against the live definitions, in one request a
// process.
func checkChoices(ctx context.Context, data *tfkit.ProviderData, choices []choice, diags *diag.Diagnostics) {
	if len(choices) == 0 || !data.Ready() || !data.PlanChecks {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	definitions, err := data.Catalogue(ctx)
	if err != nil {
		warnUnchecked(data, "against the service's definitions", "a value that the service does not offer", err, diags)
		return
	}
	for _, c := range choices {
		c.check(definitions, diags)
	}
}

// warnUnchecked says why a check could not be made. Whatever the cause, it meets
// the apply as well, so the title tells those that a user has to mend.
func warnUnchecked(data *tfkit.ProviderData, check, late string, err error, diags *diag.Diagnostics) {
	because := ""
	switch {
	case cloudserver.IsUnauthorized(err):
		because = ": the service does not accept the credentials"
	case errors.Is(err, context.DeadlineExceeded):
		because = ": the service does not answer"
		err = fmt.Errorf("%s has not answered within %s", data.Client.Endpoint(), checkTimeout)
	}
	diags.AddWarning("The plan is not checked "+check+because,
		tfkit.Detail(err, fmt.Sprintf("The plan goes on without that check; %s shows at apply. Check that endpoint in the provider block is the base address of the service's HTTP API. "+
			"Set plan_checks = false there to plan without the service.", late)))
}

// newChoices lists the values that this plan brings in.
func newChoices(ctx context.Context, state, plan, config model, diags *diag.Diagnostics) []choice {
	var choices []choice
	add := func(at path.Path, what string, before, now types.String, partial bool, offered func(*cloudserver.Definitions) []string) {
		if differs(before, now) {
			choices = append(choices, choice{at, what, now.ValueString(), offered, partial})
		}
	}
	before, _ := reimageFrom(ctx, state.Reimage, diags)
	if now, ok := reimageFrom(ctx, config.Reimage, diags); ok {
		add(path.Root("reimage").AtName("distribution"), "distribution", before.Distribution, now.Distribution, false,
			func(d *cloudserver.Definitions) []string { return d.Distributions })
	}
	add(path.Root("zone_name"), "zone", state.ZoneName, plan.ZoneName, false,
		func(d *cloudserver.Definitions) []string { return d.ZoneNames })
	add(path.Root("hardware_profile"), "hardware profile", state.HardwareProfile, plan.HardwareProfile, true,
		func(d *cloudserver.Definitions) []string { return d.HardwareProfiles })
	deployed := map[string]types.String{}
	had, _ := discsFrom(ctx, state.Disc, diags)
	for _, disc := range had {
		deployed[disc.Label.ValueString()] = disc.StorageGrade
	}
	discs, _ := discsFrom(ctx, config.Disc, diags)
	for i, disc := range discs {
		add(path.Root("disc").AtListIndex(i).AtName("storage_grade"), "storage grade", deployed[disc.Label.ValueString()], disc.StorageGrade, false,
			func(d *cloudserver.Definitions) []string { return d.StorageGrades })
	}
	return choices
}

func (c choice) check(definitions *cloudserver.Definitions, diags *diag.Diagnostics) {
	offered := c.offered(definitions)
	if len(offered) == 0 || slices.Contains(offered, c.value) {
		return
	}
	if c.partial {
		diags.AddAttributeWarning(c.at, fmt.Sprintf("The service does not list the %s %q", c.what, c.value),
			"The service may list only a part of what it accepts, so the plan goes on. "+tfkit.NearestSentence(c.value, offered))
		return
	}
	diags.AddAttributeError(c.at, fmt.Sprintf("The service does not offer the %s %q", c.what, c.value), tfkit.NearestSentence(c.value, offered))
}

// checkName warns that a new machine's name is taken in its group, at one
// request a group. It is no error: another change of the same plan may free the
// name.
func (r *vmResource) checkName(ctx context.Context, plan model, diags *diag.Diagnostics) {
	if !r.data.Ready() || !r.data.PlanChecks || !tfkit.Given(plan.Name) || !tfkit.Given(plan.Group) || !tfkit.Given(plan.Account) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	account, group, name := plan.Account.ValueString(), plan.Group.ValueString(), plan.Name.ValueString()
	holder, err := r.data.Fleet.Stranger(ctx, account, group, name)
	if err != nil {
		warnUnchecked(r.data, "for names that are taken", "a name that is taken", err, diags)
		return
	}
	if holder == nil {
		return
	}
	diags.AddAttributeWarning(path.Root("name"), fmt.Sprintf("The name %q is taken in group %q of account %q", name, group, account),
		fmt.Sprintf("A machine with that name exists already%s, and no state that this run has read tracks it. Unless another change of this plan frees the name, the service will refuse to create it. "+
			"If it is the machine that you mean, import it:\n\n%s", withID(holder.ID), importBlock(account, group, name)))
}
