package vm

import (
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// choice is a value that must be one of those which the service offers.
type choice struct {
	at      path.Path
	what    string
	value   string
	offered func(*cloudserver.Definitions) (names []string, descriptions map[string]string)
	partial bool // the service may list only a subset: a warning, not an error
}

// checkDefinitions validates new and changed values against the service's
// definitions (API.md §6). What is already deployed is never questioned, nor is
// a distribution that is only recorded: the service may have withdrawn it.
func (r *vmResource) checkDefinitions(ctx context.Context, state, plan *model, installs bool, diags *diag.Diagnostics) {
	checkChoices(ctx, r.data, newChoices(ctx, state, plan, installs, diags), diags)
}

func checkChoices(ctx context.Context, data *tfkit.ProviderData, choices []choice, diags *diag.Diagnostics) {
	ctx, cancel, ok := data.PlanCheck(ctx)
	defer cancel()
	if !ok || len(choices) == 0 {
		return
	}
	definitions, err := data.Catalogue(ctx)
	if err != nil {
		data.AddPlanCheckError(err, diags)
		return
	}
	for _, c := range choices {
		c.check(definitions, diags)
	}
}

// newChoices lists the values that this plan brings in.
func newChoices(ctx context.Context, state, plan *model, installs bool, diags *diag.Diagnostics) []choice {
	var choices []choice
	add := func(c choice, before, wanted types.String) {
		if differs(before, wanted) {
			c.value = wanted.ValueString()
			choices = append(choices, c)
		}
	}
	before, _ := reimageFrom(ctx, state.Reimage, diags)
	if wanted, ok := reimageFrom(ctx, plan.Reimage, diags); ok && installs {
		add(distributionChoice(path.Root("reimage").AtName("distribution")), before.Distribution, wanted.Distribution)
	}
	add(choice{at: path.Root("zone_name"), what: "zone", offered: only(func(d *cloudserver.Definitions) []string { return d.ZoneNames })}, state.ZoneName, plan.ZoneName)
	add(choice{
		at: path.Root("hardware_profile"), what: "hardware profile", partial: true,
		offered: only(func(d *cloudserver.Definitions) []string { return d.HardwareProfiles }),
	}, state.HardwareProfile, plan.HardwareProfile)
	deployed := map[string]types.String{}
	had, _ := discsFrom(ctx, state.Disc, diags)
	for _, disc := range had {
		deployed[disc.ID.ValueString()] = disc.StorageGrade
	}
	discs, _ := discsFrom(ctx, plan.Disc, diags)
	for i, disc := range discs {
		if _, kept := deployed[disc.ID.ValueString()]; kept {
			continue
		}
		add(choice{
			at: path.Root("disc").AtListIndex(i).AtName("storage_grade"), what: "storage grade",
			offered: func(d *cloudserver.Definitions) ([]string, map[string]string) {
				return d.StorageGrades, d.StorageGradeDescriptions
			},
		},
			types.StringNull(), disc.StorageGrade)
	}
	return choices
}

func distributionChoice(at path.Path) choice {
	return choice{at: at, what: "distribution", offered: func(d *cloudserver.Definitions) ([]string, map[string]string) {
		return d.Distributions, d.DistributionDescriptions
	}}
}

func only(names func(*cloudserver.Definitions) []string) func(*cloudserver.Definitions) ([]string, map[string]string) {
	return func(d *cloudserver.Definitions) ([]string, map[string]string) { return names(d), nil }
}

func (c choice) check(definitions *cloudserver.Definitions, diags *diag.Diagnostics) {
	offered, descriptions := c.offered(definitions)
	if len(offered) == 0 || slices.Contains(offered, c.value) {
		return
	}
	suggestion := tfkit.Suggest(c.value, offered, descriptions)
	if c.partial {
		diags.AddAttributeWarning(c.at, fmt.Sprintf("The service does not list the %s %q", c.what, c.value),
			"The service may list only a subset of what it accepts, so the plan continues. "+suggestion)
		return
	}
	diags.AddAttributeError(c.at, fmt.Sprintf("The service does not offer the %s %q", c.what, c.value), suggestion)
}
